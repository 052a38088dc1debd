/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes and command lines; see point.h.
 */
#include "simulator/sweep/point.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int hash_file(unsigned long long *hash, const char *path, struct error *error) {
    char bytes[1 << 16];
    size_t length;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return error_set(error, "cannot read %s: %s", path, strerror(errno));
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0)
        *hash = hash_bytes(*hash, bytes, length);
    int result = ferror(file) ? error_set(error, "cannot read %s: %s", path, strerror(errno)) : 0;
    fclose(file);
    return result;
}

/* What interrupts ranks is simulated without being asked for. */
static int hash_noise(unsigned long long *hash, const char *path, struct error *error) {
    struct store *store = NULL;
    if (!file_exists(path))
        return 0;
    int result = store_open(&store, path, error);
    if (result == 0)
        result = store_noises_hash(hash, store, error);
    store_close(store);
    return result;
}

int setup_make(struct setup *out, struct arena *arena, const struct bundle *bundle,
               const char *mpiskel, struct error *error) {
    unsigned long long hash = HASH_SEED;
    *out = (struct setup){.arena = arena,
                          .bundle = bundle->regions.bundle,
                          .store = path_join(arena, bundle->directory, "store.db")};
    if (bundle_check_program(bundle, bundle->skeleton, error) != 0 ||
        hash_file(&hash, mpiskel, error) != 0 || hash_file(&hash, bundle->skeleton, error) != 0)
        return -1;
    if (file_exists(bundle->model_file) && hash_file(&hash, bundle->model_file, error) != 0)
        return -1;
    if (hash_noise(&hash, out->store, error) != 0)
        return -1;
    out->hash = arena_printf(arena, "%016llx", hash);
    return 0;
}

void setup_dispose(struct setup *setup) {
    vec_dispose(&setup->inputs);
}

/* ---- Identity ---- */

static int input_hash(unsigned long long *out, struct setup *setup, const char *path,
                      struct error *error) {
    for (size_t i = 0; i < setup->inputs.count; i++)
        if (strcmp(setup->inputs.items[i].path, path) == 0) {
            *out = setup->inputs.items[i].hash;
            return 0;
        }
    *out = HASH_SEED;
    if (hash_file(out, path, error) != 0)
        return -1;
    vec_push(&setup->inputs, (struct point_input){.path = path, .hash = *out});
    return 0;
}

/* Pipes and devices have no contents of their own. */
static bool is_plain_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Goes on with what the word, or the value behind its `=`, names. */
static int add_input(unsigned long long *hash, bool *any, struct setup *setup, const char *word,
                     struct error *error) {
    const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    const char *path = equals != NULL ? equals + 1 : word;
    unsigned long long contents = 0;
    if (!is_plain_file(path))
        return 0;
    if (input_hash(&contents, setup, path, error) != 0)
        return -1;
    *hash = hash_bytes(*hash, &contents, sizeof contents);
    *any = true;
    return 0;
}

/* Written out or shortened, as argp allows. */
static bool is_option(const char *word, const char *option) {
    size_t length = strcspn(word, "=");
    return length > strlen("--") && strncmp(word, option, length) == 0;
}

/* Machines and networks may be looked up in the store. */
static int add_machines(unsigned long long *hash, bool *any, struct setup *setup, const char *word,
                        struct error *error) {
    struct store *store = NULL;
    if (!is_option(word, "--machine") && !is_option(word, "--network"))
        return 0;
    if (!setup->has_machines && file_exists(setup->store)) {
        int result = store_open(&store, setup->store, error);
        if (result == 0)
            result = store_machines_hash(&setup->machines, store, error);
        store_close(store);
        if (result != 0)
            return -1;
    }
    setup->has_machines = true;
    *hash = hash_bytes(*hash, &setup->machines, sizeof setup->machines);
    *any = true;
    return 0;
}

static int hash_inputs(const char **out, struct setup *setup, const struct grid_point *point,
                       struct error *error) {
    unsigned long long hash = HASH_SEED;
    bool any = false;
    for (size_t i = 0; i < point->options.count; i++)
        if (add_input(&hash, &any, setup, point->options.words[i], error) != 0 ||
            add_machines(&hash, &any, setup, point->options.words[i], error) != 0)
            return -1;
    for (size_t i = 0; i < point->arguments.count; i++)
        if (add_input(&hash, &any, setup, point->arguments.words[i], error) != 0)
            return -1;
    *out = any ? arena_printf(setup->arena, "%016llx", hash) : "";
    return 0;
}

static const char *json_of(struct arena *arena, const struct word_list *list) {
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(array, json_string(list->words[i]));
    char *text = json_dumps(array, JSON_COMPACT);
    const char *copy = arena_strdup(arena, text != NULL ? text : "[]");
    free(text);
    json_decref(array);
    return copy;
}

static int check_utf8(const struct word_list *list, struct error *error) {
    for (size_t i = 0; i < list->count; i++) {
        json_t *text = json_string(list->words[i]);
        if (text == NULL)
            return error_set(error,
                             "'%s' is not UTF-8; the store keeps only such options and "
                             "arguments",
                             list->words[i]);
        json_decref(text);
    }
    return 0;
}

int point_identify(struct point_key *out, struct setup *setup, const struct grid_point *point,
                   struct error *error) {
    *out = (struct point_key){.bundle = setup->bundle, .setup = setup->hash, .ranks = point->ranks};
    if (check_utf8(&point->options, error) != 0 || check_utf8(&point->arguments, error) != 0 ||
        hash_inputs(&out->inputs, setup, point, error) != 0)
        return -1;
    out->arguments = json_of(setup->arena, &point->arguments);
    out->options = json_of(setup->arena, &point->options);
    unsigned long long hash = hash_text(HASH_SEED, out->bundle);
    hash = hash_text(hash, out->setup);
    hash = hash_text(hash, out->inputs);
    hash = hash_text(hash, arena_printf(setup->arena, "%zu", out->ranks));
    hash = hash_text(hash, out->arguments);
    hash = hash_text(hash, out->options);
    out->id = arena_printf(setup->arena, "%016llx", hash);
    return 0;
}

const char *const *point_command(struct arena *arena, const char *mpiskel, const char *bundle,
                                 const struct grid_point *point) {
    size_t count = 0;
    const char **words =
        ARENA_ARRAY(arena, const char *, point->options.count + point->arguments.count + 10);
    words[count++] = mpiskel;
    words[count++] = "run";
    words[count++] = bundle;
    words[count++] = "-np";
    words[count++] = arena_printf(arena, "%zu", point->ranks);
    words[count++] = "--format=json";
    words[count++] = "--no-progress";
    words[count++] = "--iterations=if-long"; /* before those of the user */
    for (size_t i = 0; i < point->options.count; i++)
        words[count++] = point->options.words[i];
    words[count++] = "--";
    for (size_t i = 0; i < point->arguments.count; i++)
        words[count++] = point->arguments.words[i];
    return words;
}
