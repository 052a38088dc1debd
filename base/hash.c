/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include "base/error.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

unsigned long long hash_bytes(unsigned long long hash, const void *bytes, size_t length) {
    const unsigned char *next = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ next[i]) * 1099511628211ULL;
    return hash;
}

unsigned long long hash_text(unsigned long long hash, const char *text) {
    return hash_bytes(hash, text, strlen(text) + 1);
}

const char *hash_of_file(struct arena *arena, const char *path) {
    char *bytes = NULL;
    size_t length = 0;
    struct error ignored = {0};
    if (file_read(&bytes, &length, path, &ignored) != 0)
        return NULL;
    const char *digits = arena_printf(arena, "%016llx", hash_bytes(HASH_SEED, bytes, length));
    free(bytes);
    return digits;
}
