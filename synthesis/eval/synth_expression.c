/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of expressions, and expressions as words; see synth_expression.h. Numbers are held within
 * LARGEST, so that no conversion overflows.
 */
#include "synthesis/eval/synth_expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 1e15

double bsim_synth_sum(const struct synth_situation *at, const struct synth_expression *of) {
    double sum = of->constant;
    for (int i = 0; i < of->term_count; i++) {
        double product = of->terms[i].coefficient;
        for (int k = 0; k < of->terms[i].factor_count; k++)
            product *= bsim_synth_number(at, &of->terms[i].factors[k]);
        sum += product;
    }
    return isnan(sum) ? 0 : fmax(-LARGEST, fmin(LARGEST, sum));
}

static long long table_value(const struct synth_situation *at, const struct synth_expression *of) {
    int index = of->loop < at->depth ? at->loops[of->loop].index : 0;
    return of->entries[index < of->entry_count ? index : of->entry_count - 1];
}

long long bsim_synth_value(const struct synth_situation *at, const struct synth_expression *of) {
    while (of->form == SYNTH_CHOICE)
        of = bsim_synth_holds(at, &of->condition) ? of->yes : of->no;
    return of->form == SYNTH_TABLE ? table_value(at, of) : llround(bsim_synth_sum(at, of));
}

static int along(const struct synth_situation *at, int topology, long long dimension,
                 long long distance, bool around) {
    const struct synth_group *group =
        topology < at->world->group_count ? &at->world->groups[topology] : NULL;
    int coordinates[SYNTH_DIMENSIONS_MOST];
    if (group == NULL || dimension < 0 || dimension >= group->dimension_count ||
        group->places[at->rank].size == 0 || llabs(distance) > group->dimensions[dimension])
        return SYNTH_NOBODY;
    int sides = group->dimensions[dimension];
    bsim_synth_coordinates(coordinates, group, group->places[at->rank].position);
    int moved = coordinates[dimension] + (int)distance;
    coordinates[dimension] = around ? (moved % sides + sides) % sides : moved;
    return bsim_synth_rank_at(group, coordinates);
}

static int neighbour(const struct synth_situation *at, int topology, long long value) {
    const struct synth_group *group =
        topology < at->world->group_count ? &at->world->groups[topology] : NULL;
    int coordinates[SYNTH_DIMENSIONS_MOST];
    if (group == NULL || value < 0 || group->places[at->rank].size == 0)
        return SYNTH_NOBODY;
    bsim_synth_coordinates(coordinates, group, group->places[at->rank].position);
    for (int k = group->dimension_count; k-- > 0; value /= 3)
        coordinates[k] += (int)(value % 3) - 1;
    return bsim_synth_rank_at(group, coordinates);
}

int bsim_synth_decode(const struct synth_situation *at, enum synth_encoding encoding, int topology,
                      long long value, long long distance, int number) {
    if (number < 0 || number >= at->world->group_count)
        return SYNTH_NOBODY;
    struct synth_place me = at->world->groups[number].places[at->rank];
    long long peer = SYNTH_NOBODY;
    if (me.size == 0)
        return SYNTH_NOBODY;
    if (encoding == SYNTH_TORUS || encoding == SYNTH_GRID)
        peer = along(at, topology, value, distance, encoding == SYNTH_TORUS);
    else if (encoding == SYNTH_STENCIL)
        peer = neighbour(at, topology, value);
    else if (encoding == SYNTH_ABSOLUTE)
        peer = value;
    else if (encoding == SYNTH_RING && llabs(value) <= me.size)
        peer = (me.position + value + me.size) % me.size;
    else if (encoding == SYNTH_LINE)
        peer = me.position + value;
    else if (encoding == SYNTH_XOR && value >= 0)
        peer = me.position ^ value;
    return peer >= 0 && peer < me.size ? (int)peer : SYNTH_NOBODY;
}

int bsim_synth_peer(const struct synth_situation *at, const struct synth_peer *of, int group) {
    return bsim_synth_decode(at, of->encoding, of->group, bsim_synth_value(at, of->value),
                             of->distance != NULL ? bsim_synth_value(at, of->distance) : 0, group);
}

/* ---- As words ---- */

static void write_quantity(FILE *out, const struct synth_quantity_kind *kinds,
                           const struct synth_quantity *of) {
    char text[96];
    bsim_synth_quantity_text(text, sizeof text, kinds, of);
    fprintf(out, " %s", text);
}

static void write_sum(FILE *out, const struct synth_expression *of) {
    fprintf(out, " sum %d", of->term_count);
    for (int i = 0; i < of->term_count; i++) {
        fprintf(out, " %.17g %d", of->terms[i].coefficient, of->terms[i].factor_count);
        for (int k = 0; k < of->terms[i].factor_count; k++)
            write_quantity(out, bsim_synth_quantities, &of->terms[i].factors[k]);
    }
    fprintf(out, " %.17g", of->constant);
}

static void write_table(FILE *out, const struct synth_expression *of) {
    fprintf(out, " table %d %d", of->loop, of->entry_count);
    for (int i = 0; i < of->entry_count; i++)
        fprintf(out, " %lld", of->entries[i]);
}

static void write_one(FILE *out, const struct synth_expression *of) {
    if (of->form == SYNTH_TABLE) {
        write_table(out, of);
    } else if (of->form == SYNTH_SUM) {
        write_sum(out, of);
    } else {
        fputs(" if", out);
        write_quantity(out, bsim_synth_conditions, &of->condition);
        write_one(out, of->yes);
        write_one(out, of->no);
    }
}

