/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources that are gone were those of a test, as configure compiles them. Objects of Fortran stay
 * in the link; whether they can is checked when the skeleton is made (skeletonizer/check_objects).
 */
#include "cli/capture/other_languages.h"

#include "base/build_words.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/common/command_syntax.h"
#include "runtime/builds/build_tools.h"

#include <stdlib.h>
#include <string.h>

struct other_sources {
    size_t count;
    const char *first, *driver;
};

struct other_languages {
    struct arena *arena;
    struct other_sources fortran, c_as_cxx;
};

static bool is_fortran_source(const char *word) {
    static const char *const suffixes[] = {".f",   ".F",   ".for", ".f77", ".f90",
                                           ".F90", ".f95", ".F95", ".f03", ".f08"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (text_has_suffix(word, suffixes[i]))
            return true;
    return false;
}

static void note_source(struct other_languages *o, struct other_sources *sources,
                        const char *directory, const char *driver, const char *word) {
    if (!file_exists(path_absolute(o->arena, directory, word)) || sources->count++ > 0)
        return;
    sources->first = arena_strdup(o->arena, word);
    sources->driver = arena_strdup(o->arena, driver);
}

static void look_at(struct other_languages *o, const json_t *entry) {
    static const char *const no_compilation[] = {"-E", "-M", "-MM", NULL};
    const json_t *words = json_object_get(entry, "arguments"), *word;
    const char *directory = json_get_text(entry, "directory");
    const char *first = json_string_value(json_array_get(words, 0));
    const char *driver = first != NULL ? path_base(first) : "";
    size_t i;
    json_array_foreach(words, i, word) {
        if (text_is_one_of(json_string_value(word), no_compilation))
            return;
    }
    json_array_foreach(words, i, word) {
        const char *text = json_string_value(word);
        if (text[0] == '-' || i == 0)
            continue;
        if (is_fortran_source(text))
            note_source(o, &o->fortran, directory, driver, text);
        else if (text_has_suffix(text, ".c") && build_tools_has_cxx(driver))
            note_source(o, &o->c_as_cxx, directory, driver, text);
    }
}

static const char *named(struct arena *arena, const struct other_sources *sources) {
    return arena_printf(arena, "%s%s", sources->first, sources->count > 1 ? ", ..." : "");
}

static int refuse(const struct other_languages *o, struct error *error) {
    const struct other_sources *c = &o->c_as_cxx, *fortran = &o->fortran;
    if (c->count > 0)
        return error_set(
            error,
            "the build compiled %zu C file%s as C++ (%s, by %s): let it compile C by a "
            "C compiler (CC=mpicc), and link as before",
            c->count, c->count > 1 ? "s" : "", named(o->arena, c), c->driver);
    return error_set(error,
                     "the build compiled %zu Fortran file%s (%s) and none in C or C++, which are "
                     "what mpiskel reads: predict the program from small runs of it instead, with "
                     "`mpiskel record` and `mpiskel synthesize`",
                     fortran->count, fortran->count > 1 ? "s" : "", named(o->arena, fortran));
}

static void warn(const struct other_languages *o) {
    const struct other_sources *c = &o->c_as_cxx;
    if (c->count > 0)
        note("warning: %zu C file%s compiled as C++ (%s, by %s) and left out: let the build "
             "compile C by a C compiler (CC=mpicc), and link as before",
             c->count, c->count > 1 ? "s were" : " was", named(o->arena, c), c->driver);
}

int other_languages_check(struct arena *arena, const char *log, const json_t *compiles,
                          struct error *error) {
    struct other_languages o = {.arena = arena};
    char *text = NULL, *state = NULL;
    if (!file_exists(log))
        return 0;
    if (file_read(&text, NULL, log, error) != 0)
        return -1;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state)) {
        json_t *entry = json_loads(line, 0, NULL);
        if (entry != NULL)
            look_at(&o, entry);
        json_decref(entry);
    }
    free(text);
    if (o.c_as_cxx.count + o.fortran.count > 0 && json_array_size(compiles) == 0)
        return refuse(&o, error);
    warn(&o);
    return 0;
}
