/* SPDX-License-Identifier: Apache-2.0
 *
 * By the names of programs and options; see linker.h.
 */
#include "skeletonizer/compile/linker.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/commands/link_arguments.h"
#include "skeletonizer/compiler/mpi_wrapper.h"

#include <string.h>

/* By its name, or by its path, as CMake does it. */
bool linker_word_is_mpi(const char *word) {
    const char *file = word[0] == '/' ? path_base(word) : "";
    return strcmp(word, "-lmpi") == 0 || text_has_prefix(word, "-lmpich") ||
           text_has_prefix(word, "-lopen-") || text_has_prefix(file, "libmpi.") ||
           text_has_prefix(file, "libmpich.") || text_has_prefix(file, "libopen-");
}

/* The simulation has the library's functions itself, and needs no device. */
bool linker_word_is_for_devices(const char *word) {
    return strcmp(word, "-lOpenCL") == 0 ||
           (word[0] == '/' && text_has_prefix(path_base(word), "libOpenCL."));
}

/* For SMPI programs are shared libraries, with SimGrid's start, linked by GNU ld: gold makes other
 * code of the ranks' own variables. */
bool linker_word_is_for_executables(const char *word) {
    static const char *const options[] = {
        "-static",       "-static-pie", "-pie",     "-no-pie",       "-nopie",
        "-nostartfiles", "-Wl,-static", "-Wl,-pie", "-fuse-ld=gold", NULL};
    return text_is_one_of(word, options) || text_has_prefix(word, "-Wl,--version-script") ||
           text_has_prefix(word, "-Wl,--dynamic-list");
}

/* The first word of the first unit in this language; NULL: there is none. */
const char *linker_first_compiler(const struct compilation *c, bool is_cxx) {
    for (size_t i = 0; i < c->commands->compiles.count; i++)
        if (c->commands->compiles.items[i].is_cxx == is_cxx)
            return c->commands->compiles.items[i].arguments.items[0];
    return NULL;
}

/* That of the executable; a shared library of the project may be what is linked with MPI. */
const char *linker_choose(const struct compilation *c) {
    link_list links = {0};
    if (c->link == NULL)
        return linker_first_compiler(c, true) != NULL ? linker_first_compiler(c, true)
                                                      : linker_first_compiler(c, false);
    link_arguments_links(&links, c->commands, c->link);
    const char *linker = c->link->arguments.items[0];
    for (size_t i = links.count; i-- > 1;)
        if (!mpi_wrapper_is_one(c->link->arguments.items[0]) &&
            mpi_wrapper_is_one(links.items[i]->arguments.items[0]))
            linker = links.items[i]->arguments.items[0];
    vec_dispose(&links);
    return linker;
}

/* Such as mpif90, which links more than a C compiler does. */
bool linker_is_fortran(const char *linker) {
    const char *file = path_base(linker);
    return strstr(file, "gfortran") != NULL || text_has_prefix(file, "mpif") ||
           text_has_prefix(file, "f77") || text_has_prefix(file, "f95");
}
