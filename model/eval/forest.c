/* SPDX-License-Identifier: Apache-2.0
 *
 * Reader and evaluator of ratios; see forest.h.
 *
 * Trees come in preorder, so that no number in the file refers to a node: there can be no circle,
 * and nothing out of range. In memory each node says how far its two children are behind it, and a
 * leaf is its own child: all trees are walked for as many steps as the deepest of them has levels,
 * so that the walk has no branch that a processor could guess wrong, and several trees are under
 * way at once. Inputs are compared as floats, as they were trained. What was found for the latest
 * inputs is remembered.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/forest.h"

#include "model/eval/eval_read.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TREES_AT_A_TIME 8

enum input_kind { INPUT_EXECUTION, INPUT_UNCHANGED, INPUT_BEFORE, INPUT_FEATURE };

struct input {
    enum input_kind kind;
    int feature;
    double least, largest; /* of what was trained; of numbers of executions: buckets */
    int region_count;      /* of INPUT_BEFORE */
    int regions[BSIM_RATIO_REGIONS_MAX]; /* counts as its position; one not there as the first */
};

struct forest_node {
    float value;   /* what the input is compared with; of a leaf: part of the ratio's logarithm */
    uint16_t more; /* so much further behind it is the child for what is not below; leaf: 0 */
    uint8_t below; /* distance of the child for what is below: 1; leaf: 0 */
    uint8_t input;
};

/* Loops come back to the same contexts: a walk through hundreds of trees takes a microsecond, a
 * look here some nanoseconds. With 64 places loops over 20 sizes would still displace each other.
 */
#define REMEMBERED 256

/* From this execution on. */
struct forest_entry {
    unsigned long from;
    double ratio;
};

struct bsim_ratio {
    int entry_count;
    struct forest_entry *entries; /* NULL: a forest */
    int input_count, tree_count, depth;
    double scale;
    struct input *inputs;
    struct forest_node *nodes; /* of all trees */
    size_t node_count, node_capacity;
    uint32_t *roots;
    float *remembered_inputs; /* of a forest: REMEMBERED times its inputs, */
    double *remembered;       /* and what the ratio was for them; 0: not yet known */
};

void bsim_ratio_free(struct bsim_ratio *ratio) {
    if (ratio == NULL)
        return;
    free(ratio->entries);
    free(ratio->inputs);
    free(ratio->nodes);
    free(ratio->roots);
    free(ratio->remembered_inputs);
    free(ratio->remembered);
    free(ratio);
}

/* ---- Reading a table ---- */

static int read_ratio_number(double *out, struct bsim_reader *reader) {
    return bsim_reader_number(out, reader, "a ratio", 1 / BSIM_RATIO_MAX, BSIM_RATIO_MAX);
}

static int read_entry(struct forest_entry *out, struct bsim_reader *reader, unsigned long after) {
    double from = 0;
    if (bsim_reader_number(&from, reader, "the number of an execution", (double)after + 1,
                           0x1p62) != 0 ||
        read_ratio_number(&out->ratio, reader) != 0)
        return -1;
    out->from = (unsigned long)from;
    return 0;
}

static int read_table(struct bsim_ratio *out, struct bsim_reader *reader) {
    unsigned long after = 0;
    if (bsim_reader_count(&out->entry_count, reader, "the number of ratios", BSIM_BUCKET_MAX + 1) !=
        0)
        return -1;
    if (out->entry_count < 1)
        return bsim_reader_fail(reader, "a table without a ratio");
    out->entries = calloc((size_t)out->entry_count, sizeof *out->entries);
    if (out->entries == NULL)
        return bsim_reader_fail(reader, "out of memory");
    for (int i = 0; i < out->entry_count; i++) {
        if (read_entry(&out->entries[i], reader, after) != 0)
            return -1;
        after = out->entries[i].from;
    }
    if (out->entries[0].from != 1)
        return bsim_reader_fail(reader, "the table does not begin with execution 1");
    return bsim_reader_line_end(reader);
}

/* ---- Reading a forest ---- */

static int read_range(struct input *out, struct bsim_reader *reader, double least, double largest) {
    if (bsim_reader_number(&out->least, reader, "an input's minimum", least, largest) != 0 ||
        bsim_reader_number(&out->largest, reader, "an input's maximum", out->least, largest) != 0)
        return -1;
    return 0;
}

