/* SPDX-License-Identifier: Apache-2.0
 *
 * Locations: bytes that repeat with a stride. Two of them overlap if some repetition of one touches
 * some repetition of the other; with strides s and t the offsets matter only modulo gcd(s, t).
 */
#include "skeletonizer/pointsto/pointsto.h"

long long location_gcd(long long a, long long b) {
    if (a == b || a == 1) /* most are */
        return a;
    while (b != 0) {
        long long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static long long modulo(long long a, long long m) {
    long long rest = a % m;
    return rest < 0 ? rest + m : rest;
}

bool location_overlap(struct location one, struct location other) {
    if (one.object != other.object)
        return false;
    if (one.stride_bytes == 1 || other.stride_bytes == 1) /* anywhere; without dividing */
        return true;
    long long step = location_gcd(one.stride_bytes, other.stride_bytes);
    long long distance = other.offset_bytes - one.offset_bytes;
    if (step == 0) {
        if (distance >= 0)
            return one.length_bytes == 0 || distance < one.length_bytes;
        return other.length_bytes == 0 || -distance < other.length_bytes;
    }
    if (one.length_bytes == 0 || other.length_bytes == 0)
        return true;
    distance = modulo(distance, step);
    return distance < one.length_bytes || step - distance < other.length_bytes || distance == 0;
}

/* Of what repeats all that is copied may be more than one repetition. */
static bool has_repetitions(struct location from) {
    return from.stride_bytes > 0 &&
           (from.length_bytes == 0 || from.length_bytes > from.stride_bytes);
}

struct location_shift location_shift_of(struct location part, struct location from) {
    struct location_shift out = {.distance_bytes = part.offset_bytes - from.offset_bytes,
                                 .length_bytes = part.length_bytes};
    bool comparable =
        part.stride_bytes == 0 || part.stride_bytes == from.stride_bytes || from.stride_bytes == 0;
    if (from.stride_bytes > 0)
        out.distance_bytes = modulo(out.distance_bytes, from.stride_bytes);
    bool inside = out.distance_bytes >= 0 &&
                  (from.length_bytes == 0 || out.distance_bytes < from.length_bytes);
    if (from.stride_bytes == 0)
        out.stride_bytes = part.stride_bytes;
    else if (has_repetitions(from))
        out.stride_bytes = from.stride_bytes;
    bool is_known = comparable && inside && from.stride_bytes != 1; /* which is anywhere */
    return is_known ? out : (struct location_shift){.is_anywhere = true};
}

struct location location_shifted(struct location to, struct location_shift shift) {
    if (shift.is_anywhere || to.stride_bytes == 1)
        return to;
    to.offset_bytes += shift.distance_bytes;
    to.length_bytes = shift.length_bytes;
    if (shift.stride_bytes > 0)
        to.stride_bytes = location_gcd(to.stride_bytes, shift.stride_bytes);
    return to;
}

struct location location_translate(struct location part, struct location from, struct location to) {
    return location_shifted(to, location_shift_of(part, from));
}
