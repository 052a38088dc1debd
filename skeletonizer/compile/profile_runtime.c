/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the application's compile commands; lib/mpiskel/libbsim_profile.header, which names the mpi.h
 * that the library was built with; lib/mpiskel/profile, the sources, of
 * which libbsim_profile.sources lists those to compile. Which mpi.h a unit gets is
 * told by the directories that its command or its MPI wrapper names; the first unit that has one is
 * looked at. A wrapper that names none compiles the sources; without wrapper and directories it is
 * the library. Of the unit's options only those go along that decide about the machine's binary
 * interface: the others (-std=c89, macros) are not meant for this code.
 *
 * Not handled: units that are compiled with different MPIs.
 */
#include "skeletonizer/compile/profile_runtime.h"

#include "base/file.h"
#include "base/str.h"
#include "skeletonizer/compiler/mpi_wrapper.h"

#include <stdlib.h>
#include <string.h>

const char *const *profile_runtime_sources(struct arena *arena, const char *libraries,
                                           struct error *error) {
    const char *path = path_join(arena, libraries, "libbsim_profile.sources");
    char *text = NULL;
    if (file_read(&text, NULL, path, error) != 0)
        return NULL;
    VEC(const char *) sources = {0};
    for (char *rest, *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        vec_push(&sources, arena_strdup(arena, line));
    const char **out = ARENA_ARRAY(arena, const char *, sources.count + 1);
    for (size_t i = 0; i < sources.count; i++)
        out[i] = sources.items[i];
    out[sources.count] = NULL;
    vec_dispose(&sources);
    free(text);
    return out;
}

/* The directory that words[i] names for headers, also as the next word; NULL: it names none. */
static const char *directory_at(const char *const *words, size_t count, size_t i) {
    static const char *const options[] = {"-I", "-isystem", "-idirafter", NULL};
    for (const char *const *option = options; *option != NULL; option++) {
        if (!text_has_prefix(words[i], *option))
            continue;
        const char *glued = words[i] + strlen(*option);
        return *glued != '\0' ? glued : i + 1 < count ? words[i + 1] : NULL;
    }
    return NULL;
}

static const char *header_in(struct arena *arena, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *directory = directory_at(words, count, i);
        const char *header = directory != NULL ? path_join(arena, directory, "mpi.h") : "";
        if (file_exists(header))
            return header;
    }
    return NULL;
}

static const char *header_of(struct arena *arena, const struct compile_command *unit) {
    const char *name = unit->arguments.items[0];
    struct compile_arguments arguments;
    commands_build_arguments(&arguments, arena, unit);
    const char *header = header_in(arena, arguments.items, (size_t)arguments.count);
    const char **words = NULL;
    size_t count = 0;
    if (header == NULL && mpi_wrapper_is_one(name))
        words = mpi_wrapper_shown(arena, name, NULL);
    while (words != NULL && words[count] != NULL)
        count++;
    return header != NULL ? header : header_in(arena, words, count);
}

/* The unit that tells most about the application's MPI. *out_header may be NULL. */
static const struct compile_command *choose_unit(const char **out_header, struct arena *arena,
                                                 const struct commands *commands) {
    const struct compile_command *units = commands->compiles.items, *chosen = &units[0];
    for (size_t i = commands->compiles.count; i-- > 0;)
        if (mpi_wrapper_is_one(units[i].arguments.items[0]))
            chosen = &units[i];
    for (size_t i = 0; i < commands->compiles.count; i++)
        if ((*out_header = header_of(arena, &units[i])) != NULL)
            return &units[i];
    return chosen;
}

bool profile_runtime_is_built(struct arena *arena, const struct commands *commands,
                              const char *libraries) {
    const char *path = path_join(arena, libraries, "libbsim_profile.header");
    const char *header;
    const struct compile_command *unit = choose_unit(&header, arena, commands);
    char *text = NULL;
    struct error ignored = {0};
    if (header == NULL && !mpi_wrapper_is_one(unit->arguments.items[0]))
        return true;
    if (header == NULL || file_read(&text, NULL, path, &ignored) != 0)
        return false;
    text[strcspn(text, "\n")] = '\0';
    char *one = realpath(text, NULL), *other = realpath(header, NULL);
    bool same = one != NULL && other != NULL && strcmp(one, other) == 0;
    free(text);
    free(one);
    free(other);
    return same;
}

static bool goes_along(const char *word) {
    return text_has_prefix(word, "-m") || text_has_prefix(word, "--sysroot=") ||
           text_has_prefix(word, "--target=");
}

const char *const *profile_runtime_command(struct arena *arena, const struct commands *commands,
                                           const char *libraries, const char *source,
                                           const char *object) {
    const char *header;
    const struct compile_command *unit = choose_unit(&header, arena, commands);
    const char *folder = path_join(arena, libraries, "profile");
    const char *const rest[] = {"-D_GNU_SOURCE",
                                "-std=gnu11",
                                "-O2",
                                "-g",
                                "-fPIC",
                                "-w",
                                "-x",
                                "c",
                                "-c",
                                arena_printf(arena, "%s/%s", folder, source),
                                "-o",
                                object};
    struct compile_arguments arguments;
    commands_build_arguments(&arguments, arena, unit);
    size_t count = 0, most = (size_t)arguments.count + 5 + sizeof rest / sizeof *rest;
    const char **words = ARENA_ARRAY(arena, const char *, most);
    words[count++] = unit->arguments.items[0];
    words[count++] = arena_printf(arena, "-I%s", folder);
    words[count++] = arena_printf(arena, "-I%s/include", libraries);
    for (int k = 0; k < arguments.count; k++)
        if (goes_along(arguments.items[k]))
            words[count++] = arguments.items[k];
    if (header != NULL)
        words[count++] = arena_printf(arena, "-I%s", path_directory(arena, header));
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        words[count++] = rest[k];
    words[count] = NULL;
    return words;
}
