/* SPDX-License-Identifier: Apache-2.0
 *
 * Models as text, in the order of struct synth_model, the tree depth first; see synth_model.h.
 */
#include "synthesis/eval/synth_model.h"

#include <stdlib.h>
#include <string.h>

#define FORMAT "mpiskel-synthesis"
#define VERSION 2
#define DEPTH_MOST 500
#define NODES_MOST 1000000
#define PATH_BYTES 1000 /* of a path in reports */

/* ---- Writing ---- */

static void write_parts(FILE *out, const struct synth_node *node);

static void write_call(FILE *out, const struct synth_node *node) {
    fprintf(out, "call %s", node->name);
    for (int i = 0; i < SYNTH_VISITS; i++)
        fprintf(out, " %d", node->regions[i]);
    bsim_synth_expression_write(out, node->presence);
    bsim_synth_expression_write(out, node->run);
    for (int i = 0; i < SYNTH_FIELDS; i++)
        bsim_synth_expression_write(out, node->fields[i]);
    bsim_synth_peer_write(out, &node->peer);
    bsim_synth_peer_write(out, &node->other_peer);
    fputc('\n', out);
}

static void write_node(FILE *out, const struct synth_node *node) {
    if (node->call >= 0) {
        write_call(out, node);
        return;
    }
    fprintf(out, "frame %s %s", node->key, node->name);
    bsim_synth_expression_write(out, node->presence);
    fprintf(out, " %d\n", node->part_count);
    write_parts(out, node);
}

static void write_parts(FILE *out, const struct synth_node *node) {
    for (int i = 0; i < node->part_count; i++) {
        const struct synth_part *part = &node->parts[i];
        fprintf(out, "%s %d", part->is_loop ? "loop" : "once", part->node_count);
        bsim_synth_expression_write(out, part->iterations);
        fputc('\n', out);
        for (int k = 0; k < part->node_count; k++)
            write_node(out, &part->nodes[k]);
    }
}

static const char *const makings[] = {"duplicate", "split", "cartesian", "subgrid"};

static void write_rule(FILE *out, const struct synth_group_rule *rule) {
    fprintf(out, "group %s %d %d %d", makings[rule->making], rule->parent, rule->dimension_count,
            (int)rule->sides);
    bsim_synth_expression_write(out, rule->colour);
    bsim_synth_expression_write(out, rule->key);
    for (int i = 0; i < rule->dimension_count && rule->sides == SYNTH_LEARNED_SIDES; i++)
        bsim_synth_expression_write(out, rule->dimensions[i]);
    fprintf(out, " most %d", rule->size_most);
    for (int i = 0; i < rule->dimension_count; i++)
        fprintf(out, " %d", rule->most[i]);
    fputc('\n', out);
}

static void write_region(FILE *out, const struct synth_region *region) {
    fprintf(out, "region %d", region->feature_count);
    for (int i = 0; i < region->feature_count; i++) {
        char text[96];
        bsim_synth_quantity_text(text, sizeof text, bsim_synth_quantities, &region->features[i]);
        fprintf(out, " %s", text);
    }
    fprintf(out, " %d", region->apart);
    if (region->apart > 0) {
        char text[96];
        bsim_synth_quantity_text(text, sizeof text, bsim_synth_conditions, &region->where);
        fprintf(out, " %s", text);
    }
    fputc('\n', out);
}

void bsim_synth_model_write(FILE *out, const struct synth_model *model) {
    fprintf(out, FORMAT " %d\nparameters %d\n", VERSION, model->parameter_count);
    for (int i = 0; i < model->parameter_count; i++)
        fprintf(out, "%s %.17g %.17g\n", model->parameters[i].name, model->parameters[i].least,
                model->parameters[i].most);
    fprintf(out, "ranks %d %d\ngroups %d %d\n", model->ranks_least, model->ranks_most,
            model->rule_count, model->assumed_count);
    for (int i = 0; i < model->rule_count; i++)
        write_rule(out, &model->rules[i]);
    fprintf(out, "regions %d\n", model->region_count);
    for (int i = 0; i < model->region_count; i++)
        write_region(out, &model->regions[i]);
    fprintf(out, "parts %d\n", model->root.part_count);
    write_parts(out, &model->root);
    fputs("end\n", out);
}

/* ---- Reading ---- */

static void read_parts(struct synth_node *node, struct synth_words *words, int depth);

