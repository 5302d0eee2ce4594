# find_package(halfstep): the libraries that have been installed. CUDA is the user's choice: with the toolkit there are
# channels of devices, without it those of host threads. CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit leaves it out.
file(GLOB halfstep_libraries ${CMAKE_CURRENT_LIST_DIR}/*.cmake)
list(FILTER halfstep_libraries EXCLUDE REGEX "/halfstepConfig[^/]*$")
foreach(halfstep_library IN LISTS halfstep_libraries)
  include(${halfstep_library})
endforeach()

find_package(CUDAToolkit 12.4 QUIET)
if(CUDAToolkit_FOUND AND TARGET halfstep::soft_error)
  # The runtime that .cu files are linked with, too: two of them in one program do not know of each other.
  if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared" OR NOT TARGET CUDA::cudart_static)
    set(halfstep_cudart CUDA::cudart)
  else()
    set(halfstep_cudart CUDA::cudart_static)
  endif()
  foreach(halfstep_library halfstep::soft_error halfstep::caserror)
    set_property(TARGET ${halfstep_library} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${halfstep_cudart})
  endforeach()
  set_property(TARGET halfstep::soft_error APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS HALFSTEP_SOFT_ERROR_CUDA)
endif()
