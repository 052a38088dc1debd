/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of addresses and their multiples; see address_sum.h. What is multiplied by something that is
 * no number moves by an expression of the program's: NAN.
 */
#include "skeletonizer/signature/address_sum.h"

#include <math.h>

struct address address_unknown(void) {
    return (struct address){.base = "", .terms = "", .is_unknown = true};
}

struct address address_constant(double value) {
    return (struct address){.base = "", .terms = "", .offset = value};
}

bool address_moves(const struct address *address) {
    for (int i = 0; i < SIGNATURE_STEPS_MAX; i++)
        if (address->step[i] != 0)
            return true;
    return address->is_indexed || address->is_chased || address->is_unknown;
}

/* Something that stays as long as the loops around do. */
struct address address_term(const char *text) {
    return (struct address){.base = "", .terms = text};
}

static const char *join(struct arena *arena, const char *a, const char *between, const char *b) {
    if (a[0] == '\0' && between[0] != '-')
        return b;
    return b[0] == '\0' ? a : arena_printf(arena, "%s%s%s", a, between, b);
}

struct address address_add(struct arena *arena, struct address a, struct address b, double sign) {
    struct address sum = a;
    for (int i = 0; i < SIGNATURE_STEPS_MAX; i++)
        sum.step[i] += sign * b.step[i];
    sum.offset += sign * b.offset;
    sum.base = a.base[0] != '\0' ? a.base : b.base;
    sum.terms = join(arena, a.terms, sign < 0 ? "-" : "+", b.terms);
    sum.is_indexed = a.is_indexed || b.is_indexed;
    sum.is_chased = a.is_chased || b.is_chased;
    sum.is_unknown = a.is_unknown || b.is_unknown;
    return sum;
}

bool address_is_number(const struct address *address) {
    return !address_moves(address) && address->terms[0] == '\0' && address->base[0] == '\0';
}

struct address address_scale(struct arena *arena, struct address a, struct address factor) {
    bool by_number = address_is_number(&factor);
    for (int i = 0; i < SIGNATURE_STEPS_MAX; i++)
        if (a.step[i] != 0)
            a.step[i] = by_number ? a.step[i] * factor.offset : NAN;
    if (!by_number) {
        const char *with = join(arena, factor.terms, "+",
                                factor.offset != 0 ? arena_printf(arena, "%g", factor.offset) : "");
        const char *own = a.offset != 0
                              ? join(arena, a.terms, "+", arena_printf(arena, "%g", a.offset))
                              : a.terms;
        a.terms = own[0] != '\0' ? arena_printf(arena, "(%s)*(%s)", own, with) : "";
        a.offset = 0;
        return a;
    }
    a.offset *= factor.offset;
    if (a.terms[0] != '\0' && factor.offset != 1)
        a.terms = arena_printf(arena, "%g*(%s)", factor.offset, a.terms);
    return a;
}

struct address address_multiply(struct arena *arena, struct address a, struct address b) {
    if (address_moves(&a) && address_moves(&b))
        return address_unknown();
    if (address_is_number(&a) || (address_moves(&b) && !address_is_number(&b)))
        return address_scale(arena, b, a);
    return address_scale(arena, a, b);
}
