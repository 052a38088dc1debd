/* SPDX-License-Identifier: Apache-2.0
 *
 * The regions of a bundle: reads `regions.json` (docs/reference/regions.md). Members that this
 * reader does not know are ignored, so that `generate` can say more than models need.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "model/samples/source_hashes.h"

#include <stdbool.h>

struct feature {
    const char *name; /* short, unique in its region: n1, n2 */
    const char *expression;
    const char *meaning; /* for people: "iterations of for (j) at line 122" */
    bool is_category;    /* its numbers are names of things, of which a run may have some only */
};

/* What the skeleton takes as given. */
enum value_kind {
    VALUE_NONE, /* a computation: its model is a latency */
    VALUE_INTEGER,
    VALUE_FLOATING,
    VALUE_BRANCH, /* whether the branch is taken */
    VALUE_TRIPS,  /* how often the loop's body is executed before it ends */
};

/* As regions.json spells it; of VALUE_NONE "". */
const char *value_kind_name(enum value_kind kind);

struct region {
    int index;      /* its position in struct regions; the number in the stubs */
    const char *id; /* survives edits elsewhere in the program; one word */
    const char *function;
    const char *file; /* relative to the root */
    int line, end_line;
    const char *summary;
    const char *text;   /* of a value, its statement; "": not told */
    const char *kernel; /* the function that the region is one call of; "": it is more than that */
    enum value_kind value;
    bool is_operation;  /* of a device, or the host's part in them */
    bool adds_up;       /* a value that is a sum up to now: `t = t + dt` */
    const char *hint;   /* of a value that a hint gives, what it says; NULL: a model does */
    bool is_asked;      /* a value that a cut hint asks to give */
    bool prints;        /* it may write to a terminal or a file, by functions other than MPI's */
    const char *code;   /* hash of all that is executed in it; "": not told */
    const char *family; /* of that with other compile-time constants, too; "": not told */
    const struct feature *features;
    int feature_count;
};

/* Of a vector: the feature that says which number of it is meant; -1: it is none. The first of them
 * is its sum (runtime/common/vector_shares.h). */
int region_number_of_vector(const struct region *region);

/* The format of a bundle as a whole: its files, its programs, and the words of model.bsim that its
 * skeleton knows. Raised with each change of one of them: what another mpiskel has generated is to
 * be generated again. */
#define BUNDLE_VERSION 3

/* A call that stays in the skeleton though it may take long: of a function without source that
 * reads, writes, waits, or does nobody knows what. */
struct kept_call {
    const char *function, *file;
    int line;
    bool is_unknown; /* what it does */
};

/* What the program measures itself: two readings of a clock, and their difference. */
struct clock_pair {
    const char *file, *text; /* text: the difference */
    int begin_line, end_line;
    bool is_kept; /* the skeleton reads both clocks, which say simulated time there */
};

struct regions {
    struct arena arena; /* owns everything below */
    const char *path;   /* where it was read from, for error texts */
    const char *bundle; /* 16 hexadecimal digits */
    const char *program;
    const char *root;
    bool is_synthesised;    /* from recordings: there is no source, original or profiling build */
    bool reads_clocks;      /* the skeleton does, and the original can take latencies */
    bool is_one_rank;       /* the program makes no MPI call */
    const char *counted;    /* by the programs' clocks: "blocks", "accesses"; NULL: nothing */
    const char *one_thread; /* where messages are in a parallel region: FILE:LINE; NULL: nowhere */
    const char *binary_mpi; /* linked libraries that call MPI and were not compiled; NULL: none */
    struct source_hashes sources; /* none: they are not told */
    struct region *items;
    int count;
    struct kept_call *kept_calls;
    size_t kept_call_count;
    struct clock_pair *clocks;
    size_t clock_count;
};

/* Reads the file; 0 or -1, also if the bundle is of another version. After -1 there is nothing to
 * dispose. */
int regions_read(struct regions *out, const char *path, struct error *error);

/* Of whichever version, if it can be read: what was measured with it is taken over. */
int regions_read_any_version(struct regions *out, const char *path, struct error *error);

/* regions.json of a bundle's directory; says so if that is none. */
int regions_read_bundle(struct regions *out, const char *directory, struct error *error);
/* What starts a small profiling run, before the program: "" of a program of one rank. */
const char *regions_launcher(const struct regions *regions);
/* The option of generate that counts executions, as an example with such a start. */
const char *scout_example(bool is_one_rank);
/* By models. */
bool regions_give_values(const struct regions *regions);

/* 0; or -1 if the bundle was synthesised, which `instead` tells the user what to do about. */
int regions_need_source(const struct regions *regions, const char *instead, struct error *error);
void regions_dispose(struct regions *regions);
