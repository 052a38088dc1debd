/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and looks up factors by size; see piecewise.h. The rules are those of SMPI 3.32: pieces
 * are sorted by size, and the last one whose size is below the message's holds.
 */
#include "engine/network/piecewise.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_size(const void *left, const void *right) {
    const struct piece *a = left, *b = right;
    return (a->size_bytes > b->size_bytes) - (a->size_bytes < b->size_bytes);
}

/* One number of a piece, and the ':' behind it. */
static bool take_number(double *out, const char **rest) {
    char *end;
    *out = strtod(*rest, &end);
    if (end == *rest || !isfinite(*out))
        return false;
    *rest = *end == ':' ? end + 1 : end;
    return true;
}

static bool take_piece(struct piece *out, const char **rest) {
    *out = (struct piece){0};
    if (!take_number(&out->size_bytes, rest) || (*rest)[-1] != ':' ||
        !take_number(&out->constant, rest))
        return false;
    if ((*rest)[-1] == ':' && !take_number(&out->per_byte, rest))
        return false;
    return **rest == '\0' || *(*rest)++ == ';';
}

int piecewise_parse(struct piecewise *out, const char *text, double by_default,
                    struct error *error) {
    *out = (struct piecewise){.by_default = by_default};
    if (text == NULL)
        return 0;
    for (const char *rest = text; *rest != '\0';) {
        out->of = xrealloc(out->of, (out->count + 1) * sizeof *out->of);
        if (!take_piece(&out->of[out->count++], &rest)) {
            piecewise_dispose(out);
            return error_set(error,
                             "'%s' is no list of factors by size, such as 0:1;65536:0.9: it goes "
                             "wrong before '%s'",
                             text, rest);
        }
    }
    if (out->count > 1)
        qsort(out->of, out->count, sizeof *out->of, by_size);
    return 0;
}

void piecewise_dispose(struct piecewise *piecewise) {
    free(piecewise->of);
    *piecewise = (struct piecewise){0};
}

double piecewise_at(const struct piecewise *piecewise, double size_bytes) {
    size_t i = piecewise->count;
    while (i > 0 && size_bytes <= piecewise->of[i - 1].size_bytes)
        i--;
    if (i == 0)
        return piecewise->by_default;
    return piecewise->of[i - 1].constant + piecewise->of[i - 1].per_byte * size_bytes;
}
