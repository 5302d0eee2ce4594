# Finds what the libraries need in the project that uses them, installed or as a subproject. CUDA is optional: with
# the toolkit the libraries support devices, without it only host threads. CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit
# disables it.

# halfstep_needs(LIBRARY PROPERTY VALUE): appends VALUE to PROPERTY of halfstep::LIBRARY, if that exists.
macro(halfstep_needs library property value)
  if(TARGET halfstep::${library})
    get_target_property(halfstep_target halfstep::${library} ALIASED_TARGET)
    if(halfstep_target)  # built in this tree: must not be exported
      set_property(TARGET ${halfstep_target} APPEND PROPERTY ${property} $<BUILD_INTERFACE:${value}>)
    else()
      set_property(TARGET halfstep::${library} APPEND PROPERTY ${property} ${value})
    endif()
  endif()
endmacro()

find_package(CUDAToolkit 12.4 QUIET)
if(CUDAToolkit_FOUND)
  # Links the same CUDA runtime as .cu files: two of them in one program would have separate state.
  if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared" OR NOT TARGET CUDA::cudart_static)
    set(halfstep_cudart CUDA::cudart)
  else()
    set(halfstep_cudart CUDA::cudart_static)
  endif()
  foreach(halfstep_library soft_error caserror interruptible intkernel)
    halfstep_needs(${halfstep_library} INTERFACE_LINK_LIBRARIES ${halfstep_cudart})
  endforeach()
  halfstep_needs(soft_error INTERFACE_COMPILE_DEFINITIONS HALFSTEP_SOFT_ERROR_CUDA)
endif()

if(TARGET halfstep::interruptible)
  find_package(Threads REQUIRED)
  halfstep_needs(interruptible INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
