/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of numbers and conditions; see synth_quantity.h. A number that does not exist in a
 * situation (a loop that is not around it, a group without the rank) is 0, a condition does not
 * hold. Block-cyclic local sizes are those of ScaLAPACK's numroc.
 */
#include "synthesis/eval/synth_quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct synth_iteration loop_at(const struct synth_situation *at, int depth) {
    return depth >= 0 && depth < at->depth ? at->loops[depth] : (struct synth_iteration){0, 1};
}

static double parameter(const struct synth_situation *at, int number) {
    return number < at->world->parameter_count ? at->world->parameters[number] : 0;
}

static struct synth_place place_a(const struct synth_situation *at,
                                  const struct synth_quantity *of) {
    return bsim_synth_place(at, of->a);
}

static struct synth_place place_b(const struct synth_situation *at,
                                  const struct synth_quantity *of) {
    return bsim_synth_place(at, of->b);
}

static int log2_floor(int number) {
    int result = 0;
    while (number > 1) {
        number /= 2;
        result++;
    }
    return result;
}

static int index_of(const struct synth_situation *at, int depth) {
    return loop_at(at, depth).index;
}

static int left_of(const struct synth_situation *at, int depth) {
    struct synth_iteration loop = loop_at(at, depth);
    return loop.count - 1 - loop.index;
}

/* ---- Numbers ---- */

static double ranks(const struct synth_situation *at, const struct synth_quantity *of) {
    (void)of;
    return at->world->ranks;
}

static double plain_parameter(const struct synth_situation *at, const struct synth_quantity *of) {
    return parameter(at, of->a);
}

static double size(const struct synth_situation *at, const struct synth_quantity *of) {
    return place_a(at, of).size;
}

static double position(const struct synth_situation *at, const struct synth_quantity *of) {
    return place_a(at, of).position;
}

static double iteration(const struct synth_situation *at, const struct synth_quantity *of) {
    return index_of(at, of->a);
}

static double iterations_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return left_of(at, of->a);
}

static double half_index(const struct synth_situation *at, const struct synth_quantity *of) {
    return index_of(at, of->a) / 2;
}

static double half_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return left_of(at, of->a) / 2;
}

static double odd_index(const struct synth_situation *at, const struct synth_quantity *of) {
    return index_of(at, of->a) % 2;
}

static double power_index(const struct synth_situation *at, const struct synth_quantity *of) {
    int index = index_of(at, of->a);
    return index < 40 ? ldexp(1, index) : 0;
}

static double power_left(const struct synth_situation *at, const struct synth_quantity *of) {
    int left = left_of(at, of->a);
    return left < 40 ? ldexp(1, left) : 0;
}

static double log_size(const struct synth_situation *at, const struct synth_quantity *of) {
    return log2_floor(place_a(at, of).size);
}

static double log_size_up(const struct synth_situation *at, const struct synth_quantity *of) {
    int of_size = place_a(at, of).size;
    return of_size > 1 ? log2_floor(of_size - 1) + 1 : 0;
}

static double is_split(const struct synth_situation *at, const struct synth_quantity *of) {
    return place_a(at, of).size > 1;
}

static double split_dimensions(const struct synth_situation *at, const struct synth_quantity *of) {
    int count = 0;
    if (of->a < at->world->group_count)
        for (int k = 0; k < at->world->groups[of->a].dimension_count; k++)
            count += at->world->groups[of->a].dimensions[k] > 1;
    return count;
}

static double ratio_up(const struct synth_situation *at, const struct synth_quantity *of) {
    double by = parameter(at, of->b);
    return by > 0 ? ceil(parameter(at, of->a) / by) : 0;
}

static double extent(double all, struct synth_place place) {
    if (place.size <= 0 || place.position < 0)
        return 0;
    double least = floor(all / place.size);
    return least + (place.position < all - least * place.size ? 1 : 0);
}

static double local_extent(const struct synth_situation *at, const struct synth_quantity *of) {
    return extent(parameter(at, of->a), place_b(at, of));
}

static double share(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_b(at, of);
    return place.size > 0 ? floor(parameter(at, of->a) / place.size) : 0;
}

static double share_up(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_b(at, of);
    return place.size > 0 ? ceil(parameter(at, of->a) / place.size) : 0;
}

static double exact_share(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_b(at, of);
    return place.size > 0 ? parameter(at, of->a) / place.size : 0;
}

static double cells(const struct synth_situation *at, const struct synth_quantity *of) {
    double product = 1;
    if (of->b >= at->world->group_count || at->world->groups[of->b].dimension_count == 0)
        return 0;
    for (int k = 0; k < at->world->groups[of->b].dimension_count; k++)
        product *= extent(parameter(at, of->a), bsim_synth_place(at, SYNTH_AXIS(of->b, k + 1)));
    return product;
}

static double cyclic(double all, double block, struct synth_place place) {
    if (block < 1 || place.size <= 0 || place.position < 0)
        return 0;
    double blocks = floor(all / block), whole = floor(blocks / place.size);
    double extra = blocks - whole * place.size;
    double more = place.position < extra    ? block
                  : place.position == extra ? all - blocks * block
                                            : 0;
    return whole * block + more;
}

