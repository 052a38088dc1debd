# SPDX-License-Identifier: Apache-2.0
#
# cmake -DSIMGRID_LIBRARY=FILE -DDIRECTORY=DIR -DCC=COMPILER -DFLAGS=OPTIONS -DNM=NM -P without_ns3.cmake:
# stand-ins for the libraries of ns-3 in DIR.
#
# A SimGrid that can use ns-3 for packets, as Debian's, loads it whether it is used or not, which takes
# longer than all the rest of a small simulation. Simulations here never use it, so that they find
# libraries of the same names that have what SimGrid's start needs: constructors that do nothing, and
# tables. Anything else that is called in them ends the simulation. DIR/simgrid has size and time of
# the SimGrid that they were made for; others load ns-3. Nothing is made, and the build goes on, where
# SimGrid needs no ns-3, where something of this fails, or where SimGrid does not start so.
cmake_minimum_required(VERSION 3.20)

file(REAL_PATH "${SIMGRID_LIBRARY}" library)
file(SIZE "${library}" size)
file(TIMESTAMP "${library}" time "%s" UTC)
file(SHA256 "${CMAKE_CURRENT_LIST_FILE}" script)
set(state "${size} ${time} ${library} ${script} ${CC} ${FLAGS}\n")
if(EXISTS "${DIRECTORY}.made")
  file(READ "${DIRECTORY}.made" made)
  if(made STREQUAL state)
    return()
  endif()
endif()
set(work "${DIRECTORY}.work")
file(REMOVE_RECURSE "${DIRECTORY}" "${work}")
separate_arguments(CC)
separate_arguments(FLAGS)
list(FILTER FLAGS EXCLUDE REGEX "sanitize|coverage|-pg") # whose libraries SimGrid does not have
set(failure "")

# Sets `out` to what the command prints, and `failure` if it is the first that fails.
macro(run out)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${ARGN}
                  OUTPUT_VARIABLE ${out} ERROR_VARIABLE error RESULT_VARIABLE result)
  if(NOT result EQUAL 0 AND failure STREQUAL "")
    set(words ${ARGN})
    list(JOIN words " " words)
    set(failure "${words}: ${error}")
  endif()
endmacro()

# The libraries' names, and the functions among what SimGrid takes from them.
function(find_symbols names_out functions_out data_out)
  run(needed ldd "${library}")
  string(REGEX MATCHALL "libns3[^ \n]* => [^ \n]+" found "${needed}")
  foreach(pair ${found})
    string(REPLACE " => " ";" pair "${pair}")
    list(GET pair 0 name)
    list(GET pair 1 path)
    run(defined ${NM} -D --defined-only -f posix "${path}")
    string(REGEX MATCHALL "(^|\n)_Z[A-Za-z0-9_]* [TWtw] " defined "${defined}")
    list(APPEND names ${name})
    list(APPEND functions ${defined})
  endforeach()
  string(REGEX REPLACE "[\n ][TWtw]? ?" "" functions "${functions}")
  list(REMOVE_DUPLICATES functions)
  run(undefined ${NM} -D --undefined-only -f posix "${library}")
  string(REGEX MATCHALL "_Z[A-Za-z0-9_]*ns3[A-Za-z0-9_]*" symbols "${undefined}")
  list(REMOVE_DUPLICATES symbols)
  foreach(symbol ${symbols})
    if(symbol IN_LIST functions)
      list(APPEND called ${symbol})
    else()
      list(APPEND data ${symbol})
    endif()
  endforeach()
  set(${names_out} "${names}" PARENT_SCOPE)
  set(${functions_out} "${called}" PARENT_SCOPE)
  set(${data_out} "${data}" PARENT_SCOPE)
  set(failure "${failure}" PARENT_SCOPE)
endfunction()

function(write_sources functions data)
  set(code "#include <stdio.h>\n#include <stdlib.h>\n"
      "static void refuse(const char *name) {\n"
      "    fprintf(stderr, \"SimGrid calls %s of ns-3, without which mpiskel simulates\\n\", name)\;\n"
      "    abort()\;\n}\n")
  foreach(symbol ${data})
    list(APPEND code "char ${symbol}[4096] __attribute__((aligned(64)))\;\n")
  endforeach()
  foreach(symbol ${functions})
    if(symbol MATCHES "(C[12]Ev|D[12]Ev|StaticInitEv)$")
      list(APPEND code "void ${symbol}(void) {}\n")
    else()
      list(APPEND code "void ${symbol}(void) { refuse(\"${symbol}\")\; }\n")
    endif()
  endforeach()
  string(CONCAT code ${code})
  file(WRITE "${work}/symbols.c" "${code}")
  file(WRITE "${work}/nothing.c" "")
  file(WRITE "${work}/start.c" "int main(void) { return 0; }\n")
endfunction()

# All symbols in the first one; then a program that SimGrid starts in.
function(build_and_try names)
  set(source "${work}/symbols.c")
  foreach(name ${names})
    run(ignored ${CC} ${FLAGS} -shared -fPIC -w -o "${work}/${name}" "${source}" -Wl,-soname,${name})
    set(source "${work}/nothing.c")
  endforeach()
  run(ignored ${CC} ${FLAGS} -o "${work}/start" "${work}/start.c" -Wl,--no-as-needed "${library}")
  run(ignored LD_BIND_NOW=1 "LD_LIBRARY_PATH=${work}" "${work}/start")
  set(failure "${failure}" PARENT_SCOPE)
endfunction()

find_symbols(names functions data)
if(names AND failure STREQUAL "")
  write_sources("${functions}" "${data}")
  build_and_try("${names}")
endif()
if(NOT failure STREQUAL "")
  message(STATUS "Simulations will load ns-3, since no stand-ins could be made: ${failure}")
elseif(names)
  file(MAKE_DIRECTORY "${DIRECTORY}")
  foreach(name ${names})
    file(RENAME "${work}/${name}" "${DIRECTORY}/${name}")
  endforeach()
  file(WRITE "${DIRECTORY}/simgrid" "${size} ${time}\n")
endif()
file(REMOVE_RECURSE "${work}")
file(WRITE "${DIRECTORY}.made" "${state}")