static int read_before(struct input *out, struct bsim_reader *reader) {
    if (bsim_reader_count(&out->region_count, reader, "the number of regions",
                          BSIM_RATIO_REGIONS_MAX) != 0)
        return -1;
    if (out->region_count < 1)
        return bsim_reader_fail(reader, "an input without a region");
    for (int i = 0; i < out->region_count; i++) {
        double region = 0;
        if (bsim_reader_number(&region, reader, "a region", -2, INT_MAX) != 0)
            return -1;
        out->regions[i] = (int)region;
    }
    return 0;
}

static int read_input_kind(struct input *out, struct bsim_reader *reader, int feature_count) {
    static const char *const words[] = {"execution", "unchanged", "before", "feature"};
    char *word = NULL;
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "input") != 0 ||
        bsim_reader_text(&word, reader, "the kind of an input") != 0)
        return -1;
    int kind = 0;
    while (kind <= INPUT_FEATURE && strcmp(word, words[kind]) != 0)
        kind++;
    if (kind > INPUT_FEATURE)
        return bsim_reader_fail(reader, "'%.40s' is no kind of input", word);
    out->kind = (enum input_kind)kind;
    if (out->kind == INPUT_FEATURE && feature_count == 0)
        return bsim_reader_fail(reader, "the region has no features");
    return out->kind == INPUT_FEATURE
               ? bsim_reader_count(&out->feature, reader, "a feature", feature_count - 1)
               : 0;
}

static int read_input(struct input *out, struct bsim_reader *reader, int feature_count) {
    int result = read_input_kind(out, reader, feature_count);
    if (result == 0 && out->kind == INPUT_BEFORE)
        result = read_before(out, reader);
    else if (result == 0 && out->kind == INPUT_FEATURE)
        result = read_range(out, reader, -BSIM_LARGEST_NUMBER, BSIM_LARGEST_NUMBER);
    else if (result == 0)
        result = read_range(out, reader, 0, BSIM_BUCKET_MAX);
    return result == 0 ? bsim_reader_line_end(reader) : -1;
}

/* Memory grows with what has really been read, whatever the file says of it. */
static struct forest_node *add_node(struct bsim_ratio *forest) {
    if (forest->node_count == forest->node_capacity) {
        size_t capacity = 2 * forest->node_capacity + 64;
        struct forest_node *nodes = realloc(forest->nodes, capacity * sizeof *nodes);
        if (nodes == NULL)
            return NULL;
        forest->nodes = nodes;
        forest->node_capacity = capacity;
    }
    forest->nodes[forest->node_count] = (struct forest_node){0};
    return &forest->nodes[forest->node_count++];
}

static int read_node(struct bsim_ratio *forest, struct bsim_reader *reader, size_t end, int depth) {
    double input = 0, value = 0;
    size_t at = forest->node_count;
    if (depth > BSIM_TREE_DEPTH_MAX)
        return bsim_reader_fail(reader, "the tree has more than %d levels", BSIM_TREE_DEPTH_MAX);
    if (at == end)
        return bsim_reader_fail(reader, "the tree has more nodes than it says");
    if (bsim_reader_number(&input, reader, "an input", -1, forest->input_count - 1) != 0)
        return -1;
    bool is_leaf = input < 0;
    double largest = is_leaf ? log(BSIM_RATIO_MAX) : FLT_MAX;
    if (input != floor(input))
        return bsim_reader_fail(reader, "an input is not a whole number");
    if (bsim_reader_number(&value, reader, "a node's number", -largest, largest) != 0)
        return -1;
    struct forest_node *node = add_node(forest);
    if (node == NULL)
        return bsim_reader_fail(reader, "out of memory");
    node->value = (float)value;
    node->input = (uint8_t)(is_leaf ? 0 : input);
    if (depth > forest->depth)
        forest->depth = depth;
    if (is_leaf)
        return 0;
    node->below = 1;
    if (read_node(forest, reader, end, depth + 1) != 0)
        return -1;
    forest->nodes[at].more = (uint16_t)(forest->node_count - at - 1);
    return read_node(forest, reader, end, depth + 1);
}