static void read_call(struct synth_node *out, struct synth_words *words) {
    out->key = out->name = bsim_synth_copy(words);
    out->call = out->name != NULL ? bsim_synth_call(out->name) : -1;
    words->failed |= out->call < 0;
    for (int i = 0; i < SYNTH_VISITS; i++)
        out->regions[i] = (int)bsim_synth_integer(words, -1, NODES_MOST);
    out->presence = bsim_synth_expression_read(words);
    out->run = bsim_synth_expression_read(words);
    for (int i = 0; i < SYNTH_FIELDS; i++)
        out->fields[i] = bsim_synth_expression_read(words);
    bsim_synth_peer_read(&out->peer, words);
    bsim_synth_peer_read(&out->other_peer, words);
    char *path = bsim_synth_array(words, PATH_BYTES, 1);
    if (path != NULL)
        bsim_synth_path_text(path, PATH_BYTES, out);
    out->path = path;
}

static void read_frame(struct synth_node *out, struct synth_words *words, int depth) {
    out->key = bsim_synth_copy(words);
    out->name = bsim_synth_copy(words);
    out->call = -1;
    out->presence = bsim_synth_expression_read(words);
    out->part_count = (int)bsim_synth_integer(words, 0, NODES_MOST);
    read_parts(out, words, depth + 1);
}

static void read_part(struct synth_part *out, struct synth_node *parent, struct synth_words *words,
                      int depth) {
    const char *kind = bsim_synth_word(words);
    out->is_loop = strcmp(kind, "loop") == 0;
    words->failed |= !out->is_loop && strcmp(kind, "once") != 0;
    out->node_count = (int)bsim_synth_integer(words, 1, NODES_MOST);
    out->iterations = bsim_synth_expression_read(words);
    out->nodes = bsim_synth_array(words, (size_t)out->node_count, sizeof *out->nodes);
    for (int k = 0; k < out->node_count && !words->failed; k++) {
        out->nodes[k].parent = parent;
        bool is_call = strcmp(bsim_synth_word(words), "call") == 0;
        words->failed |= !is_call && strcmp(words->word, "frame") != 0;
        if (is_call)
            read_call(&out->nodes[k], words);
        else
            read_frame(&out->nodes[k], words, depth);
    }
}

static void read_parts(struct synth_node *node, struct synth_words *words, int depth) {
    words->failed |= depth > DEPTH_MOST;
    node->parts = bsim_synth_array(words, (size_t)node->part_count, sizeof *node->parts);
    for (int i = 0; i < node->part_count && !words->failed; i++)
        read_part(&node->parts[i], node, words, depth);
}

static void read_rule(struct synth_group_rule *out, struct synth_words *words, int number) {
    int making = 0;
    bsim_synth_expect(words, "group");
    const char *word = bsim_synth_word(words);
    while (making < 4 && strcmp(word, makings[making]) != 0)
        making++;
    words->failed |= making == 4;
    out->making = words->failed ? SYNTH_DUPLICATE : (enum synth_making)making;
    out->parent = (int)bsim_synth_integer(words, 0, number - 1);
    out->dimension_count = (int)bsim_synth_integer(words, 0, SYNTH_DIMENSIONS_MOST);
    out->sides = (enum synth_sides)bsim_synth_integer(words, 0, SYNTH_RISING_SIDES);
    out->colour = bsim_synth_expression_read(words);
    out->key = bsim_synth_expression_read(words);
    for (int i = 0; i < out->dimension_count && out->sides == SYNTH_LEARNED_SIDES; i++)
        out->dimensions[i] = bsim_synth_expression_read(words);
    bsim_synth_expect(words, "most");
    out->size_most = (int)bsim_synth_integer(words, 0, 1 << 24);
    for (int i = 0; i < out->dimension_count; i++)
        out->most[i] = (int)bsim_synth_integer(words, 0, 1 << 24);
}

/* `number`: of the region, behind which the one of ranks apart is, so that each chain has an end.
 */
static void read_region(struct synth_region *out, int number, int count,
                        struct synth_words *words) {
    bsim_synth_expect(words, "region");
    out->feature_count = (int)bsim_synth_integer(words, 0, SYNTH_FEATURES_MOST);
    for (int i = 0; i < out->feature_count; i++)
        if (bsim_synth_quantity_parse(&out->features[i], bsim_synth_quantities,
                                      bsim_synth_word(words)) != 0)
            words->failed = true;
    out->apart = (int)bsim_synth_integer(words, 0, count - 1);
    if (out->apart > 0)
        words->failed |=
            out->apart <= number || bsim_synth_quantity_parse(&out->where, bsim_synth_conditions,
                                                              bsim_synth_word(words)) != 0;
}

