/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a generation whose sources and commands have been read. The analysis is a function of these,
 * of options, hints, counts and values of the older bundle, and of the programs that it starts: a
 * hash over all of them is the entry's key. All units have to come from the cache, which means that
 * what they consist of, this program and the parser are the same (frontend/cache/unit_cache.c).
 *
 * An entry holds the key, the summary, what was printed, which programs were built, and the hash of
 * each file that was written: where one of them is another one now, or gone, the bundle is made
 * anew. Programs are always built again, with objects of the cache where they are current: what
 * compilers and linkers read is not known here.
 *
 * Not taken over: a scout run, which may count something else each time; --fresh, --no-compile.
 */
#include "skeletonizer/generation.h"

#include "base/cache.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/status_line.h"
#include "frontend/commands/build_environment.h"
#include "skeletonizer/compile/later.h"
#include "skeletonizer/compile/profile_runtime.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRY "analysis"
#define VERSION "1"

static const char *const programs[] = {"skeleton", "profile", "original"};

/* ---- What the analysis goes by ---- */

static unsigned long long hash_words(unsigned long long hash, const char *const *words,
                                     size_t count) {
    hash = hash_bytes(hash, &count, sizeof count);
    for (size_t i = 0; i < count; i++)
        hash = hash_text(hash, words[i] != NULL ? words[i] : "");
    return hash;
}

static unsigned long long hash_environment(unsigned long long hash, const char *const *words) {
    for (; words != NULL && *words != NULL; words++)
        hash = hash_text(hash, *words);
    return hash_text(hash, "");
}

static unsigned long long hash_optional(unsigned long long hash, const char *text) {
    return hash_text(hash_text(hash, text != NULL ? "1" : "0"), text != NULL ? text : "");
}

/* A program that is another one now has another time or size. */
static unsigned long long hash_program(unsigned long long hash, struct arena *arena,
                                       const char *name) {
    struct stat info;
    const char *path = strchr(name, '/') != NULL ? name : program_find(arena, name);
    hash = hash_optional(hash, path);
    if (path == NULL || stat(path, &info) != 0)
        return hash;
    hash = hash_bytes(hash, &info.st_size, sizeof info.st_size);
    return hash_bytes(hash, &info.st_mtim, sizeof info.st_mtim);
}

static unsigned long long hash_compile(unsigned long long hash, struct arena *arena,
                                       const struct compile_command *command) {
    hash = hash_text(hash_text(hash, command->directory), command->file);
    hash = hash_optional(hash_optional(hash, command->output), command->overwritten);
    hash = hash_words(hash, command->arguments.items, command->arguments.count);
    hash = hash_environment(hash, command->environment);
    hash = hash_bytes(hash, &command->is_cxx, sizeof command->is_cxx);
    hash = hash_bytes(hash, &command->in_archive, sizeof command->in_archive);
    hash = hash_bytes(hash, &command->link_position, sizeof command->link_position);
    return hash_program(hash, arena, command->arguments.items[0]);
}

static unsigned long long hash_link(unsigned long long hash, struct arena *arena,
                                    const struct link_command *link) {
    hash = hash_text(hash_text(hash, link->directory), link->output);
    hash = hash_environment(hash, link->environment);
    hash = hash_words(hash, link->arguments.items, link->arguments.count);
    hash = hash_words(hash, link->inputs.items, link->inputs.count);
    hash = hash_optional(hash, link->contents);
    return link->arguments.count > 0 ? hash_program(hash, arena, link->arguments.items[0]) : hash;
}

static unsigned long long hash_commands(unsigned long long hash, struct generation *g) {
    hash = hash_text(hash, g->commands.path);
    for (size_t i = 0; i < g->commands.compiles.count; i++)
        hash = hash_compile(hash, &g->arena, &g->commands.compiles.items[i]);
    for (size_t i = 0; i < g->commands.links.count; i++)
        hash = hash_link(hash, &g->arena, &g->commands.links.items[i]);
    return hash_optional(hash, g->link != NULL ? g->link->output : NULL);
}

static unsigned long long hash_options(unsigned long long hash,
                                       const struct generate_options *options) {
    const struct assumptions *assumptions = &options->assumptions;
    const bool choices[] = {assumptions->no_abnormal_exit,
                            assumptions->type_classes,
                            assumptions->cuts,
                            assumptions->aligned_collectives,
                            assumptions->files_apart,
                            assumptions->type_classes_asked,
                            options->with_skeleton,
                            options->with_original};
    hash = hash_text(hash_optional(hash, options->executable), options->output);
    hash = hash_bytes(hash, choices, sizeof choices);
    hash = hash_bytes(hash, &options->cut_time_s, sizeof options->cut_time_s);
    hash = hash_bytes(hash, &options->max_kept, sizeof options->max_kept);
    return hash_bytes(hash, &options->counting, sizeof options->counting);
}

