# CMake 3.25 does not know that nvcc speaks C++20, and passes no option for it. In the cache, for all directories of a
# project: what a later CMake knows of nvcc goes before it.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20 CACHE INTERNAL "")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20 CACHE INTERNAL "")
endif()
