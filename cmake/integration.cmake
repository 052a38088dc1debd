# SPDX-License-Identifier: Apache-2.0
#
# The rules for other people's builds, put where the tool and find_package look for them, in the
# build tree as in the installed one; and the target `skeleton`, which makes the skeletons of all
# examples, each in a copy under build/examples/.
include(CMakePackageConfigHelpers)

function(mpiskel_place source folder)
  configure_file(${source} ${CMAKE_BINARY_DIR}/${folder} COPYONLY)
  get_filename_component(directory ${folder} DIRECTORY)
  install(FILES ${source} DESTINATION ${directory})
endfunction()

mpiskel_place(${CMAKE_SOURCE_DIR}/cmake/mpiskel.mk lib/mpiskel/mpiskel.mk)
foreach(file benchmark.c schedule.c schedule.h timing.c timing.h)
  mpiskel_place(${CMAKE_SOURCE_DIR}/runtime/benchmark/${file} lib/mpiskel/network/${file})
endforeach()
mpiskel_place(${CMAKE_SOURCE_DIR}/runtime/benchmark/device.c lib/mpiskel/devices/device.c)
foreach(file probe_machine.c probe_kernels.c probe_kernels.h probe_suite.json)
  mpiskel_place(${CMAKE_SOURCE_DIR}/runtime/probes/${file} lib/mpiskel/probes/${file})
endforeach()
mpiskel_place(${CMAKE_SOURCE_DIR}/cmake/mpiskelConfig.cmake lib/cmake/mpiskel/mpiskelConfig.cmake)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lib/cmake/mpiskel/mpiskelConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/lib/cmake/mpiskel/mpiskelConfigVersion.cmake
        DESTINATION lib/cmake/mpiskel)

add_custom_target(skeleton)
file(GLOB makefiles CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/*/Makefile)
foreach(makefile IN LISTS makefiles)
  get_filename_component(source ${makefile} DIRECTORY)
  get_filename_component(name ${source} NAME)
  set(copy ${CMAKE_BINARY_DIR}/examples/${name})
  add_custom_target(skeleton-${name}
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${source} ${copy}
    COMMAND ${CMAKE_COMMAND} -E env "PATH=${CMAKE_BINARY_DIR}/bin:$ENV{PATH}" make -C ${copy} skeleton
    COMMENT "Making the skeleton of examples/${name}" VERBATIM)
  add_dependencies(skeleton-${name} mpiskel bsim_skeleton bsim_original bsim_profile bsim_headers)
  add_dependencies(skeleton skeleton-${name})
endforeach()