static unsigned long long hash_file(unsigned long long hash, struct arena *arena,
                                    const char *path) {
    return hash_optional(hash, path != NULL ? hash_of_file(arena, path) : NULL);
}

/* What is installed beside this program, and what stands between it and compilers. */
static unsigned long long hash_installed(unsigned long long hash, struct generation *g) {
    static const char *const names[] = {"libbsim_skeleton.a",        "libbsim_profile.a",
                                        "libbsim_original.a",        "libbsim_profile.sources",
                                        "libbsim_counted.functions", "libbsim_counted.so"};
    struct arena *arena = &g->arena;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        hash = hash_program(hash, arena, path_join(arena, g->options->libraries, names[i]));
    bool is_built = profile_runtime_is_built(arena, &g->commands, g->options->libraries);
    hash = hash_bytes(hash, &is_built, sizeof is_built);
    return hash_program(hash_program(hash, arena, "smpicc"), arena, "smpicxx");
}

static unsigned long long key_of(struct generation *g) {
    struct arena *arena = &g->arena;
    const char *path = getenv("PATH");
    unsigned long long hash = hash_text(hash_text(HASH_SEED, VERSION), path_current(arena));
    bool is_quiet = messages_are(MESSAGES_QUIET);
    hash = hash_optional(hash_bytes(hash, &is_quiet, sizeof is_quiet), path);
    hash = hash_environment(hash, build_environment_here(arena));
    hash = hash_installed(hash_options(hash_commands(hash, g), g->options), g);
    hash = hash_file(hash_optional(hash, g->hints.path), arena, g->hints.path);
    hash = hash_file(hash, arena, path_join(arena, g->target, "counts.json"));
    hash = hash_file(hash, arena, path_join(arena, g->target, UNTOLD_FILE));
    hash = hash_optional(hash, g->binary_mpi);
    for (size_t i = 0; i < g->units.entries.count; i++)
        hash = hash_bytes(hash_text(hash, g->units.entries.items[i].name),
                          g->units.entries.items[i].bytes.text,
                          g->units.entries.items[i].bytes.length);
    return hash;
}

/* ---- The entry ---- */

static bool is_repeatable(const struct generation *g) {
    const struct generate_options *options = g->options;
    return options->scout == NULL && options->compile && options->dumps == 0 &&
           g->units.entries.count == g->commands.compiles.count;
}

/* The files, with their hashes behind them. */
static bool take_files(struct generation *g, struct cache_reader *reader) {
    unsigned long long count;
    if (!cache_take_number(&count, reader, "files"))
        return false;
    for (; count > 0; count--) {
        const char *name, *hash;
        if (!cache_take_line(&name, reader, &g->arena) ||
            !cache_take_line(&hash, reader, &g->arena))
            return false;
        const char *now = hash_of_file(&g->arena, path_join(&g->arena, g->target, name));
        if (now == NULL || strcmp(now, hash) != 0)
            return false;
        vec_push(&g->unchanged.files, name);
    }
    return true;
}

static bool take_entry(struct generation *g, struct cache_reader *reader) {
    unsigned long long key, length;
    const char *text, *summary;
    if (!cache_take_number(&key, reader, "key") || key != g->unchanged.key ||
        !cache_take_number(&length, reader, "programs"))
        return false;
    g->unchanged.programs = (unsigned)length;
    if (!take_files(g, reader) || !cache_take_bytes(&summary, reader, sizeof g->summary) ||
        !cache_take_number(&length, reader, "prints") || !cache_take_bytes(&text, reader, length))
        return false;
    memcpy(&g->summary, summary, sizeof g->summary);
    g->summary.is_taken_over = true;
    str_addn(&g->unchanged.prints, text, length);
    return true;
}

void unchanged_find(struct generation *g) {
    char *bytes = NULL;
    size_t length = 0;
    if (!is_repeatable(g))
        return;
    g->unchanged.key = key_of(g);
    if (g->units.parsed > 0 || !cache_get(&bytes, &length, &g->cache, ENTRY))
        return;
    struct cache_reader reader = {bytes, bytes + length};
    g->unchanged.is = take_entry(g, &reader);
    if (g->unchanged.is && g->unchanged.prints.length > 0) {
        status_line_hide();
        fputs(str_text(&g->unchanged.prints), stderr);
    }
}

/* ---- Taking ---- */

