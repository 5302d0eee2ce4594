# Embeds sources in the program, so that it can pass them to python3 or nvcc wherever it is installed: the plotting
# scripts and the Python package whose readers they use, every header that a stage kernel or a user's kernel needs, the
# decks with their STL files, test sizes and golden numbers, and the references of the checks. app/base/embedded.hpp gives access
# to them.
file(GLOB_RECURSE embedded_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  app/plot/*.py app/study/*.cuh app/study/include/*.hpp app/verify/*.txt inputs/*.stl inputs/*.yaml physics/*.hpp
  physics/*.cuh physics/*.inc python/halfstep/*.py runtime/device/*.hpp runtime/exchange/*.hpp runtime/interruptible/*.hpp runtime/interruptible/*.h
  runtime/soft_error/*.hpp runtime/soft_error/*.h runtime/stepping/*.hpp tests/reference/*.csv tests/regression/*.txt)
list(FILTER embedded_files EXCLUDE REGEX "/examples/")
list(TRANSFORM embedded_files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE embedded_sources)
list(JOIN embedded_files "|" embedded_paths)  # a list would be split on its way to the script
set(embedded_cpp ${PROJECT_BINARY_DIR}/generated/embedded.cpp)
add_custom_command(OUTPUT ${embedded_cpp}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DPATHS=${embedded_paths} -DOUTPUT=${embedded_cpp}
          -P ${PROJECT_SOURCE_DIR}/cmake/write_embedded.cmake
  DEPENDS ${embedded_sources} ${PROJECT_SOURCE_DIR}/cmake/write_embedded.cmake
  COMMENT "Embedding sources" VERBATIM)
target_sources(halfstep_app PRIVATE app/base/embedded.cpp ${embedded_cpp})
