# SPDX-License-Identifier: Apache-2.0
#
# Run by cpack on what is installed, before the package is made of it: what Debian wants in a form of its own.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(documents ${root}/share/doc/mpiskel)

# The recorder for MPICH would make the package depend on MPICH; `record --mpicc` compiles it.
file(REMOVE ${root}/lib/mpiskel/libbsim_record_mpich.so)

# All times are those of the sources, so that the same sources give the same package.
file(STRINGS ${CPACK_MPISKEL_SOURCE_VERSION} date REGEX "MPISKEL_DATE")
string(REGEX REPLACE ".*\"(.*)\"" "\\1" date "${date}")
execute_process(COMMAND date -u -d "${date}" +%s OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND date -u -d "${date}" -R OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
set(ENV{SOURCE_DATE_EPOCH} ${seconds})

file(WRITE ${documents}/changelog "mpiskel (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n\
  * What changes for users is in CHANGELOG.md.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9n ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(GLOB libraries ${root}/lib/mpiskel/*.so ${root}/lib/mpiskel/*/*.so.* ${root}/lib/mpiskel/*.a)
foreach(library ${libraries})
  execute_process(COMMAND strip --strip-unneeded --remove-section=.comment --remove-section=.note ${library})
endforeach()
execute_process(COMMAND chmod -R u+rwX,go+rX,go-w ${root} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND chmod a-x ${libraries} COMMAND_ERROR_IS_FATAL ANY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/overrides ${root}/share/lintian/overrides/mpiskel COPYONLY)

# cpack would look at each page and example for what it is linked with, and call ldconfig for libraries that only
# mpiskel opens.
file(GLOB linked ${root}/bin/mpiskel ${root}/lib/mpiskel/mpiskel-generate ${root}/lib/mpiskel/mpiskel-build ${root}/lib/mpiskel/engine/smpimain
     ${root}/lib/mpiskel/*.so)
set(scratch ${CPACK_TEMPORARY_DIRECTORY}/../shlibdeps)
file(WRITE ${scratch}/debian/control "Source: mpiskel\nPackage: mpiskel\n")
execute_process(COMMAND dpkg-shlibdeps -O ${linked} WORKING_DIRECTORY ${scratch} OUTPUT_VARIABLE found ERROR_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "^shlibs:Depends=(.*)\n$" "\\1" found "${found}")
string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", ${found}")
