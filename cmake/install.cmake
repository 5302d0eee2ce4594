# The header-only libraries, installed: find_package(halfstep) gives halfstep::soft_error, halfstep::caserror,
# halfstep::interruptible and halfstep::intkernel. The headers of a folder of runtime/ are a component, so that
# `cmake --install BUILD --component soft_error` takes them alone.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/halfstep)

# halfstep_component(FOLDER TARGETS...): the headers in runtime/FOLDER, and the targets that stand for them.
function(halfstep_component folder)
  foreach(target IN LISTS ARGN)
    add_library(halfstep::${target} ALIAS halfstep_${target})
    set_target_properties(halfstep_${target} PROPERTIES EXPORT_NAME ${target})
  endforeach()
  list(TRANSFORM ARGN PREPEND halfstep_ OUTPUT_VARIABLE targets)
  install(TARGETS ${targets} EXPORT halfstep_${folder})
  install(EXPORT halfstep_${folder} NAMESPACE halfstep:: FILE ${folder}.cmake DESTINATION ${package_dir}
          COMPONENT ${folder})
  # With the headers that all folders include, and the package's own files.
  install(DIRECTORY runtime/${folder} runtime/device DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halfstep
          COMPONENT ${folder} FILES_MATCHING PATTERN *.hpp PATTERN *.h PATTERN examples EXCLUDE)
  install(FILES cmake/halfstepConfig.cmake ${PROJECT_BINARY_DIR}/halfstepConfigVersion.cmake LICENSE
          DESTINATION ${package_dir} COMPONENT ${folder})
endfunction()

write_basic_package_version_file(${PROJECT_BINARY_DIR}/halfstepConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)

# #include <halfstep/soft_error/soft_error.hpp>
add_library(halfstep_soft_error INTERFACE)
target_include_directories(halfstep_soft_error INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(halfstep_soft_error INTERFACE cxx_std_20)

# #include "CASerror.h": for programs written against NVIDIA's
add_library(halfstep_caserror INTERFACE)
target_include_directories(halfstep_caserror INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/soft_error/facade>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/halfstep/soft_error/facade>)

halfstep_component(soft_error soft_error caserror)

# #include <halfstep/interruptible/interruptible.hpp>
add_library(halfstep_interruptible INTERFACE)
target_include_directories(halfstep_interruptible INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(halfstep_interruptible INTERFACE cxx_std_20)

# #include "IntKernel.h": for programs written against the interface of 2012
add_library(halfstep_intkernel INTERFACE)
target_include_directories(halfstep_intkernel INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/interruptible/facade>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/halfstep/interruptible/facade>)
target_compile_features(halfstep_intkernel INTERFACE cxx_std_20)

halfstep_component(interruptible interruptible intkernel)
