# SPDX-License-Identifier: Apache-2.0
#
# cmake -DSOURCE=DIRECTORY -DOUTPUT=FILE -P source_version.cmake
#
# The commit and the date of the sources, as macros: of git where DIRECTORY is a clone, otherwise of
# source_version.txt, into which `git archive` writes them. Nothing else goes in, so that the same sources
# give the same program.
set(commit "")
set(date "")
if(EXISTS ${SOURCE}/.git)
  find_program(GIT git)
  if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} log -1 --format=%H|%cs OUTPUT_VARIABLE described
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GIT} -C ${SOURCE} --no-optional-locks diff --quiet HEAD
                    RESULT_VARIABLE is_changed ERROR_QUIET)
  endif()
else()
  file(STRINGS ${SOURCE}/cmake/source_version.txt described REGEX "^[0-9a-f]+\\|")
  set(is_changed 0)
endif()
if(described MATCHES "^([0-9a-f]+)\\|([0-9-]+)$")
  set(date ${CMAKE_MATCH_2})
  string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
endif()
if(commit AND is_changed)
  string(APPEND commit " with changes")
endif()
set(text "#define MPISKEL_COMMIT \"${commit}\"\n#define MPISKEL_DATE \"${date}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
