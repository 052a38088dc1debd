/* SPDX-License-Identifier: Apache-2.0
 *
 * An object can be taken over when three things are as they were: the command, with what the
 * compiler says of itself (`-v -E` of an empty file: its version, the options that it or a wrapper
 * like mpicc adds, the directories it searches) and the environment that compilers look at; the
 * files that it read; and which of the names that these include lie in which directory
 * (frontend/commands/dependencies.c). The compiler itself tells what it read (-MD).
 *
 * An entry of the cache holds these as hashes, the list of files, the compiler's messages and the
 * object. The temporary directory of a run stands in it as "@".
 *
 * Not taken over: what is compiled with options that read or write further files (profiles,
 * plugins, coverage) or that make different objects each time (-flto).
 */
#include "skeletonizer/compile/objects.h"

#include "base/cache.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

char *objects_replaced(struct arena *arena, const char *text, const char *from, const char *to) {
    struct str out = {0};
    for (const char *at = text, *next; at != NULL; at = next) {
        next = strstr(at, from);
        str_addn(&out, at, next != NULL ? (size_t)(next - at) : strlen(at));
        if (next == NULL)
            break;
        str_add(&out, to);
        next += strlen(from);
    }
    return str_into(arena, &out);
}

/* The compiler */

typedef VEC(const char *) objects_question;

struct toolchain {
    unsigned long long hash;
    path_list directories;
};

static void read_directories(struct arena *arena, path_list *out, const char *text) {
    const char *at = strstr(text, "search starts here:\n");
    const char *end = at != NULL ? strstr(at, "End of search list.") : NULL;
    while (at != NULL && at < end) {
        at = strchr(at, '\n') + 1;
        if (*at == ' ')
            vec_push(out, arena_strndup(arena, at + 1, strcspn(at + 1, "\n")));
        if (memchr(at, '\n', (size_t)(end - at)) == NULL)
            break;
    }
}

