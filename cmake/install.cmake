# The header-only libraries, installed: find_package(halfstep) gives halfstep::soft_error, halfstep::caserror,
# halfstep::interruptible and halfstep::intkernel. The headers of a folder of runtime/ are a component, so that
# `cmake --install BUILD --component soft_error` takes them alone.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/halfstep)

# halfstep_component(FOLDER FACADE): the headers in runtime/FOLDER as halfstep::FOLDER, for
# #include <halfstep/FOLDER/FOLDER.hpp>, and its facade/ as halfstep::FACADE, for programs written against the header
# that the facade stands in for.
function(halfstep_component folder facade)
  add_library(halfstep_${folder} INTERFACE)
  target_include_directories(halfstep_${folder} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(halfstep_${facade} INTERFACE)
  target_include_directories(halfstep_${facade} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/${folder}/facade>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/halfstep/${folder}/facade>)
  foreach(target IN ITEMS ${folder} ${facade})
    add_library(halfstep::${target} ALIAS halfstep_${target})
    set_target_properties(halfstep_${target} PROPERTIES EXPORT_NAME ${target})
    target_compile_features(halfstep_${target} INTERFACE cxx_std_20)
  endforeach()
  install(TARGETS halfstep_${folder} halfstep_${facade} EXPORT halfstep_${folder})
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

halfstep_component(soft_error caserror)     # facade: CASerror.h
halfstep_component(interruptible intkernel) # facade: IntKernel.h
