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
# How: compile commands come from CMake's compile_commands.json. What is linked is written down here
# in the form of `mpiskel capture`, one entry for the executable and one for each library of the
# project that is linked into it, found by walking link libraries once the directory is read.
#
# Limits: Makefile and Ninja generators. MPI itself comes from the MPI compiler that does the
# linking, not from libraries. A generator expression as a link library is passed on as what it
# evaluates to, so it has to give paths or options, not names of targets of the project; MPI's own
# target is left out of it.

get_filename_component(MPISKEL_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/../../../bin/mpiskel" ABSOLUTE)
if(NOT EXISTS "${MPISKEL_EXECUTABLE}")
  set(mpiskel_FOUND FALSE)
  set(mpiskel_NOT_FOUND_MESSAGE "${MPISKEL_EXECUTABLE} is missing; build or install mpiskel again")
  return()
endif()
# The database is written if one target asks for it; this asks for those still to come.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The compiler that links MPI programs.
function(mpiskel_linker out)
  if(MPI_C_COMPILER)
    set(${out} "${MPI_C_COMPILER}" PARENT_SCOPE)
  elseif(CMAKE_C_COMPILER MATCHES "mpi[^/]*$")
    set(${out} "${CMAKE_C_COMPILER}" PARENT_SCOPE)
  else()
    find_program(MPISKEL_MPICC NAMES mpicc mpicc.openmpi DOC "MPI's compiler, for profiling builds")
    if(NOT MPISKEL_MPICC)
      message(FATAL_ERROR "mpiskel: no mpicc found; install one, or call find_package(MPI) first")
    endif()
    set(${out} "${MPISKEL_MPICC}" PARENT_SCOPE)
  endif()
endfunction()

# "a", "b" of a list.
function(mpiskel_json_words out)
  set(words)
  foreach(word IN LISTS ARGN)
    if(word MATCHES "^\\$<")
      list(APPEND words "$<$<NOT:$<STREQUAL:${word},>>:,\n  \"${word}\">")
    else()
      string(REPLACE "\\" "\\\\" word "${word}")
      string(REPLACE "\"" "\\\"" word "${word}")
      list(APPEND words ",\n  \"${word}\"")
    endif()
  endforeach()
  list(JOIN words "" text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# One entry of link_commands.json: PROGRAM, the objects of OBJECT_TARGETS and of the target, and ARGN.
function(mpiskel_json_entry out target program object_targets)
  mpiskel_json_words(words ${ARGN})
  get_target_property(directory ${target} BINARY_DIR)
  set(objects "$<JOIN:$<TARGET_OBJECTS:${target}>,\",\n  \">")
  foreach(object_target IN LISTS object_targets)
    string(APPEND objects "\",\n  \"$<JOIN:$<TARGET_OBJECTS:${object_target}>,\",\n  \">")
  endforeach()
  set(${out} " {\n  \"directory\": \"${directory}\",\n  \"output\": \"$<TARGET_FILE:${target}>\",\n\
  \"arguments\": [\n  \"${program}\",\n  \"-o\",\n  \"$<TARGET_FILE:${target}>\",\n\
  \"${objects}\"${words}\n ]}" PARENT_SCOPE)
endfunction()

# Options from a property; those that come with SHELL: are several words.
function(mpiskel_append_options out target property)
  get_target_property(options ${target} ${property})
  set(words ${${out}})
  foreach(option IN LISTS options)
    if(option MATCHES "^SHELL:(.*)")
      separate_arguments(option UNIX_COMMAND "${CMAKE_MATCH_1}")
    elseif(option MATCHES "^LINKER:(.*)")
      set(option "-Wl,${CMAKE_MATCH_1}")
    endif()
    if(options)
      list(APPEND words ${option})
    endif()
  endforeach()
  set(${out} "${words}" PARENT_SCOPE)
endfunction()

# What one word of LINK_LIBRARIES means: sets item_target or item_words.
function(mpiskel_resolve item)
  set(item_target "")
  set(item_words "")
  while(item MATCHES "^\\$<(LINK_ONLY|BUILD_INTERFACE):(.*)>$")
    set(item "${CMAKE_MATCH_2}")
  endwhile()
  if(TARGET "${item}")
    get_target_property(aliased ${item} ALIASED_TARGET)
    if(aliased)
      set(item ${aliased})
    endif()
    set(item_target ${item})
  elseif(item MATCHES "^\\$<(INSTALL_INTERFACE|COMPILE_ONLY)" OR item MATCHES "^::@" OR
         item MATCHES "^(debug|optimized|general)$" OR
         item MATCHES "/lib(mpi|mpich|open-rte|open-pal)[.0-9a-z]*$" OR
         item MATCHES "^\\$<.*MPI::MPI_C[^A-Za-z_]*$")
    set(item_words "")
  elseif(item MATCHES "^[-/$]")
    set(item_words "${item}")
  else()
    set(item_words "-l${item}")
  endif()
  set(item_target "${item_target}" PARENT_SCOPE)
  set(item_words "${item_words}" PARENT_SCOPE)
endfunction()

# Walks the link libraries of a target: libraries of the project, then words for the linker.
function(mpiskel_walk target)
  get_property(seen GLOBAL PROPERTY MPISKEL_SEEN)
  if(target IN_LIST seen OR target MATCHES "^MPI::")
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY MPISKEL_SEEN ${target})
  get_target_property(type ${target} TYPE)
  get_target_property(imported ${target} IMPORTED)
  set(words)
  if(imported AND NOT type STREQUAL "INTERFACE_LIBRARY")
    list(APPEND words "$<TARGET_FILE:${target}>")
  elseif(type STREQUAL "OBJECT_LIBRARY")
    set_property(TARGET ${target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
    set_property(GLOBAL APPEND PROPERTY MPISKEL_OBJECTS ${target})
  elseif(type MATCHES "^(STATIC|SHARED)_LIBRARY$")
    set_property(TARGET ${target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
    set_property(GLOBAL APPEND PROPERTY MPISKEL_LIBRARIES ${target})
  endif()
  mpiskel_append_options(words ${target} INTERFACE_LINK_OPTIONS)
  set_property(GLOBAL APPEND PROPERTY MPISKEL_WORDS ${words})
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "^\\$<TARGET_OBJECTS:(.*)>$")
      mpiskel_walk(${CMAKE_MATCH_1})
    endif()
  endforeach()
  get_target_property(private ${target} LINK_LIBRARIES)
  get_target_property(public ${target} INTERFACE_LINK_LIBRARIES)
  foreach(item IN LISTS private public)
    if(NOT item MATCHES "-NOTFOUND$")
      mpiskel_resolve("${item}")
      set_property(GLOBAL APPEND PROPERTY MPISKEL_WORDS ${item_words})
      if(item_target)
        mpiskel_walk(${item_target})
      endif()
    endif()
  endforeach()
endfunction()

# Writes link_commands.json of a target; runs when the directory of the target is read.
function(mpiskel_write_links target directory)
  foreach(property SEEN OBJECTS LIBRARIES WORDS)
    set_property(GLOBAL PROPERTY MPISKEL_${property} "")
  endforeach()
  set_property(TARGET ${target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
  separate_arguments(words UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}")
  mpiskel_append_options(words ${target} LINK_OPTIONS)
  get_target_property(link_directories ${target} LINK_DIRECTORIES)
  foreach(link_directory IN LISTS link_directories)
    if(link_directories)
      list(APPEND words "-L${link_directory}")
    endif()
  endforeach()
  mpiskel_walk(${target})
  get_property(libraries GLOBAL PROPERTY MPISKEL_LIBRARIES)
  get_property(objects GLOBAL PROPERTY MPISKEL_OBJECTS)
  get_property(more GLOBAL PROPERTY MPISKEL_WORDS)
  foreach(library IN LISTS libraries)
    list(APPEND words "$<TARGET_FILE:${library}>")
  endforeach()
  mpiskel_linker(linker)
  mpiskel_json_entry(entries ${target} "${linker}" "${objects}" ${words} ${more})
  foreach(library IN LISTS libraries)
    mpiskel_json_entry(entry ${library} "${CMAKE_AR}" "")
    string(APPEND entries ",\n${entry}")
  endforeach()
  file(GENERATE OUTPUT "${directory}/link_commands.json" CONTENT "[\n${entries}\n]\n")
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
  set(directory "${CMAKE_BINARY_DIR}/.mpiskel/${target}")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    string(APPEND directory "/$<CONFIG>")
  endif()
  cmake_language(EVAL CODE "cmake_language(DEFER CALL mpiskel_write_links [[${target}]] [[${directory}]])")
  add_custom_target(skeleton-${target}
    COMMAND ${CMAKE_COMMAND} -E copy "${CMAKE_BINARY_DIR}/compile_commands.json"
            "${directory}/compile_commands.json"
    COMMAND "${MPISKEL_EXECUTABLE}" generate -p "${directory}" --link "$<TARGET_FILE:${target}>"
            -o "${output}" ${skeleton_OPTIONS}
    COMMENT "Making the skeleton of ${target}" VERBATIM)
  add_dependencies(skeleton-${target} ${target}) # headers that the build writes
  if(NOT TARGET skeleton)
    add_custom_target(skeleton)
  endif()
  add_dependencies(skeleton skeleton-${target})
endfunction()
