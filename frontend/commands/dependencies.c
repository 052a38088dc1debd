/* SPDX-License-Identifier: Apache-2.0
 *
 * Files are read once per run. In each, the names of all #include lines and __has_include are
 * collected as text, whether or not the preprocessor got there: more names only make the
 * fingerprint stricter. The fingerprint then says for each name and directory whether it is there.
 *
 * Given up, with false: names that are macros, .incbin and #embed, __TIMESTAMP__ outside of system
 * headers. __DATE__ and __TIME__ are SOURCE_DATE_EPOCH, which who compiles sets (generate.c).
 */
#include "frontend/commands/dependencies.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define CLOCK_TICK_S 0.01 /* times of files lag behind the clock */

enum presence { PRESENCE_UNKNOWN, PRESENCE_IS_THERE, PRESENCE_IS_MISSING };

struct dependency_file {
    bool is_read;
    unsigned long long hash;
    path_list names;
    bool known;     /* it was read, and all that it includes is known */
    bool is_recent; /* changed after the run began */
};

static double seconds(struct timespec time) {
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void dependencies_init(struct dependencies *out) {
    *out = (struct dependencies){.begin_s = clock_realtime_s() - CLOCK_TICK_S};
}

void dependencies_dispose(struct dependencies *d) {
    for (struct dependency_file *file = hash_table_first(&d->files); file != NULL;
         file = hash_table_next(file))
        vec_dispose(&file->names);
    hash_table_dispose(&d->files);
    hash_table_dispose(&d->presence);
    arena_dispose(&d->arena);
}

/* What one file includes */

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t");
}

/* <name> or "name" at `at`; false if it is something else. */
static bool add_name(struct dependencies *d, struct dependency_file *file, const char *at) {
    char close = *at == '<' ? '>' : *at == '"' ? '"' : '\0';
    size_t length = strcspn(at + (close != '\0'), close == '>' ? ">\n" : "\"\n");
    if (close == '\0' || at[1 + length] != close)
        return false;
    vec_push(&file->names, arena_strndup(&d->arena, at + 1, length));
    return true;
}

static bool read_directive(struct dependencies *d, struct dependency_file *file, const char *at) {
    at = skip_blanks(at + 1);
    if (text_has_prefix(at, "embed"))
        return false;
    if (!text_has_prefix(at, "include") && !text_has_prefix(at, "import"))
        return true;
    at += strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    if (*at != '\0' && strchr(" \t<\"\n/", *at) == NULL)
        return true; /* a word of a comment: "#include's" in glibc's limits.h */
    return add_name(d, file, skip_blanks(at));
}

static bool read_questions(struct dependencies *d, struct dependency_file *file, const char *text) {
    static const char word[] = "__has_include";
    bool known = true;
    for (const char *at = text; (at = strstr(at, word)) != NULL;) {
        at += strlen(word);
        at += strspn(at, "_next");
        at = skip_blanks(at);
        if (*at != '(')
            continue; /* asks whether there is such a question */
        at = skip_blanks(at + 1);
        if (*at == '<' || *at == '"')
            known = add_name(d, file, at) && known;
        else
            known = false;
    }
    return known;
}

static bool depends_on_more(const char *path, const char *text) {
    static const char *const words[] = {".incbin", "__TIMESTAMP__"};
    for (size_t i = 0; i < sizeof words / sizeof *words && !path_inside("/usr", path); i++)
        if (strstr(text, words[i]) != NULL)
            return true;
    return false;
}

static void read_file(struct dependencies *d, struct dependency_file *file, const char *path) {
    struct error ignored = {0};
    struct stat info;
    char *text = NULL;
    size_t length = 0;
    file->is_read = true;
    if (stat(path, &info) != 0 || file_read(&text, &length, path, &ignored) != 0)
        return;
    file->known = strlen(text) == length && !depends_on_more(path, text);
    file->is_recent = seconds(info.st_mtim) >= d->begin_s || seconds(info.st_ctim) >= d->begin_s;
    file->hash = hash_bytes(HASH_SEED, text, length);
    for (const char *line = text; file->known && line != NULL; line = strchr(line, '\n')) {
        line = *line == '\n' ? line + 1 : line;
        const char *at = skip_blanks(line);
        if (*at == '#')
            file->known = read_directive(d, file, at);
    }
    if (file->known)
        file->known = read_questions(d, file, text);
    free(text);
}

/* All of them */

/* `path` is the directory's with a slash behind it, as far as `length`; it gets the name. */
static bool is_there(struct dependencies *d, struct str *path, size_t length, const char *name) {
    path->length = length;
    str_add(path, name);
    enum presence *presence = hash_table_add_text(&d->presence, str_text(path), sizeof *presence);
    if (*presence == PRESENCE_UNKNOWN)
        *presence = file_exists(str_text(path)) ? PRESENCE_IS_THERE : PRESENCE_IS_MISSING;
    return *presence == PRESENCE_IS_THERE;
}

static void add_once(path_list *list, const char *text) {
    if (!words_contain(list->items, list->count, text))
        vec_push(list, text);
}

static const char *behind(const char *path, const char *own) {
    return own != NULL && path_inside(own, path) ? path + strlen(own) : path;
}

static unsigned long long hash_presence(struct dependencies *d, unsigned long long hash,
                                        const path_list *names, const path_list *directories,
                                        const char *own) {
    struct str path = {0};
    for (size_t i = 0; i < directories->count; i++) {
        hash = hash_text(hash, behind(directories->items[i], own));
        path.length = 0;
        str_add(&path, directories->items[i]);
        str_addc(&path, '/');
        for (size_t k = 0, length = path.length; k < names->count; k++)
            if (is_there(d, &path, length, names->items[k]))
                hash = hash_text(hash, names->items[k]);
    }
    str_dispose(&path);
    return hash;
}

bool dependencies_fingerprint(unsigned long long *out, struct dependencies *d,
                              const path_list *files, const path_list *directories,
                              const char *own) {
    path_list names = {0}, all = {0};
    unsigned long long hash = HASH_SEED;
    bool known = true;
    for (size_t i = 0; i < directories->count; i++)
        add_once(&all, directories->items[i]);
    for (size_t i = 0; i < files->count && known; i++) {
        const char *path = files->items[i];
        bool is_own = own != NULL && path_inside(own, path);
        struct dependency_file *file = hash_table_add_text(&d->files, path, sizeof *file);
        if (!file->is_read)
            read_file(d, file, path);
        known = file->known && (is_own || !file->is_recent);
        hash = hash_text(hash, behind(path, own));
        hash = hash_bytes(hash, &file->hash, sizeof file->hash);
        for (size_t k = 0; k < file->names.count; k++)
            add_once(&names, file->names.items[k]);
        add_once(&all, path_directory(&d->arena, path));
    }
    *out = known ? hash_presence(d, hash, &names, &all, own) : 0;
    vec_dispose(&names);
    vec_dispose(&all);
    return known;
}
