/* SPDX-License-Identifier: Apache-2.0
 *
 * How long kept code takes before the calls at a call site: lines `gap NAME LINE FIRST AGAIN FILE`
 * of model.bsim. Part of the runtime like eval.h.
 */
#ifndef MODEL_EVAL_EVAL_GAP_H
#define MODEL_EVAL_EVAL_GAP_H

struct bsim_model;
struct bsim_reader;

struct bsim_gap {
    char *name, *file; /* the function, and the source file within the application's tree */
    int line;
    double first_s, again_s; /* before a rank's first call there, and before each other one */
};

/* One for each call site; a zeroed list is empty. */
struct bsim_gaps {
    struct bsim_gap *of;
    int count;
};

/* Reads a line whose first word, "gap", has been read; 0 or -1. */
int bsim_gaps_read(struct bsim_gaps *gaps, struct bsim_reader *reader);
void bsim_gaps_free(struct bsim_gaps *gaps);

/* Borrowed. */
const struct bsim_gaps *bsim_model_gaps(const struct bsim_model *model);

#endif