static int read_tree(struct bsim_ratio *forest, struct bsim_reader *reader) {
    int count = 0;
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "tree") != 0 ||
        bsim_reader_count(&count, reader, "the number of nodes", BSIM_TREE_NODES_MAX) != 0)
        return -1;
    size_t end = forest->node_count + (size_t)count;
    if (read_node(forest, reader, end, 0) != 0)
        return -1;
    if (forest->node_count != end)
        return bsim_reader_fail(reader, "the tree has fewer nodes than it says");
    return bsim_reader_line_end(reader);
}

static int read_forest_head(struct bsim_ratio *out, struct bsim_reader *reader) {
    if (bsim_reader_keyword(reader, "inputs") != 0 ||
        bsim_reader_count(&out->input_count, reader, "the number of inputs",
                          BSIM_RATIO_INPUTS_MAX) != 0 ||
        bsim_reader_keyword(reader, "trees") != 0 ||
        bsim_reader_count(&out->tree_count, reader, "the number of trees", BSIM_TREES_MAX) != 0 ||
        bsim_reader_keyword(reader, "scale") != 0 || read_ratio_number(&out->scale, reader) != 0)
        return -1;
    out->inputs = calloc((size_t)out->input_count + 1, sizeof *out->inputs);
    out->roots = calloc((size_t)out->tree_count + 1, sizeof *out->roots);
    out->remembered_inputs =
        calloc(REMEMBERED * ((size_t)out->input_count + 1), sizeof *out->remembered_inputs);
    out->remembered = calloc(REMEMBERED, sizeof *out->remembered);
    if (out->inputs == NULL || out->roots == NULL || out->remembered_inputs == NULL ||
        out->remembered == NULL)
        return bsim_reader_fail(reader, "out of memory");
    return bsim_reader_line_end(reader);
}

static int read_forest(struct bsim_ratio *out, struct bsim_reader *reader, int feature_count) {
    if (read_forest_head(out, reader) != 0)
        return -1;
    for (int i = 0; i < out->input_count; i++)
        if (read_input(&out->inputs[i], reader, feature_count) != 0)
            return -1;
    for (int i = 0; i < out->tree_count; i++) {
        out->roots[i] = (uint32_t)out->node_count;
        if (read_tree(out, reader) != 0)
            return -1;
    }
    return 0;
}

static int read_kind(struct bsim_ratio *out, struct bsim_reader *reader, int feature_count) {
    char *word = NULL;
    if (bsim_reader_text(&word, reader, "'table' or 'forest'") != 0)
        return -1;
    if (strcmp(word, "table") == 0)
        return read_table(out, reader);
    if (strcmp(word, "forest") == 0)
        return read_forest(out, reader, feature_count);
    return bsim_reader_fail(reader, "'%.40s' instead of 'table' or 'forest'", word);
}

int bsim_ratio_read(struct bsim_ratio **out, struct bsim_reader *reader, int feature_count) {
    struct bsim_ratio *ratio = calloc(1, sizeof *ratio);
    *out = NULL;
    if (ratio == NULL)
        return bsim_reader_fail(reader, "out of memory");
    int result = read_kind(ratio, reader, feature_count);
    if (result == 0)
        *out = ratio;
    else
        bsim_ratio_free(ratio);
    return result;
}

/* ---- Evaluation ---- */

/* Not a number counts as the least. */
static double clamp(double value, double least, double largest) {
    return !(value > least) ? least : value < largest ? value : largest;
}

static double position_of(const struct input *input, int region) {
    for (int i = 0; i < input->region_count; i++)
        if (input->regions[i] == region)
            return i;
    return 0;
}

static double input_of(const struct input *input, const double *features,
                       const struct bsim_context *context) {
    switch (input->kind) {
    case INPUT_EXECUTION:
        return clamp(bsim_bucket(context->execution), input->least, input->largest);
    case INPUT_UNCHANGED:
        return clamp(bsim_bucket(context->unchanged), input->least, input->largest);
    case INPUT_BEFORE:
        return position_of(input, context->before);
    case INPUT_FEATURE:
        break;
    }
    double feature = features[input->feature];
    return clamp(isnan(feature) ? 0 : feature, input->least, input->largest);
}

/* Executions until the number leaves its bucket, unless the next ones count as this one. */
static unsigned long left_in_bucket(const struct input *input, unsigned long number) {
    int bucket = bsim_bucket(number);
    return bucket >= input->largest ? ULONG_MAX : bsim_bucket_last(bucket) - number + 1;
}

