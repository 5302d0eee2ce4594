# CMake 3.25 does not know that nvcc supports C++20, and passes no option for it. The option is a cache variable, so
# it applies to all directories of a project, and what a later CMake defines itself takes precedence.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20 CACHE INTERNAL "")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20 CACHE INTERNAL "")
endif()
