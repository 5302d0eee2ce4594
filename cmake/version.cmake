# Writes the version header, but leaves it alone if nothing changed, so that nothing is rebuilt.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10
                OUTPUT_VARIABLE git OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR git STREQUAL "")
  set(git "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#pragma once
#define HALFSTEP_VERSION \"@VERSION@\"
#define HALFSTEP_GIT \"@git@\"
" @ONLY)