/* Regular files below it, by their names from `directory` on. */
static int list_files(path_list *out, struct arena *arena, const char *directory, const char *below,
                      struct error *error) {
    int result = 0;
    const char *path = path_join(arena, directory, below);
    DIR *stream = opendir(path);
    if (stream == NULL)
        return error_set(error, "cannot read %s: %s", path, strerror(errno));
    for (struct dirent *entry; result == 0 && (entry = readdir(stream)) != NULL;) {
        const char *name = below[0] != '\0' ? path_join(arena, below, entry->d_name)
                                            : arena_strdup(arena, entry->d_name);
        const char *whole = path_join(arena, directory, name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (directory_exists(whole))
            result = list_files(out, arena, directory, name, error);
        else
            vec_push(out, name);
    }
    closedir(stream);
    return result;
}

static int take_file(struct generation *g, const char *name, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    const char *from = path_join(&g->arena, g->target, name);
    const char *to = path_join(&g->arena, g->directory, name);
    if (directory_make(path_directory(&g->arena, to), error) != 0)
        return -1;
    if (link(from, to) == 0)
        return 0;
    if (file_read(&text, &length, from, error) != 0)
        return -1;
    int result = file_write(to, text, length, error);
    if (result == 0)
        result = file_take_time(to, from, error);
    free(text);
    return result;
}

/* Objects of programs that are not built now, too. */
static int carry_cache(struct generation *g, struct error *error) {
    path_list names = {0};
    int result = list_files(&names, &g->arena, g->cache.old, "", error);
    for (size_t i = 0; i < names.count && result == 0; i++)
        result = cache_carry(&g->cache, names.items[i], error);
    vec_dispose(&names);
    return result;
}

static int build(struct generation *g, const char *program, struct error *error) {
    struct later_request request = {.bundle = g->directory,
                                    .output = g->options->output,
                                    .program = program,
                                    .old_cache = g->cache.old,
                                    .dependencies = &g->dependencies,
                                    .jobs = g->options->jobs};
    int result = later_build(&request, error);
    g->summary.objects += request.object_count;
    g->summary.objects_compiled += request.compiled_count;
    return result;
}

int unchanged_take(struct generation *g, struct error *error) {
    int result = directory_make(path_join(&g->arena, g->directory, "samples"), error);
    for (size_t i = 0; i < g->unchanged.files.count && result == 0; i++)
        result = take_file(g, g->unchanged.files.items[i], error);
    if (result == 0)
        result = carry_cache(g, error);
    for (size_t i = 0; i < sizeof programs / sizeof *programs && result == 0; i++)
        if ((g->unchanged.programs & 1U << i) != 0)
            result = build(g, programs[i], error);
    return result;
}

/* ---- Keeping ---- */

static ssize_t write_both(void *context, const char *bytes, size_t count) {
    struct unchanged *unchanged = context;
    str_addn(&unchanged->prints, bytes, count);
    return fwrite(bytes, 1, count, unchanged->alone) == count ? (ssize_t)count : 0;
}

void unchanged_listen(struct generation *g) {
    FILE *both = fopencookie(&g->unchanged, "w", (cookie_io_functions_t){.write = write_both});
    if (both == NULL)
        return;
    setvbuf(both, NULL, _IONBF, 0);
    g->unchanged.alone = stderr;
    stderr = both;
}

void unchanged_listen_end(struct generation *g) {
    if (g->unchanged.alone == NULL)
        return;
    fclose(stderr);
    stderr = g->unchanged.alone;
    g->unchanged.alone = NULL;
}

/* Of the analysis: what compilers wrote is made again. */
static bool is_of_analysis(const char *name) {
    static const char *const others[] = {"skeleton", "profile", "original", "build.log", NULL};
    return !text_is_one_of(name, others) && !text_has_prefix(name, "cache/");
}

static int add_files(struct str *out, struct generation *g, struct error *error) {
    path_list all = {0};
    size_t count = 0;
    struct str text = {0};
    int result = list_files(&all, &g->arena, g->directory, "", error);
    for (size_t i = 0; i < all.count && result == 0; i++)
        if (is_of_analysis(all.items[i])) {
            const char *path = path_join(&g->arena, g->directory, all.items[i]);
            const char *hash = hash_of_file(&g->arena, path);
            str_printf(&text, "%s\n%s\n", all.items[i], hash != NULL ? hash : "");
            count++;
        }
    str_printf(out, "files %zu\n%s", count, str_text(&text));
    str_dispose(&text);
    vec_dispose(&all);
    return result;
}

int unchanged_keep(struct generation *g, struct error *error) {
    struct str out = {0};
    if (!is_repeatable(g))
        return 0;
    unsigned built = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (file_exists(path_join(&g->arena, g->directory, programs[i])))
            built |= 1U << i;
    str_printf(&out, "key %llu\nprograms %u\n", g->unchanged.key, built);
    int result = add_files(&out, g, error);
    struct generate_summary summary = g->summary; /* with nothing in it that is of this run alone */
    summary.units_parsed = summary.objects = summary.objects_compiled = 0;
    summary.analysis_s = summary.total_s = 0;
    str_addn(&out, (const char *)&summary, sizeof summary);
    str_printf(&out, "prints %zu\n", g->unchanged.prints.length);
    str_addn(&out, str_text(&g->unchanged.prints), g->unchanged.prints.length);
    if (result == 0)
        result = cache_put(&g->cache, ENTRY, out.text, out.length, error);
    str_dispose(&out);
    return result;
}
