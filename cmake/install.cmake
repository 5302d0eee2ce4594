# Defines and installs the header-only libraries halfstep::soft_error, halfstep::caserror, halfstep::interruptible and
# halfstep::intkernel, for find_package(halfstep) and for projects that contain this one. A folder of runtime/ is a
# component of the installation: `cmake --install BUILD --component soft_error` installs it alone.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/halfstep)
# The headers of runtime/device that the libraries include.
set(shared_headers atomic.hpp cuda_check.hpp host_device.hpp memory.hpp)
list(TRANSFORM shared_headers PREPEND runtime/device/)
# A link through which <halfstep/soft_error/soft_error.hpp> is found before it is installed.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/runtime ${PROJECT_BINARY_DIR}/include/halfstep SYMBOLIC)

# halfstep_component(FOLDER FACADE STANDARD): defines the headers in runtime/FOLDER as halfstep::FOLDER, for #include
# <halfstep/FOLDER/FOLDER.hpp>, and its facade/ as halfstep::FACADE, for programs written against the header that the
# facade replaces, in C++ of STANDARD or later.
function(halfstep_component folder facade standard)
  add_library(halfstep_${folder} INTERFACE)
  target_include_directories(halfstep_${folder} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(halfstep_${facade} INTERFACE)
  target_include_directories(halfstep_${facade} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/${folder}/facade>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/halfstep/${folder}/facade>)
  foreach(target IN ITEMS ${folder} ${facade})
    add_library(halfstep::${target} ALIAS halfstep_${target})
    set_target_properties(halfstep_${target} PROPERTIES EXPORT_NAME ${target})
  endforeach()
  target_compile_features(halfstep_${folder} INTERFACE cxx_std_20)  # CUDA files follow
  target_compile_features(halfstep_${facade} INTERFACE cxx_std_${standard})
  install(TARGETS halfstep_${folder} halfstep_${facade} EXPORT halfstep_${folder})
  install(EXPORT halfstep_${folder} NAMESPACE halfstep:: FILE ${folder}.cmake DESTINATION ${package_dir}
          COMPONENT ${folder})
  install(DIRECTORY runtime/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halfstep
          COMPONENT ${folder} FILES_MATCHING PATTERN *.hpp PATTERN *.h PATTERN examples EXCLUDE)
  install(FILES ${shared_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halfstep/device COMPONENT ${folder})
  install(DIRECTORY runtime/${folder}/examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/halfstep/examples/${folder}
          COMPONENT ${folder})
  install(FILES runtime/${folder}/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/halfstep/${folder}
          COMPONENT ${folder})
  install(FILES cmake/halfstepConfig.cmake cmake/halfstepDependencies.cmake cmake/halfstepNvcc.cmake
          ${PROJECT_BINARY_DIR}/halfstepConfigVersion.cmake LICENSE
          DESTINATION ${package_dir} COMPONENT ${folder})
endfunction()

write_basic_package_version_file(${PROJECT_BINARY_DIR}/halfstepConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)

halfstep_component(soft_error caserror 17)     # facade: CASerror.h
halfstep_component(interruptible intkernel 20) # facade: IntKernel.h

if(NOT PROJECT_IS_TOP_LEVEL)
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # for the targets of the enclosing project
  include(cmake/halfstepDependencies.cmake)
  include(cmake/halfstepNvcc.cmake)
endif()