static unsigned long input_good_for(const struct input *input, const struct bsim_context *context) {
    switch (input->kind) {
    case INPUT_EXECUTION:
        return left_in_bucket(input, context->execution);
    case INPUT_UNCHANGED:
        return left_in_bucket(input, context->unchanged);
    case INPUT_BEFORE:
        return 1;
    case INPUT_FEATURE:
        break;
    }
    return ULONG_MAX;
}

static inline const struct forest_node *child(const struct forest_node *node, const float *inputs) {
    int not_below = !(inputs[node->input] < node->value);
    return node + node->below + (node->more & -not_below);
}

/* Several at a time, since each waits for memory between two levels. */
static double sum_of_several(const struct bsim_ratio *forest, const uint32_t *roots,
                             const float *inputs) {
    const struct forest_node *at[TREES_AT_A_TIME];
    double sum = 0;
    for (int k = 0; k < TREES_AT_A_TIME; k++)
        at[k] = &forest->nodes[roots[k]];
    for (int level = forest->depth; level > 0; level--)
        for (int k = 0; k < TREES_AT_A_TIME; k++)
            at[k] = child(at[k], inputs);
    for (int k = 0; k < TREES_AT_A_TIME; k++)
        sum += at[k]->value;
    return sum;
}

static double sum_of_trees(const struct bsim_ratio *forest, const float *inputs) {
    double sum = 0;
    int i = 0;
    for (; i + TREES_AT_A_TIME <= forest->tree_count; i += TREES_AT_A_TIME)
        sum += sum_of_several(forest, &forest->roots[i], inputs);
    for (; i < forest->tree_count; i++) {
        const struct forest_node *node = &forest->nodes[forest->roots[i]];
        for (int level = forest->depth; level > 0; level--)
            node = child(node, inputs);
        sum += node->value;
    }
    return sum;
}

static uint32_t place_of(const struct bsim_ratio *forest, const float *inputs) {
    uint32_t hash = 0;
    for (int i = 0; i < forest->input_count; i++) {
        uint32_t bits;
        memcpy(&bits, &inputs[i], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b1u; /* D. Knuth, 6.4: the golden ratio */
        hash ^= hash >> 15;
    }
    return hash % REMEMBERED;
}

static double remembered_ratio(const struct bsim_ratio *forest, const float *inputs) {
    uint32_t place = place_of(forest, inputs);
    float *known = forest->remembered_inputs + (size_t)place * (size_t)forest->input_count;
    size_t bytes = (size_t)forest->input_count * sizeof *inputs;
    if (forest->remembered[place] > 0 && memcmp(known, inputs, bytes) == 0)
        return forest->remembered[place];
    memcpy(known, inputs, bytes);
    return forest->remembered[place] = forest->scale * exp(sum_of_trees(forest, inputs));
}

static double forest_ratio(unsigned long *good_for, const struct bsim_ratio *forest,
                           const double *features, const struct bsim_context *context) {
    float inputs[BSIM_RATIO_INPUTS_MAX + 1] = {0};
    for (int i = 0; i < forest->input_count; i++) {
        unsigned long input_good = input_good_for(&forest->inputs[i], context);
        inputs[i] = (float)input_of(&forest->inputs[i], features, context);
        if (input_good < *good_for)
            *good_for = input_good;
    }
    return remembered_ratio(forest, inputs);
}

static double table_ratio(unsigned long *good_for, const struct bsim_ratio *table,
                          const struct bsim_context *context) {
    int at = table->entry_count - 1;
    while (at > 0 && table->entries[at].from > context->execution)
        at--;
    if (at + 1 < table->entry_count)
        *good_for = table->entries[at + 1].from - context->execution;
    return table->entries[at].ratio;
}

double bsim_ratio(unsigned long *good_for, const struct bsim_ratio *ratio, const double *features,
                  const struct bsim_context *context) {
    *good_for = ULONG_MAX;
    double found = ratio->entries != NULL ? table_ratio(good_for, ratio, context)
                                          : forest_ratio(good_for, ratio, features, context);
    return clamp(found, 1 / BSIM_RATIO_MAX, BSIM_RATIO_MAX);
}
