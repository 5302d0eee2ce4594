# Finds the library that reads CGNS files. It has no CMake file in Debian. With HDF5 it uses the serial one, whose
# symbols have other versions than those of HDF5 for MPI: both can be in one program.
find_path(HALFSTEP_CGNS_INCLUDE cgnslib.h)
find_library(HALFSTEP_CGNS_LIBRARY cgns)
if(HALFSTEP_CGNS_INCLUDE AND HALFSTEP_CGNS_LIBRARY)
  set(HALFSTEP_HAS_CGNS ON)
  add_library(halfstep_cgns INTERFACE)
  target_include_directories(halfstep_cgns SYSTEM INTERFACE ${HALFSTEP_CGNS_INCLUDE})
  target_link_libraries(halfstep_cgns INTERFACE ${HALFSTEP_CGNS_LIBRARY})
elseif(HALFSTEP_CGNS STREQUAL "ON")
  message(FATAL_ERROR "HALFSTEP_CGNS=ON, but the CGNS library was not found: install it (Debian: libcgns-dev)")
endif()
