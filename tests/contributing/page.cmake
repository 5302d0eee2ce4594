# What CONTRIBUTING.md shows, as files: changed page, changed files, rebuilt tests.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md ${PROJECT_SOURCE_DIR}/physics/flux/riemann/table.hpp
  ${PROJECT_SOURCE_DIR}/app/deck/config.hpp ${PROJECT_SOURCE_DIR}/app/deck/table.cpp)
file(READ ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md page)
set(page_files ${PROJECT_BINARY_DIR}/generated/contributing)

# page_snippet(START RESULT): what follows START, a regular expression, up to the end of its block.
function(page_snippet start result)
  string(REGEX MATCH "(${start})[^`]*" snippet "${page}")
  if(snippet STREQUAL "")
    message(FATAL_ERROR "CONTRIBUTING.md has no block that starts with '${start}'")
  endif()
  set(${result} "${snippet}" PARENT_SCOPE)
endfunction()

page_snippet("// physics/cases/density_hump.cpp\n" case_source)
page_snippet("// physics/flux/riemann/van_leer.hpp\n" riemann_source)
page_snippet("# yaml-language-server[^\n]*\n# inputs/density_hump.yaml" deck)
page_snippet("#include \"physics/flux/riemann/van_leer.hpp\"\n" table_include)
page_snippet("  SOLVER\\(van_leer" table_line)
page_snippet("  int history_digits" deck_member)
page_snippet("      row\\(\"output.history_digits\"" deck_row)
string(REGEX MATCH "[^\n]*" table_include "${table_include}")
string(REGEX MATCH "[^\n]*" table_line "${table_line}")

# The table as the page would have it.
file(READ ${PROJECT_SOURCE_DIR}/physics/flux/riemann/table.hpp table)
string(REPLACE "#pragma once\n" "#pragma once\n${table_include}\n" table "${table}")
string(REGEX REPLACE "(#define HALFSTEP_RIEMANN_SOLVERS[^\n]*\n)" "\\1@table_line@\n" table "${table}")
string(CONFIGURE "${table}" table @ONLY)

file(CONFIGURE OUTPUT ${page_files}/physics/cases/density_hump.cpp CONTENT "@case_source@" @ONLY)
file(CONFIGURE OUTPUT ${page_files}/physics/flux/riemann/van_leer.hpp CONTENT "@riemann_source@" @ONLY)
file(CONFIGURE OUTPUT ${page_files}/physics/flux/riemann/table.hpp CONTENT "@table@" @ONLY)
file(CONFIGURE OUTPUT ${page_files}/inputs/density_hump.yaml CONTENT "@deck@" @ONLY)

# The deck's configuration and table with the page's key, before these lines.
function(page_insert file before what)
  file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  string(REPLACE "${before}" "${what}${before}" changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "${file} has no '${before}' to put what CONTRIBUTING.md shows before")
  endif()
  file(CONFIGURE OUTPUT ${page_files}/with_key/${file} CONTENT "@changed@" @ONLY)
endfunction()
page_insert(app/deck/config.hpp "  std::int64_t history_every_steps" "${deck_member}")
page_insert(app/deck/table.cpp "      row(\"output.enstrophy\"" "${deck_row}")
