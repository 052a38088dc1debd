# SPDX-License-Identifier: Apache-2.0
#
# Documents, man pages, completion and pkg-config's file as they are installed, and what `cpack` puts into a Debian package.
# In the build tree, share/doc/mpiskel leads to the same documents, so that messages find them there too.
set(documents ${CMAKE_BINARY_DIR}/share/doc/mpiskel)
file(MAKE_DIRECTORY ${documents})
foreach(folder docs examples)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${documents}/${folder} SYMBOLIC)
  install(DIRECTORY ${folder} DESTINATION share/doc/mpiskel
          PATTERN ".gitignore" EXCLUDE PATTERN "*.skel" EXCLUDE
          PATTERN "*.o" EXCLUDE PATTERN "*_commands.json" EXCLUDE)
endforeach()
install(PROGRAMS demo DESTINATION share/doc/mpiskel/examples)
install(FILES README.md SECURITY.md CHANGELOG.md CITATION.cff DESTINATION share/doc/mpiskel)
install(FILES packaging/debian/copyright DESTINATION share/doc/mpiskel)

# Manual pages and completion are what --help says, so they are made when they are installed: the tool runs for it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
install(CODE "
  set(share \"${CMAKE_BINARY_DIR}/installed-pages\")
  file(REMOVE_RECURSE \"\${share}\")
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/scripts/installed-pages
                          ${CMAKE_BINARY_DIR}/bin/mpiskel \"\${share}\" COMMAND_ERROR_IS_FATAL ANY)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\") # Debian's place for packages
    file(RENAME \"\${share}/zsh/site-functions\" \"\${share}/zsh/vendor-completions\")
  endif()
  file(INSTALL \"\${share}/\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/share\")")

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "predicts run times of MPI programs from skeletons of them")
configure_file(packaging/mpiskel.pc.in ${CMAKE_BINARY_DIR}/share/pkgconfig/mpiskel.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/share/pkgconfig/mpiskel.pc DESTINATION share/pkgconfig)

set(CPACK_PACKAGE_NAME mpiskel)
set(CPACK_PACKAGE_VENDOR "mpiskel developers")
set(CPACK_PACKAGE_CONTACT "mpiskel developers <developers@mpiskel.invalid>")
set(CPACK_PACKAGE_DESCRIPTION
    "mpiskel makes a skeleton of an MPI program in C: the same MPI calls, and"
    "models in the place of computation. SimGrid simulates a thousand of its"
    "ranks in one process, on networks that need not exist. The models are"
    "learned from small runs.")
list(JOIN CPACK_PACKAGE_DESCRIPTION "\n" CPACK_PACKAGE_DESCRIPTION)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
# What mpiskel starts and compiles with, and what it loads; complete.cmake adds the libraries that it is linked with.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gcc, libc6-dev, libclang-common-19-dev, libopenmpi-dev, openmpi-bin, libsimgrid-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libxgboost0, make, zstd")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, mpich, llvm-19")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/debian/complete.cmake)
set(CPACK_MPISKEL_SOURCE_VERSION ${CMAKE_BINARY_DIR}/cli/source_version/source_version.h)
include(CPack)
