# Finds what reads STL files, assimp, and what finds the nearest triangle, Embree 3 or 4. Debian's CMake files of assimp
# need packages that nothing else does, so headers and libraries are looked for.
find_path(HALFSTEP_ASSIMP_INCLUDE assimp/Importer.hpp)
find_library(HALFSTEP_ASSIMP_LIBRARY assimp)
find_path(HALFSTEP_EMBREE_INCLUDE NAMES embree4/rtcore.h embree3/rtcore.h)
find_library(HALFSTEP_EMBREE_LIBRARY NAMES embree4 embree3)
if(HALFSTEP_ASSIMP_INCLUDE AND HALFSTEP_ASSIMP_LIBRARY AND HALFSTEP_EMBREE_INCLUDE AND HALFSTEP_EMBREE_LIBRARY)
  set(HALFSTEP_HAS_STL ON)
  add_library(halfstep_stl INTERFACE)
  target_include_directories(halfstep_stl SYSTEM INTERFACE ${HALFSTEP_ASSIMP_INCLUDE} ${HALFSTEP_EMBREE_INCLUDE})
  target_link_libraries(halfstep_stl INTERFACE ${HALFSTEP_ASSIMP_LIBRARY} ${HALFSTEP_EMBREE_LIBRARY})
elseif(HALFSTEP_STL STREQUAL "ON")
  message(FATAL_ERROR "HALFSTEP_STL=ON, but assimp and Embree were not found: install them "
                      "(Debian: libassimp-dev libembree-dev)")
endif()
