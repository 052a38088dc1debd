/* SPDX-License-Identifier: Apache-2.0
 *
 * An entry is one line, "mpiskel-cache 1 NAME LENGTH HASH", and LENGTH bytes with that hash
 * (FNV-1a: against accidents, not against attackers).
 */
#include "base/cache.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *head_of(struct arena *arena, const char *name, const char *bytes, size_t length) {
    return arena_printf(arena, "mpiskel-cache 1 %s %zu %016llx\n", name, length,
                        hash_bytes(HASH_SEED, bytes, length));
}

bool cache_get(char **out, size_t *out_length, const struct cache *cache, const char *name) {
    struct error ignored = {0};
    char *text = NULL;
    size_t length = 0;
    if (cache->old == NULL)
        return false;
    const char *path = path_join(cache->arena, cache->old, name);
    if (!file_exists(path) || file_read(&text, &length, path, &ignored) != 0)
        return false;
    const char *newline = memchr(text, '\n', length);
    size_t head = newline != NULL ? (size_t)(newline - text) + 1 : length;
    const char *wanted = head_of(cache->arena, name, text + head, length - head);
    bool sound = head == strlen(wanted) && memcmp(text, wanted, head) == 0;
    if (sound) {
        *out_length = length - head;
        *out = arena_strndup(cache->arena, text + head, *out_length);
    } else {
        note("note: %s is damaged or of another version; what it held is made again", path);
    }
    free(text);
    return sound;
}

int cache_put(const struct cache *cache, const char *name, const char *bytes, size_t length,
              struct error *error) {
    struct str text = {0};
    if (cache->current == NULL)
        return 0;
    str_add(&text, head_of(cache->arena, name, bytes, length));
    str_addn(&text, bytes, length);
    int result = directory_make(cache->current, error);
    if (result == 0)
        result = file_write(path_join(cache->arena, cache->current, name), text.text, text.length,
                            error);
    str_dispose(&text);
    return result;
}

int cache_carry(const struct cache *cache, const char *name, struct error *error) {
    char *bytes = NULL;
    size_t length = 0;
    if (cache->old == NULL || cache->current == NULL || strcmp(cache->old, cache->current) == 0)
        return 0;
    const char *from = path_join(cache->arena, cache->old, name);
    const char *to = path_join(cache->arena, cache->current, name);
    if (!file_exists(from))
        return 0;
    if (directory_make(cache->current, error) != 0)
        return -1;
    unlink(to);
    if (link(from, to) == 0)
        return 0;
    return cache_get(&bytes, &length, cache, name) ? cache_put(cache, name, bytes, length, error)
                                                   : 0;
}

bool cache_take_line(const char **out, struct cache_reader *reader, struct arena *arena) {
    size_t left = (size_t)(reader->end - reader->at);
    const char *newline = memchr(reader->at, '\n', left);
    if (newline == NULL)
        return false;
    *out = arena_strndup(arena, reader->at, (size_t)(newline - reader->at));
    reader->at = newline + 1;
    return true;
}

bool cache_take_number(unsigned long long *out, struct cache_reader *reader, const char *word) {
    size_t length = strlen(word), left = (size_t)(reader->end - reader->at);
    char digits[24] = "";
    const char *newline = memchr(reader->at, '\n', left);
    if (newline == NULL || (size_t)(newline - reader->at) <= length + 1 ||
        strncmp(reader->at, word, length) != 0 || reader->at[length] != ' ')
        return false;
    size_t count = (size_t)(newline - reader->at) - length - 1;
    if (count >= sizeof digits || !isdigit((unsigned char)reader->at[length + 1]))
        return false;
    memcpy(digits, reader->at + length + 1, count);
    char *end = NULL;
    errno = 0;
    *out = strtoull(digits, &end, 10);
    reader->at = newline + 1;
    return *end == '\0' && errno == 0;
}

bool cache_take_bytes(const char **out, struct cache_reader *reader, size_t length) {
    if ((size_t)(reader->end - reader->at) < length)
        return false;
    *out = reader->at;
    reader->at += length;
    return true;
}
