/* SPDX-License-Identifier: Apache-2.0 */
#include "model/findings/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define TEXT_BYTES 600

void findings_dispose(struct findings *findings) {
    vec_dispose(&findings->items);
    arena_dispose(&findings->arena);
}

void findings_add(struct findings *out, const char *kind, double share, const char *remedy,
                  const char *format, ...) {
    char text[TEXT_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    vec_push(&out->items, (struct finding){.kind = kind,
                                           .share = fmin(fmax(share, 0), 1),
                                           .remedy = remedy,
                                           .text = arena_strdup(&out->arena, text)});
}

/* By insertion: there are a few, and equal ones keep their order. */
void findings_sort(struct findings *findings) {
    for (size_t i = 1; i < findings->items.count; i++)
        for (size_t k = i; k > 0; k--) {
            struct finding *one = &findings->items.items[k - 1], *other = one + 1;
            if (one->share >= other->share)
                break;
            struct finding kept = *one;
            *one = *other;
            *other = kept;
        }
}

void findings_put_first(struct findings *findings) {
    for (size_t k = findings->items.count; k-- > 1;) {
        struct finding *one = &findings->items.items[k - 1], *other = one + 1;
        struct finding last = *other;
        *other = *one;
        *one = last;
    }
    findings->items.items[0].is_first = true;
}