static double rows_left(const struct synth_situation *at, const struct synth_quantity *of,
                        int first) {
    double all = parameter(at, of->a), block = parameter(at, of->b);
    struct synth_place place = bsim_synth_place(at, of->c);
    double done = fmin(all, first * block);
    return cyclic(all, block, place) - cyclic(done, block, place);
}

/* Of a matrix, rows that are left of this rank from, and behind, the block of the outermost loop.
 */
static double cyclic_all(const struct synth_situation *at, const struct synth_quantity *of) {
    return rows_left(at, of, 0);
}

static double cyclic_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return rows_left(at, of, index_of(at, 0));
}

static double cyclic_behind(const struct synth_situation *at, const struct synth_quantity *of) {
    return rows_left(at, of, index_of(at, 0) + 1);
}

static double blocks_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return fmax(0, parameter(at, of->a) - index_of(at, 0) * parameter(at, of->b));
}

static double block_width(const struct synth_situation *at, const struct synth_quantity *of) {
    return fmax(0, fmin(parameter(at, of->b), blocks_left(at, of)));
}

const struct synth_quantity_kind bsim_synth_quantities[] = {
    {"parameter", "P", plain_parameter},
    {"ranks", "", ranks},
    {"size", "A", size},
    {"position", "A", position},
    {"split", "A", is_split},
    {"extent", "PA", local_extent},
    {"ratio-up", "PP", ratio_up},
    {"log", "A", log_size},
    {"log-up", "A", log_size_up},
    {"split-dimensions", "G", split_dimensions},
    {"share", "PA", share},
    {"share-up", "PA", share_up},
    {"exact-share", "PA", exact_share},
    {"cells", "PG", cells},
    {"cyclic", "PPA", cyclic_all},
    {"iteration", "L", iteration},
    {"left", "L", iterations_left},
    {"half-iteration", "L", half_index},
    {"half-left", "L", half_left},
    {"odd-iteration", "L", odd_index},
    {"power-iteration", "L", power_index},
    {"power-left", "L", power_left},
    {"blocks-left", "PP", blocks_left},
    {"block-width", "PP", block_width},
    {"cyclic-left", "PPA", cyclic_left},
    {"cyclic-behind", "PPA", cyclic_behind},
    {NULL, NULL, NULL}};

/* ---- Conditions ---- */

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
    return place_a(at, of).size > 0 && turn(at, of) == of->c;
}

static double turn_from_end_is(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    return place.size > 0 && place.size - 1 - turn(at, of) == of->c;
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
    return cyclic_behind(at, of) == 0;
}

static double has_no_rows_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return cyclic_left(at, of) == 0;
}

const struct synth_quantity_kind bsim_synth_conditions[] = {
    {"position-is", "AN", position_is},
    {"from-end-is", "AN", from_end_is},
    {"size-is", "AN", size_is},
    {"size-over", "AN", size_is_over},
    {"position-odd", "A", position_is_odd},
    {"iteration-is", "LN", index_is},
    {"left-is", "LN", left_is},
    {"iteration-odd", "L", index_is_odd},
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
    {"in-period", "LNN", index_in_period},
    {NULL, NULL, NULL}};

/* ---- Both ---- */

double bsim_synth_number(const struct synth_situation *at, const struct synth_quantity *of) {
    return bsim_synth_quantities[of->kind].value(at, of);
}

bool bsim_synth_holds(const struct synth_situation *at, const struct synth_quantity *of) {
    return bsim_synth_conditions[of->kind].value(at, of) != 0;
}

static long most_of(char takes) {
    return takes == 'P'   ? SYNTH_PARAMETERS_MOST - 1
           : takes == 'A' ? SYNTH_AXES_MOST - 1
           : takes == 'G' ? SYNTH_GROUPS_MOST - 1
           : takes == 'L' ? SYNTH_LOOPS_MOST - 1
                          : 10000;
}

static int parse_arguments(struct synth_quantity *out, const char *takes, const char *text) {
    short *const arguments[] = {&out->a, &out->b, &out->c};
    char *end = (char *)text;
    for (size_t i = 0; takes[i] != '\0'; i++) {
        if (*end++ != '.' || *end < '0' || *end > '9')
            return -1;
        long number = strtol(end, &end, 10);
        if (number > most_of(takes[i]))
            return -1;
        *arguments[i] = (short)number;
    }
    return *end == '\0' ? 0 : -1;
}

int bsim_synth_quantity_parse(struct synth_quantity *out, const struct synth_quantity_kind *kinds,
                              const char *word) {
    size_t length = strcspn(word, ".");
    *out = (struct synth_quantity){0};
    for (int i = 0; kinds[i].name != NULL; i++)
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, word, length) == 0) {
            out->kind = (short)i;
            return parse_arguments(out, kinds[i].takes, word + length);
        }
    return -1;
}

void bsim_synth_quantity_text(char *out, size_t size_, const struct synth_quantity_kind *kinds,
                              const struct synth_quantity *of) {
    const struct synth_quantity_kind *kind = &kinds[of->kind];
    const short arguments[] = {of->a, of->b, of->c};
    int length = snprintf(out, size_, "%s", kind->name);
    for (size_t i = 0; kind->takes[i] != '\0' && length >= 0 && (size_t)length < size_; i++)
        length += snprintf(out + length, size_ - (size_t)length, ".%d", arguments[i]);
}