void bsim_synth_expression_write(FILE *out, const struct synth_expression *of) {
    int count = 0;
    for (const struct synth_expression *one = of; one != NULL; one = one->other)
        count++;
    if (count > 1)
        fprintf(out, " or %d", count);
    for (; of != NULL; of = of->other)
        write_one(out, of);
}

static const char *const encodings[] = {"rank", "ring", "line", "xor", "torus", "grid", "stencil"};

void bsim_synth_peer_write(FILE *out, const struct synth_peer *of) {
    int count = 0;
    for (const struct synth_peer *one = of; one != NULL; one = one->other)
        count++;
    if (count > 1)
        fprintf(out, " or %d", count);
    for (; of != NULL; of = of->other) {
        fprintf(out, " %s %d", encodings[of->encoding], of->group);
        write_one(out, of->value);
        if (of->distance != NULL)
            write_one(out, of->distance);
    }
}

static void read_quantity(struct synth_quantity *out, struct synth_words *words,
                          const struct synth_quantity_kind *kinds) {
    if (bsim_synth_quantity_parse(out, kinds, bsim_synth_word(words)) != 0)
        words->failed = true;
}

static void read_sum(struct synth_expression *out, struct synth_words *words) {
    out->term_count = (int)bsim_synth_integer(words, 0, SYNTH_TERMS_MOST);
    for (int i = 0; i < out->term_count; i++) {
        out->terms[i].coefficient = bsim_synth_real(words);
        out->terms[i].factor_count = (int)bsim_synth_integer(words, 0, SYNTH_FACTORS_MOST);
        for (int k = 0; k < out->terms[i].factor_count; k++)
            read_quantity(&out->terms[i].factors[k], words, bsim_synth_quantities);
    }
    out->constant = bsim_synth_real(words);
}

static void read_table(struct synth_expression *out, struct synth_words *words) {
    out->form = SYNTH_TABLE;
    out->loop = (int)bsim_synth_integer(words, 0, SYNTH_LOOPS_MOST - 1);
    out->entry_count = (int)bsim_synth_integer(words, 1, 1 << 24);
    if (out->entry_count > words->end - words->at) /* of two characters each */
        words->failed = true;
    long long *entries = bsim_synth_array(words, (size_t)out->entry_count, sizeof *entries);
    for (int i = 0; i < out->entry_count && entries != NULL; i++)
        entries[i] = bsim_synth_integer(words, -(1LL << 50), 1LL << 50);
    out->entries = entries;
}

static struct synth_expression *read_nested(struct synth_words *words, const char *word,
                                            int depth) {
    struct synth_expression *out = bsim_synth_array(words, 1, sizeof *out);
    if (out == NULL || depth > SYNTH_NESTED_MOST) {
        words->failed = true;
    } else if (strcmp(word, "sum") == 0) {
        read_sum(out, words);
    } else if (strcmp(word, "table") == 0) {
        read_table(out, words);
    } else if (strcmp(word, "if") == 0) {
        out->form = SYNTH_CHOICE;
        read_quantity(&out->condition, words, bsim_synth_conditions);
        out->yes = read_nested(words, bsim_synth_word(words), depth + 1);
        out->no = out->yes != NULL ? read_nested(words, bsim_synth_word(words), depth + 1) : NULL;
    } else {
        words->failed = true;
    }
    return words->failed ? NULL : out;
}

const struct synth_expression *bsim_synth_expression_read(struct synth_words *words) {
    const char *word = bsim_synth_word(words);
    if (strcmp(word, "or") != 0)
        return read_nested(words, word, 0);
    int count = (int)bsim_synth_integer(words, 1, SYNTH_OTHERS_MOST);
    struct synth_expression *first = NULL, *last = NULL;
    for (int i = 0; i < count && !words->failed; i++) {
        struct synth_expression *one = read_nested(words, bsim_synth_word(words), 0);
        if (last != NULL)
            last->other = one;
        else
            first = one;
        last = one;
    }
    return words->failed ? NULL : first;
}

static void read_one_peer(struct synth_peer *out, struct synth_words *words, const char *word) {
    int encoding = 0;
    *out = (struct synth_peer){0};
    while (encoding < SYNTH_ENCODINGS && strcmp(word, encodings[encoding]) != 0)
        encoding++;
    words->failed |= encoding == SYNTH_ENCODINGS;
    out->encoding = words->failed ? SYNTH_ABSOLUTE : (enum synth_encoding)encoding;
    out->group = (int)bsim_synth_integer(words, 0, SYNTH_GROUPS_MOST - 1);
    out->value = bsim_synth_expression_read(words);
    if (out->encoding == SYNTH_TORUS || out->encoding == SYNTH_GRID)
        out->distance = bsim_synth_expression_read(words);
}

void bsim_synth_peer_read(struct synth_peer *out, struct synth_words *words) {
    const char *word = bsim_synth_word(words);
    if (strcmp(word, "or") != 0) {
        read_one_peer(out, words, word);
        return;
    }
    int count = (int)bsim_synth_integer(words, 1, SYNTH_OTHERS_MOST);
    for (int i = 0; i < count && !words->failed; i++) {
        struct synth_peer *next = i + 1 < count ? bsim_synth_array(words, 1, sizeof *next) : NULL;
        read_one_peer(out, words, bsim_synth_word(words));
        out->other = next;
        out = next;
    }
}
