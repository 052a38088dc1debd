# SPDX-License-Identifier: Apache-2.0
#
# cmake -DSIMGRID_LIBRARY=FILE -DDIRECTORY=DIR -DCC=COMPILER -DNM=NM -DREADELF=READELF -P without_ns3.cmake:
# stand-ins for the libraries of ns-3 in DIR.
#
# A SimGrid that can use ns-3 for packets, as Debian's, loads it whether it is used or not, which takes
# longer than all the rest of a small simulation. Simulations here never use it, so that they find
# libraries of the same names that have what SimGrid's start needs: constructors that do nothing, and
# tables. Anything else that is called in them ends the simulation. DIR/simgrid has size and time of
# the SimGrid that they were made for; others load ns-3. Nothing is made where SimGrid needs no ns-3
# or does not start with the stand-ins.
cmake_minimum_required(VERSION 3.20)

function(run out)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${DIRECTORY})
file(REAL_PATH ${SIMGRID_LIBRARY} library)
get_filename_component(library_directory ${library} DIRECTORY)
run(needed ${CMAKE_COMMAND} -E env LC_ALL=C ${READELF} -d ${library})
string(REGEX MATCHALL "\\[libns3[^]]*\\]" names "${needed}")
if(NOT names)
  return()
endif()
string(REGEX REPLACE "[][]" "" names "${names}")

foreach(name ${names})
  run(defined ${NM} -D --defined-only -f posix ${library_directory}/${name})
  string(APPEND all_defined "${defined}")
endforeach()
run(undefined ${NM} -D --undefined-only -f posix ${library})
string(REGEX MATCHALL "_Z[A-Za-z0-9_]*ns3[A-Za-z0-9_]*" symbols "${undefined}")
list(REMOVE_DUPLICATES symbols)

set(code "#include <stdio.h>\n#include <stdlib.h>\n"
    "static void refuse(const char *name) {\n"
    "    fprintf(stderr, \"SimGrid calls %s of ns-3, without which mpiskel simulates\\n\", name)\;\n"
    "    abort()\;\n}\n")
foreach(symbol ${symbols})
  if(NOT all_defined MATCHES "(^|\n)${symbol}[^ \n]* [TWtw] ")
    list(APPEND code "char ${symbol}[4096] __attribute__((aligned(64)))\;\n")
  elseif(symbol MATCHES "(C[12]Ev|D[12]Ev|StaticInitEv)$")
    list(APPEND code "void ${symbol}(void) {}\n")
  else()
    list(APPEND code "void ${symbol}(void) { refuse(\"${symbol}\")\; }\n")
  endif()
endforeach()
string(CONCAT code ${code})

set(work ${DIRECTORY}.work)
file(REMOVE_RECURSE ${work})
file(WRITE ${work}/symbols.c "${code}")
file(WRITE ${work}/nothing.c "")
set(source ${work}/symbols.c)
foreach(name ${names})
  run(ignored ${CC} -shared -fPIC -w -o ${work}/${name} ${source} -Wl,-soname,${name})
  set(source ${work}/nothing.c)
endforeach()

file(WRITE ${work}/start.c "int main(void) { return 0; }\n")
run(ignored ${CC} -o ${work}/start ${work}/start.c -Wl,--no-as-needed ${SIMGRID_LIBRARY})
execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_BIND_NOW=1 LD_LIBRARY_PATH=${work} ${work}/start
                RESULT_VARIABLE result ERROR_VARIABLE error)
if(result EQUAL 0)
  file(SIZE ${library} size)
  file(TIMESTAMP ${library} time "%s" UTC)
  file(MAKE_DIRECTORY ${DIRECTORY})
  foreach(name ${names})
    file(RENAME ${work}/${name} ${DIRECTORY}/${name})
  endforeach()
  file(WRITE ${DIRECTORY}/simgrid "${size} ${time}\n")
else()
  message(STATUS "SimGrid does not start without ns-3, and will load it: ${error}")
endif()
file(REMOVE_RECURSE ${work})