static void read_parameters(struct synth_model *out, struct synth_words *words) {
    bsim_synth_expect(words, "parameters");
    out->parameter_count = (int)bsim_synth_integer(words, 0, SYNTH_PARAMETERS_MOST);
    out->parameters =
        bsim_synth_array(words, (size_t)out->parameter_count, sizeof *out->parameters);
    for (int i = 0; i < out->parameter_count && !words->failed; i++) {
        out->parameters[i].name = bsim_synth_copy(words);
        out->parameters[i].least = bsim_synth_real(words);
        out->parameters[i].most = bsim_synth_real(words);
    }
    bsim_synth_expect(words, "ranks");
    out->ranks_least = (int)bsim_synth_integer(words, 1, 1 << 24);
    out->ranks_most = (int)bsim_synth_integer(words, out->ranks_least, 1 << 24);
}

static void read_tables(struct synth_model *out, struct synth_words *words) {
    bsim_synth_expect(words, "groups");
    out->rule_count = (int)bsim_synth_integer(words, 0, SYNTH_GROUPS_MOST - 2);
    out->assumed_count = (int)bsim_synth_integer(words, 0, out->rule_count);
    out->rules = bsim_synth_array(words, (size_t)out->rule_count, sizeof *out->rules);
    for (int i = 0; i < out->rule_count && !words->failed; i++)
        read_rule(&out->rules[i], words, i + 2);
    bsim_synth_expect(words, "regions");
    out->region_count = (int)bsim_synth_integer(words, 0, NODES_MOST);
    out->regions = bsim_synth_array(words, (size_t)out->region_count, sizeof *out->regions);
    for (int i = 0; i < out->region_count && !words->failed; i++)
        read_region(&out->regions[i], i, out->region_count, words);
}

static void read_all(struct synth_model *out, struct synth_words *words) {
    bsim_synth_expect(words, FORMAT);
    bsim_synth_integer(words, VERSION, VERSION);
    read_parameters(out, words);
    read_tables(out, words);
    bsim_synth_expect(words, "parts");
    out->root.call = -1;
    out->root.name = out->root.key = "";
    out->root.part_count = (int)bsim_synth_integer(words, 0, NODES_MOST);
    read_parts(&out->root, words, 0);
    bsim_synth_expect(words, "end");
}

int bsim_synth_model_read(struct synth_model **out, const char *text, size_t length,
                          const char *name, char *error_text, size_t error_size) {
    struct synth_model *model = calloc(1, sizeof *model);
    struct synth_words words = {.at = text, .end = text + length, .line = 1};
    *out = NULL;
    if (model != NULL) {
        words.pool = &model->pool;
        read_all(model, &words);
    }
    if (model != NULL && !words.failed) {
        *out = model;
        return 0;
    }
    snprintf(error_text, error_size,
             "%s:%d:1: error: no model of a synthesised program, or a damaged one: run mpiskel "
             "synthesize again",
             name, words.line);
    bsim_synth_model_free(model);
    return -1;
}

void bsim_synth_model_free(struct synth_model *model) {
    if (model == NULL)
        return;
    bsim_synth_pool_dispose(&model->pool);
    free(model);
}

int bsim_synth_region(const struct synth_model *model, int region,
                      const struct synth_situation *at) {
    while (region >= 0 && region < model->region_count && model->regions[region].apart > 0 &&
           bsim_synth_holds(at, &model->regions[region].where))
        region = model->regions[region].apart;
    return region;
}

void bsim_synth_path_text(char *out, size_t size, const struct synth_node *node) {
    const struct synth_node *path[DEPTH_MOST + 2];
    size_t count = 0, length = 0;
    out[0] = '\0';
    for (; node != NULL && node->parent != NULL && count <= DEPTH_MOST; node = node->parent)
        if (strcmp(node->name, SYNTH_INNER_LOOP) != 0)
            path[count++] = node;
    while (count-- > 0 && length < size) {
        int more = snprintf(out + length, size - length, "%s%s", length > 0 ? " > " : "",
                            path[count]->name);
        length += more > 0 ? (size_t)more : 0;
    }
}