/* Of Open MPI's processes, not of its compilers: they differ within mpirun and without. */
static bool is_for_runs(const char *variable) {
    static const char *const prefixes[] = {"OMPI_MCA_", "OMPI_ALLOW_RUN_AS_ROOT",
                                           "OMPI_COMM_WORLD_", "OMPI_UNIVERSE_SIZE"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (text_has_prefix(variable, prefixes[i]))
            return true;
    return false;
}

static unsigned long long hash_environment(unsigned long long hash) {
    static const char *const prefixes[] = {
        "OMPI_",   "MPICH_",  "I_MPI_", "SMPI_", "GCC_", "CPATH",  "C_INCL", "CPLUS_",
        "COMPILE", "LIBRARY", "LANG",   "LC_",   "CC=",  "CFLAGS", "CCC_",   "SOURCE_DATE"};
    for (char **one = environ; *one != NULL; one++)
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            if (text_has_prefix(*one, prefixes[i]) && !is_for_runs(*one))
                hash += hash_text(HASH_SEED, *one); /* in whatever order they are */
    return hash;
}

static bool is_own_directory(const char *const *word) {
    return strcmp(word[0], "-iquote") == 0 && word[1] != NULL;
}

/* So many words from here on do not say where the compiler looks for files, nor which it is. What
 * the option before hands on (-Xpreprocessor -DX) stays with it. */
static int count_of_no_concern(const char *const *word, const char *before) {
    if (text_has_prefix(before, "-X"))
        return 0;
    if (is_own_directory(word) || (strcmp(word[0], "-D") == 0 && word[1] != NULL))
        return 2;
    return text_has_prefix(word[0], "-fmacro-prefix-map=") ||
           text_has_prefix(word[0], "-fdebug-prefix-map=") || text_has_prefix(word[0], "-D");
}

/* Its directories with -iquote, which each unit may have of its own, are left out: what the
 * compiler says of them is what is known. */
static void question_of(objects_question *out, const struct object_file *object) {
    static const char *const rest[] = {"-v", "-E", "-x", "c", "/dev/null", NULL};
    vec_push(out, "env");
    vec_push(out, "LC_ALL=C");
    const char *before = "";
    for (const char *const *word = object->options; *word != NULL;) {
        int skipped = count_of_no_concern(word, before);
        before = *word;
        if (skipped == 0)
            vec_push(out, *word);
        word += skipped > 0 ? skipped : 1;
    }
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        vec_push(out, rest[i]);
}

static int ask_compiler(struct toolchain *out, struct objects *o, const objects_question *question,
                        struct error *error) {
    struct process_result result;
    char *text = NULL;
    int status = process_capture(&result, &text, question->items, true, error);
    if (status != 0)
        return -1;
    read_directories(o->arena, &out->directories, text);
    out->hash = result.exit_code == 0 && out->directories.count > 0
                    ? hash_environment(
                          hash_text(HASH_SEED, objects_replaced(o->arena, text, o->directory, "@")))
                    : 0;
    free(text);
    return 0;
}

/* Asked once for each set of options. */
static int find_toolchain(const struct toolchain **out, struct objects *o,
                          const objects_question *question, struct error *error) {
    unsigned long long key = HASH_SEED;
    for (size_t i = 0; question->items[i] != NULL; i++)
        key = hash_text(key, question->items[i]);
    for (size_t i = 0; i < o->toolchains.count; i++)
        if (o->toolchains.items[i].key == key) {
            *out = o->toolchains.items[i].toolchain;
            return 0;
        }
    struct toolchain *toolchain = ARENA_NEW(o->arena, struct toolchain);
    if (ask_compiler(toolchain, o, question, error) != 0) {
        vec_dispose(&toolchain->directories);
        return -1;
    }
    vec_push(&o->toolchains, ((struct known_toolchain){key, toolchain}));
    *out = toolchain;
    return 0;
}

/* The list lies in the arena. */
static void find_directories(struct objects *o, struct object_file *object,
                             const struct toolchain *toolchain) {
    path_list all = {0};
    for (const char *const *word = object->options; *word != NULL; word++)
        if (is_own_directory(word))
            vec_push(&all, *++word);
    for (size_t i = 0; i < toolchain->directories.count; i++)
        vec_push(&all, toolchain->directories.items[i]);
    object->directories = (path_list){0};
    object->directories.items = ARENA_ARRAY(o->arena, const char *, all.count + 1);
    object->directories.count = all.count;
    for (size_t i = 0; i < all.count; i++)
        object->directories.items[i] = all.items[i];
    vec_dispose(&all);
}

void objects_dispose(struct objects *o) {
    for (size_t i = 0; i < o->toolchains.count; i++)
        vec_dispose(&o->toolchains.items[i].toolchain->directories);
    vec_dispose(&o->toolchains);
}

static bool is_repeatable(const struct object_file *object) {
    static const char *const prefixes[] = {
        "@",         "-fprofile", "-fauto-profile",   "-fbranch-prob", "--coverage", "-ftest-cov",
        "-fplugin",  "-specs",    "-save-temps",      "-gsplit-dwarf", "-flto",      "-fdump",
        "-aux-info", "-Wa,",      "-fcallgraph-info", "-Wp,",          "-frecord-cm"};
    for (const char *const *word = object->options; *word != NULL; word++)
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            if (text_has_prefix(*word, prefixes[i]))
                return false;
    return true;
}

static int identify(struct objects *o, struct object_file *object, struct error *error) {
    const struct toolchain *toolchain = NULL;
    objects_question question = {0};
    if (!is_repeatable(object))
        return 0;
    question_of(&question, object);
    int result = find_toolchain(&toolchain, o, &question, error);
    vec_dispose(&question);
    if (result != 0)
        return -1;
    object->arguments = hash_text(toolchain->hash, object->directory);
    for (const char *const *word = object->command; *word != NULL; word++)
        object->arguments =
            hash_text(object->arguments, objects_replaced(o->arena, *word, o->directory, "@"));
    find_directories(o, object, toolchain);
    object->can_be_kept = toolchain->hash != 0;
    return 0;
}

/* Entries */

struct objects_entry {
    unsigned long long arguments, fingerprint;
    path_list files;
    const char *log, *object;
    unsigned long long log_length, object_length;
};

static bool read_entry(struct objects_entry *out, struct objects *o, struct cache_reader *reader) {
    struct arena *arena = o->arena;
    unsigned long long count;
    if (!cache_take_number(&out->arguments, reader, "arguments") ||
        !cache_take_number(&out->fingerprint, reader, "fingerprint") ||
        !cache_take_number(&count, reader, "files"))
        return false;
    for (; count > 0; count--) {
        const char *path = NULL;
        if (!cache_take_line(&path, reader, arena))
            return false;
        if (path[0] == '@')
            path = arena_printf(arena, "%s%s", o->directory, path + 1);
        vec_push(&out->files, path);
    }
    return cache_take_number(&out->log_length, reader, "log") &&
           cache_take_bytes(&out->log, reader, out->log_length) &&
           cache_take_number(&out->object_length, reader, "object") &&
           cache_take_bytes(&out->object, reader, out->object_length) && reader->at == reader->end;
}

static bool is_current(struct objects *o, const struct object_file *object,
                       const struct objects_entry *entry) {
    unsigned long long now;
    return entry->arguments == object->arguments &&
           dependencies_fingerprint(&now, o->dependencies, &entry->files, &object->directories,
                                    o->directory) &&
           now == entry->fingerprint;
}

int objects_take(bool *out_taken, struct objects *o, struct object_file *object,
                 struct error *error) {
    struct objects_entry entry = {0};
    char *bytes = NULL;
    size_t length = 0;
    int result = 0;
    *out_taken = false;
    if (o->cache->current == NULL)
        return 0;
    if (identify(o, object, error) != 0)
        return -1;
    if (!object->can_be_kept || !cache_get(&bytes, &length, o->cache, object->name))
        return 0;
    struct cache_reader reader = {bytes, bytes + length};
    if (read_entry(&entry, o, &reader) && is_current(o, object, &entry)) {
        *out_taken = object->is_taken = true;
        result = file_write(object->path, entry.object, entry.object_length, error);
        if (result == 0)
            result = file_write(object->log, entry.log, entry.log_length, error);
        if (result == 0)
            result = cache_carry(o->cache, object->name, error);
    }
    vec_dispose(&entry.files);
    return result;
}

/* "target: file file \ file": blanks in names are escaped, and so are # and $. */
static bool read_made_from(path_list *out, struct arena *arena, const char *directory,
                           const char *path) {
    struct error ignored = {0};
    char *text = NULL;
    if (file_read(&text, NULL, path, &ignored) != 0)
        return false;
    const char *at = strstr(text, ": ");
    struct str word = {0};
    for (at = at != NULL ? at + 1 : ""; *at != '\0'; at++) {
        bool escaped =
            (at[0] == '\\' && (at[1] == ' ' || at[1] == '#')) || (at[0] == '$' && at[1] == '$');
        bool blank = strchr(" \t\r\n", *at) != NULL || (at[0] == '\\' && at[1] == '\n');
        if (escaped)
            str_addc(&word, *++at);
        else if (!blank)
            str_addc(&word, *at);
        if ((blank || at[1] == '\0') && word.length > 0) {
            vec_push(out, path_absolute(arena, directory, str_text(&word)));
            str_dispose(&word);
        }
    }
    str_dispose(&word);
    free(text);
    return out->count > 0;
}

static int write_entry(struct objects *o, const struct object_file *object,
                       const struct objects_entry *entry, struct error *error) {
    struct str out = {0};
    str_printf(&out, "arguments %llu\nfingerprint %llu\nfiles %zu\n", entry->arguments,
               entry->fingerprint, entry->files.count);
    for (size_t i = 0; i < entry->files.count; i++)
        str_printf(&out, "%s\n",
                   objects_replaced(o->arena, entry->files.items[i], o->directory, "@"));
    str_printf(&out, "log %llu\n", entry->log_length);
    str_addn(&out, entry->log, entry->log_length);
    str_printf(&out, "object %llu\n", entry->object_length);
    str_addn(&out, entry->object, entry->object_length);
    int result = cache_put(o->cache, object->name, out.text, out.length, error);
    str_dispose(&out);
    return result;
}

int objects_keep(struct objects *o, struct object_file *object, struct error *error) {
    struct objects_entry entry = {.arguments = object->arguments};
    char *log = NULL, *bytes = NULL;
    size_t length = 0;
    int result = 0;
    if (object->is_taken || !object->can_be_kept)
        return 0;
    if (read_made_from(&entry.files, o->arena, object->directory, object->made_from) &&
        dependencies_fingerprint(&entry.fingerprint, o->dependencies, &entry.files,
                                 &object->directories, o->directory)) {
        result = file_read(&bytes, &length, object->path, error);
        if (result == 0)
            result = file_read(&log, NULL, object->log, error);
        entry.object = bytes;
        entry.object_length = length;
        entry.log = log != NULL ? objects_replaced(o->arena, log,
                                                   arena_printf(o->arena, "%s/", o->directory), "")
                                : "";
        entry.log_length = strlen(entry.log);
        if (result == 0)
            result = write_entry(o, object, &entry, error);
    }
    vec_dispose(&entry.files);
    free(bytes);
    free(log);
    return result;
}
