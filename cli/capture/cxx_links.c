/* SPDX-License-Identifier: Apache-2.0
 *
 * See cxx_links.h. Libraries that the build made count by what they were made of.
 */
#include "cli/capture/cxx_links.h"

#include "base/build_words.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/capture/databases.h"
#include "runtime/builds/build_tools.h"

#include <string.h>

#define MAX_DEPTH 4 /* of libraries that are made of others */

static bool is_source(const char *word) {
    static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".c++", ".C",
                                           ".cu", ".f",   ".f90", ".F90", ".F"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (text_has_suffix(word, suffixes[i]))
            return true;
    return false;
}

struct cxx_links_build {
    struct arena *arena;
    const json_t *compiles, *links;
};

static bool is_of_c(const struct cxx_links_build *build, const json_t *link, int depth);

static bool is_object_of_c(const struct cxx_links_build *build, const char *path) {
    const json_t *compile;
    size_t i;
    json_array_foreach(build->compiles, i, compile) {
        if (strcmp(databases_output(build->arena, compile), path) == 0)
            return !build_words_is_cxx(json_get_text(compile, "file"));
    }
    return false;
}

static bool library_is_of_c(const struct cxx_links_build *build, const char *path, int depth) {
    const json_t *link;
    size_t i;
    json_array_foreach(build->links, i, link) {
        if (strcmp(databases_output(build->arena, link), path) == 0 &&
            (depth == 0 || !is_of_c(build, link, depth - 1)))
            return false;
    }
    return true;
}

/* All of its objects were compiled in this build, by the recorded commands. */
static bool is_of_c(const struct cxx_links_build *build, const json_t *link, int depth) {
    const char *output = databases_output(build->arena, link);
    const json_t *word;
    size_t i;
    json_array_foreach(json_object_get(link, "arguments"), i, word) {
        const char *text = json_string_value(word);
        const char *path = databases_input(build->arena, link, i);
        if (path == NULL || text == NULL || strcmp(path, output) == 0)
            continue;
        if (is_source(text) ||
            (text_has_suffix(text, ".o") && !is_object_of_c(build, path) &&
             !databases_has_output(build->arena, build->links, path)) ||
            ((path_is_library(text) || text_has_suffix(text, ".o")) &&
             !library_is_of_c(build, path, depth)))
            return false;
    }
    return true;
}

/* A shared library, or an executable without an MPI library. */
static bool is_no_program(const json_t *link) {
    bool names_mpi = false, is_shared = false;
    const json_t *word;
    size_t i;
    json_array_foreach(json_object_get(link, "arguments"), i, word) {
        const char *text = json_string_value(word);
        is_shared = is_shared || strcmp(text, "-shared") == 0;
        names_mpi = names_mpi || strstr(i == 0 || text[0] == '/' ? path_base(text) : text, "mpi");
    }
    return is_shared || !names_mpi;
}

void cxx_links_leave_out(struct arena *arena, const json_t *compiles, json_t *links) {
    struct cxx_links_build build = {arena, compiles, links};
    for (size_t i = json_array_size(links); i-- > 0;) {
        const json_t *link = json_array_get(links, i);
        const char *driver =
            json_string_value(json_array_get(json_object_get(link, "arguments"), 0));
        if (driver != NULL && build_tools_has_cxx(path_base(driver)) && is_no_program(link) &&
            !is_of_c(&build, link, MAX_DEPTH))
            json_array_remove(links, i);
    }
}
