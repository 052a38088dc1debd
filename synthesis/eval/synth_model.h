/* SPDX-License-Identifier: Apache-2.0
 *
 * What was learned of a program from recordings (docs/reference/synthesis.md): its structure, a
 * tree of call paths, with an expression for everything that situations decide.
 *
 * A node is a frame that is entered, a loop inside a frame (SYNTH_INNER_LOOP), or a call. A frame's
 * parts come one after the other: a statement (its one node), or a loop, in each of whose
 * iterations its nodes come in order where they are present. A call comes `run` times in a row.
 * Loops of expressions are numbered from the outermost loop; inside a call's run it is the last
 * one.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_MODEL_H
#define SYNTHESIS_EVAL_SYNTH_MODEL_H

#include "synthesis/eval/synth_call.h"
#include "synthesis/eval/synth_expression.h"

enum synth_field {
    SYNTH_COMMUNICATOR, /* the number of the group */
    SYNTH_TAG,
    SYNTH_BYTES,
    SYNTH_OTHER_TAG, /* of what MPI_Sendrecv receives */
    SYNTH_OTHER_BYTES,
    SYNTH_COMPLETES, /* how many of the outstanding requests, in the order they were made (those
                        from and to nobody are never outstanding), or SYNTH_ALL, */
    SYNTH_FIRST,     /* from which */
    SYNTH_FIELDS
};

#define SYNTH_ALL (-1)
#define SYNTH_INNER_LOOP "-" /* name and key of a loop that lies in a loop of the same frame */

struct synth_node {
    const char *name; /* of the frame: its function, or its key; of a call its function */
    const char *key; /* of the frame: MODULE+OFFSET, the same in all runs; of a call its function */
    const char *path; /* of a call of a model that was read: its call path as text */
    const struct synth_node *parent;
    const struct synth_expression *presence;
    int part_count; /* of a frame */
    struct synth_part *parts;
    int call;                  /* enum synth_call; -1: a frame */
    int regions[SYNTH_VISITS]; /* of the computation before the call; -1: it takes no time */
    const struct synth_expression *run;
    const struct synth_expression *fields[SYNTH_FIELDS];
    struct synth_peer peer, other_peer; /* other: from whom MPI_Sendrecv receives */
};

struct synth_part {
    bool is_loop;
    const struct synth_expression *iterations; /* of a statement: how often, 0 or 1 */
    int node_count;
    struct synth_node *nodes;
};

enum synth_making { SYNTH_DUPLICATE, SYNTH_SPLIT, SYNTH_CARTESIAN, SYNTH_SUBGRID };

/* The sides of a topology: expressions, or as balanced as they can be, largest first as
 * MPI_Dims_create has them, or last. */
enum synth_sides { SYNTH_LEARNED_SIDES, SYNTH_FALLING_SIDES, SYNTH_RISING_SIDES };

/* How a group is made from an earlier one. */
struct synth_group_rule {
    enum synth_making making;
    int parent;
    const struct synth_expression *colour, *key; /* split; colour of a subgrid: a bit a dimension */
    int dimension_count;
    enum synth_sides sides;
    int most[SYNTH_DIMENSIONS_MOST]; /* ranks along each, of the recorded runs */
    int size_most;                   /* its ranks, of the recorded runs */
    const struct synth_expression *dimensions[SYNTH_DIMENSIONS_MOST];
};

struct synth_parameter {
    const char *name;
    double least, most; /* of the recorded runs */
};

#define SYNTH_FEATURES_MOST 16

struct synth_region {
    int feature_count;
    struct synth_quantity features[SYNTH_FEATURES_MOST];
    int apart; /* the region, one behind it, of ranks of which `where` holds; 0: of none */
    struct synth_quantity where;
};

struct synth_model {
    struct synth_pool pool; /* owns everything below */
    int parameter_count;
    struct synth_parameter *parameters;
    int ranks_least, ranks_most; /* of the recorded runs */
    int rule_count;              /* of groups from 2 */
    int assumed_count;           /* so many of the first ones are made by no call */
    struct synth_group_rule *rules;
    int region_count;
    struct synth_region *regions;
    struct synth_node root;
};

/* 0: *out is the caller's (bsim_synth_model_free). -1: error_text says what is wrong. `name` of the
 * text is for errors. */
int bsim_synth_model_read(struct synth_model **out, const char *text, size_t length,
                          const char *name, char *error_text, size_t error_size);
void bsim_synth_model_free(struct synth_model *model);
void bsim_synth_model_write(FILE *out, const struct synth_model *model);

/* Of the computation on this rank, where a node has that region; -1 stays. */
int bsim_synth_region(const struct synth_model *model, int region,
                      const struct synth_situation *at);

/* The call path: frames outermost first, then the call. */
void bsim_synth_path_text(char *out, size_t size, const struct synth_node *node);

#endif
