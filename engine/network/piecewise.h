/* SPDX-License-Identifier: Apache-2.0
 *
 * Factors and overheads that depend on the size of a message, in SimGrid's form and with its
 * rules: `SIZE:FACTOR;SIZE:FACTOR...` (smpi/bw-factor, smpi/lat-factor) and
 * `SIZE:SECONDS:SECONDS_PER_BYTE;...` (smpi/os, smpi/ois, smpi/or). A piece holds for sizes above
 * its own; at or below the first piece's size the default holds.
 */
#pragma once

#include "base/error.h"

#include <stddef.h>

struct piece {
    double size_bytes, constant, per_byte;
};

struct piecewise {
    struct piece *of;
    size_t count;
    double by_default; /* for sizes at or below the first piece's */
};

/* NULL as text: the default for all sizes. The error tells the text, not the place. */
int piecewise_parse(struct piecewise *out, const char *text, double by_default,
                    struct error *error);
void piecewise_dispose(struct piecewise *piecewise);

/* constant + per_byte * size of the piece that holds. */
double piecewise_at(const struct piecewise *piecewise, double size_bytes);
