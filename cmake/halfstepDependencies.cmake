# What the libraries need of the project that uses them, installed or as a part of its tree. CUDA is the user's choice:
# with the toolkit they serve devices, without it host threads alone. CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit leaves it out.

# halfstep_needs(LIBRARY PROPERTY VALUE): appends VALUE, unless LIBRARY is not there.
macro(halfstep_needs library property value)
  if(TARGET halfstep::${library})
    get_target_property(halfstep_target halfstep::${library} ALIASED_TARGET)
    if(halfstep_target)  # a part of the tree: not to be exported with it
      set_property(TARGET ${halfstep_target} APPEND PROPERTY ${property} $<BUILD_INTERFACE:${value}>)
    else()
      set_property(TARGET halfstep::${library} APPEND PROPERTY ${property} ${value})
    endif()
  endif()
endmacro()

find_package(CUDAToolkit 12.4 QUIET)
if(CUDAToolkit_FOUND)
  # The runtime that .cu files are linked with, too: two of them in one program do not know of each other.
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
