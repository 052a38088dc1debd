/* SPDX-License-Identifier: Apache-2.0
 *
 * What operations the regions of a bundle make, as functions of their features: `signature.json`
 * (docs/reference/signature.md). `generate` writes it from the syntax tree; `mpiskel signature`
 * prints it, and model/convolution puts the rates of a machine to it.
 *
 * A region is a tree of blocks: itself, its loops, its branches. A block has how often it is
 * executed in one execution of the region, and what one execution of it does without the blocks
 * within it. All is counted as it is written: nothing that a compiler does is taken into account.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

#include <stdbool.h>

enum signature_operation {
    OPERATION_ADD, /* also subtractions */
    OPERATION_MULTIPLY,
    OPERATION_FUSED, /* additions of a product, which are counted as both besides */
    OPERATION_DIVIDE,
    OPERATION_SQUARE_ROOT,
    OPERATION_FUNCTION, /* sin, exp and their kin */
    OPERATION_COMPARE,  /* of floating-point numbers, and their signs and conversions */
    OPERATION_INTEGER,  /* also comparisons, and what loops count by */
    OPERATION_INTEGER_DIVIDE,
    OPERATION_BRANCH,      /* that are decided: one for each iteration, and one at each end */
    OPERATION_CALL,        /* of functions, as written */
    OPERATION_CHAIN_ADD,   /* each of which waits for the one of the iteration before */
    OPERATION_CHAIN_OTHER, /* likewise multiplications and divisions */
    OPERATION_COUNT
};

/* As signature.json spells it, and as people read it. */
const char *operation_name(enum signature_operation operation);

enum stride_class {
    STRIDE_FIXED,    /* the same place in each iteration of the innermost loop */
    STRIDE_UNIT,     /* the next element */
    STRIDE_CONSTANT, /* a number of bytes that stays, known or not */
    STRIDE_INDEXED,  /* where a number that was loaded in the loop says */
    STRIDE_CHASE,    /* where the access of the iteration before says */
    STRIDE_UNKNOWN,
    STRIDE_CLASSES
};

const char *stride_class_name(enum stride_class class);

/* How an address moves with a loop. */
struct signature_step {
    int block;           /* of the loop */
    double stride_bytes; /* 0: it moves, but how far is an expression of the program's */
};

/* Loads and stores that differ in nothing but, perhaps, which of the two they are. */
struct signature_access {
    const char *array; /* as the region would write it */
    int element_bytes;
    double loads, stores; /* in one execution of the block */
    enum stride_class class;
    int step_count;
    const struct signature_step *steps;
    const char *offset; /* in bytes and terms of the program's: what tells two accesses apart that
                           move alike */
};

struct signature_call {
    const char *name;
    double count;   /* in one execution of the block */
    int feature;    /* its operations, -1: not known */
    bool is_opaque; /* nothing tells what it costs */
};

enum block_kind { BLOCK_REGION, BLOCK_LOOP, BLOCK_BRANCH, BLOCK_KERNEL };

struct signature_block {
    enum block_kind kind;
    int parent; /* -1: the region itself, which comes first; others are before it */
    int line;
    const char *variable; /* of a loop, or the kernel's function; "": none */
    int feature;          /* that tells how often it is executed, times `factor`; -1: none does */
    double factor;        /* feature -1: executions in one of the parent; NAN: not known */
    bool is_guess;        /* the factor is: a branch that data decide */
    double operations[OPERATION_COUNT];
    int access_count, call_count;
    const struct signature_access *accesses;
    const struct signature_call *calls;
};

/* What the signature does not tell. */
struct signature_unknown {
    const char *what;
    int line;
};

struct signature_region {
    int index;
    const char *id;
    int feature_count;
    int block_count, unknown_count;
    const struct signature_block *blocks;
    const struct signature_unknown *unknowns;
};

struct signature {
    struct arena arena;
    const char *path, *bundle;
    int count;
    const struct signature_region *regions; /* computations only, by index */
};

/* After -1 there is nothing to dispose. */
int signature_read(struct signature *out, const char *path, struct error *error);
void signature_dispose(struct signature *signature);
const struct signature_region *signature_find(const struct signature *signature, int index);

int signature_write(const struct signature *signature, const char *path, struct error *error);
json_t *signature_region_to_json(const struct signature_region *region);

/* out[b]: how often block b is executed for these features; NAN where that is not known. */
void signature_executions(double *out, const struct signature_region *region,
                          const double *features);

/* The same as a sum: out[b * (feature_count + 1)] is the constant, the others are the factors of
 * the features. */
void signature_executions_as_sums(double *out, const struct signature_region *region);

/* How much of an array the access goes over in one execution of the region, as text: the bytes of
 * its element times the iterations of the loops that it moves with ("8 n3", "8 n4/n2"); from the
 * arena. */
const char *signature_working_set(struct arena *arena, const struct signature_region *region,
                                  const struct signature_access *access);
