/* SPDX-License-Identifier: Apache-2.0 */
#include "synthesis/eval/synth_arguments.h"

#include <limits.h>
#include <math.h>

static double index_is(const struct synth_situation *at, const struct synth_quantity *of) {
    return index_of(at, of->a) == of->b;
}

static double left_is(const struct synth_situation *at, const struct synth_quantity *of) {
    return left_of(at, of->a) == of->b;
}

static double index_is_odd(const struct synth_situation *at, const struct synth_quantity *of) {
    return index_of(at, of->a) % 2 != 0;
}

static double index_in_period(const struct synth_situation *at, const struct synth_quantity *of) {
    return of->b > 0 && index_of(at, of->a) % of->b == of->c;
}

static double size_is(const struct synth_situation *at, const struct synth_quantity *of) {
    return place_a(at, of).size == of->b;
}

static double size_is_over(const struct synth_situation *at, const struct synth_quantity *of) {
    return place_a(at, of).size > of->b;
}

static double position_is(const struct synth_situation *at, const struct synth_quantity *of) {
    return place_a(at, of).position == of->b;
}

static double from_end_is(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    return place.size > 0 && place.size - 1 - place.position == of->b;
}

static double is_at_end(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    return place.size > 0 && (place.position == 0 || place.position == place.size - 1);
}

static double position_is_odd(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    return place.position > 0 && place.position % 2 != 0;
}

static double size_is_power(const struct synth_situation *at, const struct synth_quantity *of) {
    int of_size = place_a(at, of).size;
    return of_size > 0 && (of_size & (of_size - 1)) == 0;
}

static int power_below(int number) {
    return 1 << log2_floor(number);
}

static double beyond_power(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    return place.size > 0 && place.position >= power_below(place.size);
}

static double has_partner(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    return place.size > 0 && place.position < place.size - power_below(place.size);
}

static int turn(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    int behind = place.size > 0 ? (place.position - index_of(at, of->b)) % place.size : -1;
    return behind < 0 && place.size > 0 ? behind + place.size : behind;
}

static double turn_is(const struct synth_situation *at, const struct synth_quantity *of) {
    int size = place_a(at, of).size;
    return size > 0 && turn(at, of) == of->c % size; /* whose turn comes next is around, too */
}

static double turn_from_end_is(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    return place.size > 0 && place.size - 1 - turn(at, of) == of->c % place.size;
}

static double turn_is_odd(const struct synth_situation *at, const struct synth_quantity *of) {
    return place_a(at, of).size > 0 && turn(at, of) % 2 != 0;
}

#define BITS_MOST 24

static bool has_bit(int position_, int bit) {
    return position_ >= 0 && bit < BITS_MOST && (position_ >> bit & 1) != 0;
}

static bool is_multiple(int position_, int bit) {
    return position_ >= 0 && bit <= BITS_MOST && position_ % (1 << bit) == 0;
}

static double bit_of_index(const struct synth_situation *at, const struct synth_quantity *of) {
    return has_bit(place_a(at, of).position, index_of(at, of->b));
}

static double bit_of_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return has_bit(place_a(at, of).position, left_of(at, of->b));
}

static double multiple_of_index(const struct synth_situation *at, const struct synth_quantity *of) {
    return is_multiple(place_a(at, of).position, index_of(at, of->b));
}

static double multiple_of_next(const struct synth_situation *at, const struct synth_quantity *of) {
    return is_multiple(place_a(at, of).position, index_of(at, of->b) + 1);
}

static double multiple_of_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return is_multiple(place_a(at, of).position, left_of(at, of->b));
}

static double reaches(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    int index = index_of(at, of->b);
    return index < BITS_MOST && place.position + (1 << index) < place.size;
}

static double dimension_is_wide(const struct synth_situation *at, const struct synth_quantity *of) {
    int seen = 0, wanted = index_of(at, of->b) / (of->c + 1);
    if (of->a >= at->world->group_count)
        return 0;
    const struct synth_group *group = &at->world->groups[of->a];
    for (int k = 0; k < group->dimension_count; k++)
        if (group->dimensions[k] > 1 && seen++ == wanted)
            return group->dimensions[k] > 2;
    return 0;
}

static double is_last_block(const struct synth_situation *at, const struct synth_quantity *of) {
    return (index_of(at, 0) + 1) * parameter(at, of->b) >= parameter(at, of->a);
}

static double has_no_rows_behind(const struct synth_situation *at,
                                 const struct synth_quantity *of) {
    return bsim_synth_cyclic_behind(at, of) == 0;
}

static double has_no_rows_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return bsim_synth_cyclic_left(at, of) == 0;
}

static double has_children(const struct synth_situation *at, const struct synth_quantity *of) {
    return children(place_a(at, of)) > of->b;
}

static double low_bit_is(const struct synth_situation *at, const struct synth_quantity *of) {
    return low_bit(place_a(at, of).position) == 1 << of->b % BITS_MOST;
}

static double digit_is(const struct synth_situation *at, const struct synth_quantity *of) {
    return bsim_synth_digit(at, of) == of->d;
}

/* Directions that are numbered have each of theirs in a bit. */
static double digit_has_bit(const struct synth_situation *at, const struct synth_quantity *of) {
    return has_bit((int)fmin(bsim_synth_digit(at, of), INT_MAX), of->d);
}

const struct synth_quantity_kind bsim_synth_conditions[] = {
    {"position-is", "AN", position_is},
    {"from-end-is", "AN", from_end_is},
    {"size-is", "AN", size_is},
    {"size-over", "AN", size_is_over},
    {"position-odd", "A", position_is_odd},
    {"iteration-odd", "L", index_is_odd},
    {"iteration-is", "LN", index_is},
    {"left-is", "LN", left_is},
    {"turn-is", "ALN", turn_is},
    {"turn-from-end-is", "ALN", turn_from_end_is},
    {"turn-odd", "AL", turn_is_odd},
    {"size-power", "A", size_is_power},
    {"beyond-power", "A", beyond_power},
    {"has-partner", "A", has_partner},
    {"bit", "AL", bit_of_index},
    {"bit-left", "AL", bit_of_left},
    {"multiple", "AL", multiple_of_index},
    {"multiple-next", "AL", multiple_of_next},
    {"multiple-left", "AL", multiple_of_left},
    {"reaches", "AL", reaches},
    {"wide-dimension", "GLN", dimension_is_wide},
    {"last-block", "PP", is_last_block},
    {"no-rows-behind", "PPA", has_no_rows_behind},
    {"no-rows-left", "PPA", has_no_rows_left},
    {"has-children", "AN", has_children},
    {"low-bit-is", "AN", low_bit_is},
    {"in-period", "LNN", index_in_period},
    {"digit-bit", "LCCN", digit_has_bit},
    {"digit-is", "LCCN", digit_is},
    {"at-end", "A", is_at_end},
    {NULL, NULL, NULL}};
