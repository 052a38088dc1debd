# SPDX-License-Identifier: Apache-2.0
#
# Rules of mpiskel for other people's CMake builds:
#
#     find_package(mpiskel)
#     if(mpiskel_FOUND)
#       mpiskel_add_skeleton(heat3d)
#     endif()
#
#   mpiskel_add_skeleton(TARGET [OUTPUT DIRECTORY] [OPTIONS OPTION...])
#
# adds `skeleton-TARGET`, which makes the bundle (default: TARGET.skel in the current binary
# directory) with OPTIONS handed to `mpiskel generate`; `skeleton` makes all of them. Neither is
# part of `all`.
#
# How: compile commands come from CMake's compile_commands.json, which is asked for for all targets of
# the project; `mpiskel generate` reads beside it what CMake wrote for make or ninja about linking.
#
# Limits: Makefile and Ninja generators.

get_filename_component(MPISKEL_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/../../../bin/mpiskel" ABSOLUTE)
if(NOT EXISTS "${MPISKEL_EXECUTABLE}")
  set(mpiskel_FOUND FALSE)
  set(mpiskel_NOT_FOUND_MESSAGE "${MPISKEL_EXECUTABLE} is missing; build or install mpiskel again")
  return()
endif()
# The database is written if one target asks for it; this asks for those still to come.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Asks for the compile commands of all targets in a directory and those below.
function(mpiskel_export_commands directory)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      set_property(TARGET ${target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
    endif()
  endforeach()
  get_property(directories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS directories)
    mpiskel_export_commands("${inner}")
  endforeach()
endfunction()

function(mpiskel_add_skeleton target)
  cmake_parse_arguments(PARSE_ARGV 1 skeleton "" "OUTPUT" "OPTIONS")
  if(skeleton_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mpiskel_add_skeleton: unknown argument ${skeleton_UNPARSED_ARGUMENTS}")
  elseif(NOT TARGET ${target})
    message(FATAL_ERROR "mpiskel_add_skeleton: there is no target ${target}")
  elseif(NOT CMAKE_GENERATOR MATCHES "Makefiles|Ninja")
    message(FATAL_ERROR "mpiskel_add_skeleton: ${CMAKE_GENERATOR} writes no compile commands; use "
                        "a Makefile or Ninja generator")
  endif()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}.skel")
  if(skeleton_OUTPUT)
    get_filename_component(output "${skeleton_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  get_property(is_exported GLOBAL PROPERTY MPISKEL_EXPORTS)
  if(NOT is_exported) # when all directories have been read
    set_property(GLOBAL PROPERTY MPISKEL_EXPORTS ON)
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]]
                              CALL mpiskel_export_commands [[${CMAKE_SOURCE_DIR}]])")
  endif()
  add_custom_target(skeleton-${target}
    COMMAND "${MPISKEL_EXECUTABLE}" generate -p "${CMAKE_BINARY_DIR}"
            --link "$<TARGET_FILE:${target}>" -o "${output}" ${skeleton_OPTIONS}
    COMMENT "Making the skeleton of ${target}" VERBATIM)
  add_dependencies(skeleton-${target} ${target}) # headers that the build writes
  if(NOT TARGET skeleton)
    add_custom_target(skeleton)
  endif()
  add_dependencies(skeleton skeleton-${target})
endfunction()
