/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of numbers, and how both tables are written; see synth_quantity.h. A number that does
 * not exist in a situation (a loop that is not around it, a group without the rank) is 0, a
 * condition does not hold. Block-cyclic local sizes are those of ScaLAPACK's numroc.
 */
#include "synthesis/eval/synth_arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Counts ---- */

static double ratio(double of, double by) {
    return by > 0 ? ceil(of / by) : 0;
}

static double count_value(const struct synth_situation *at, int count) {
    if (count < SYNTH_COUNT_PARAMETER(0))
        return count;
    if (count < SYNTH_COUNT_RATIO(0, 0))
        return parameter(at, count - SYNTH_COUNT_PARAMETER(0));
    if (count >= SYNTH_COUNT_SIZE(0))
        return bsim_synth_place(at, count - SYNTH_COUNT_SIZE(0)).size;
    count -= SYNTH_COUNT_RATIO(0, 0);
    return ratio(parameter(at, count / SYNTH_PARAMETERS_MOST),
                 parameter(at, count % SYNTH_PARAMETERS_MOST));
}

long long bsim_synth_count(const struct synth_situation *at, int count) {
    double value = count_value(at, count);
    return value >= 1 && value < 1e9 && value == floor(value) ? (long long)value : 0;
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

/* How far it is to the nearest end, in thousandths of the axis: features of latencies count from 1.
 */
static double end_share(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_a(at, of);
    double from_start = place.position + 0.5;
    return place.size > 0 && place.position >= 0
               ? 1000 * fmin(from_start, place.size - from_start) / place.size
               : 0;
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

/* Which dimension it is, where iterations go through those that are split: `c` 0: one for each, 1:
 * two, 2: two, from the last one backwards. */
static double split_dimension(const struct synth_situation *at, const struct synth_quantity *of) {
    int wanted = index_of(at, of->b) / (of->c > 0 ? 2 : 1), seen = 0;
    if (of->c == 2)
        wanted = (int)split_dimensions(at, of) - 1 - wanted;
    if (of->a >= at->world->group_count)
        return 0;
    const struct synth_group *group = &at->world->groups[of->a];
    for (int k = 0; k < group->dimension_count; k++)
        if (group->dimensions[k] > 1 && seen++ == wanted)
            return k;
    return group->dimension_count;
}

static double ratio_up(const struct synth_situation *at, const struct synth_quantity *of) {
    return ratio(parameter(at, of->a), parameter(at, of->b));
}

/* Loops in loops of one frame are seen as one loop, whose count is a product: of an iteration
 * number the digit behind which `b` iterations lie, of `c` such digits; c = 0: all that is above.
 */
double bsim_synth_digit(const struct synth_situation *at, const struct synth_quantity *of) {
    long long below = bsim_synth_count(at, of->b), digits = bsim_synth_count(at, of->c);
    long long above = below > 0 ? index_of(at, of->a) / below : 0;
    return (double)(digits > 0 ? above % digits : above);
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

/* Other ways to deal out what does not divide: as evenly as borders at whole numbers can lie, and
 * blocks as large as the largest, of which the last is what is left. */
static double even_extent(const struct synth_situation *at, const struct synth_quantity *of) {
    double all = parameter(at, of->a);
    struct synth_place place = place_b(at, of);
    if (place.size <= 0 || place.position < 0)
        return 0;
    return floor((place.position + 1) * all / place.size) -
           floor(place.position * all / place.size);
}

static double block_extent(const struct synth_situation *at, const struct synth_quantity *of) {
    double all = parameter(at, of->a);
    struct synth_place place = place_b(at, of);
    if (place.size <= 0 || place.position < 0)
        return 0;
    double block = ceil(all / place.size);
    return fmax(0, fmin(block, all - place.position * block));
}

static double share(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_b(at, of);
    return place.size > 0 ? floor(parameter(at, of->a) / place.size) : 0;
}

static double ranks_share(const struct synth_situation *at, const struct synth_quantity *of) {
    double by = parameter(at, of->b);
    return by > 0 ? floor(place_a(at, of).size / by) : 0;
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

/* Cells that a rank has on the border across a dimension: iterations go through the dimensions that
 * are split, and through both directions of each. */
static double face(const struct synth_situation *at, const struct synth_quantity *of) {
    if (of->b >= at->world->group_count)
        return 0;
    const struct synth_group *group = &at->world->groups[of->b];
    int wanted = index_of(at, of->c) / 2, seen = 0;
    double product = 1;
    for (int k = 0; k < group->dimension_count; k++) {
        bool is_across = group->dimensions[k] > 1 && seen++ == wanted;
        product *= is_across ? 1 : parameter(at, of->a) / group->dimensions[k];
    }
    return group->dimension_count > 0 ? product : 0;
}

static double lowest_bit(const struct synth_situation *at, const struct synth_quantity *of) {
    return low_bit(place_a(at, of).position);
}

static double tree_children(const struct synth_situation *at, const struct synth_quantity *of) {
    return children(place_a(at, of));
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

/* Whose turn an iteration is, where members of an axis take turns. */
static double iteration_around(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_b(at, of);
    return place.size > 0 ? index_of(at, of->a) % place.size : 0;
}

static double next_around(const struct synth_situation *at, const struct synth_quantity *of) {
    struct synth_place place = place_b(at, of);
    return place.size > 0 ? (index_of(at, of->a) + 1) % place.size : 0;
}

/* Of a matrix, rows that are left of this rank from, and behind, the block of the outermost loop.
 */
static double cyclic_all(const struct synth_situation *at, const struct synth_quantity *of) {
    return rows_left(at, of, 0);
}

double bsim_synth_cyclic_left(const struct synth_situation *at, const struct synth_quantity *of) {
    return rows_left(at, of, index_of(at, 0));
}

double bsim_synth_cyclic_behind(const struct synth_situation *at, const struct synth_quantity *of) {
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
    {"split-dimensions", "G", split_dimensions},
    {"split-dimension", "GLN", split_dimension},
    {"split", "A", is_split},
    {"extent", "PA", local_extent},
    {"even-extent", "PA", even_extent},
    {"block-extent", "PA", block_extent},
    {"ratio-up", "PP", ratio_up},
    {"log", "A", log_size},
    {"log-up", "A", log_size_up},
    {"share", "PA", share},
    {"share-up", "PA", share_up},
    {"ranks-share", "AP", ranks_share},
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
    {"iteration-around", "LA", iteration_around},
    {"next-around", "LA", next_around},
    {"blocks-left", "PP", blocks_left},
    {"block-width", "PP", block_width},
    {"cyclic-left", "PPA", bsim_synth_cyclic_left},
    {"cyclic-behind", "PPA", bsim_synth_cyclic_behind},
    {"face", "PGL", face},
    {"low-bit", "A", lowest_bit},
    {"children", "A", tree_children},
    {"digit", "LCC", bsim_synth_digit},
    {"end-share", "A", end_share},
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
           : takes == 'C' ? SYNTH_COUNTS_MOST - 1
                          : 10000;
}

static int parse_arguments(struct synth_quantity *out, const char *takes, const char *text) {
    short *const arguments[] = {&out->a, &out->b, &out->c, &out->d};
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
    const short arguments[] = {of->a, of->b, of->c, of->d};
    int length = snprintf(out, size_, "%s", kind->name);
    for (size_t i = 0; kind->takes[i] != '\0' && length >= 0 && (size_t)length < size_; i++)
        length += snprintf(out + length, size_ - (size_t)length, ".%d", arguments[i]);
}
