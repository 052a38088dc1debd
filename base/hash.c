/* SPDX-License-Identifier: Apache-2.0
 *
 * See hash.h.
 */
#include "base/hash.h"

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
