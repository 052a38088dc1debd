/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of `mpiskel explain` share: the bundle's account of why what stays (reasons.json),
 * read and checked, and the answers.
 */
#pragma once

#include "base/json.h"
#include "base/output_format.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/samples/region.h"
#include "model/store/store.h"
#include "model/verdict/verdict.h"

struct explain_options {
    const char *bundle, *place;
    enum output_format format;
    long top; /* how many computations are told with their chain */
};

struct explained_demand {
    const char *file; /* NULL: it has no place */
    const char *what, *why, *kind, *name;
    int line, end_line;
    int parent; /* smaller than its own index; -1: a criterion, or joined for nothing */
    bool is_statement;
};

/* How many statements have chains that end at this demand. */
struct explained_tally {
    int criterion, statements;
};

/* A computation that stays, with what is executed inside it. */
struct kept {
    const char *kind; /* region, loop, function */
    const char *file, *function, *text, *kernels;
    int line, end_line, region, statements, loops;
    int demand;             /* tells best why it stays */
    int exit_demand;        /* the same to a criterion that ends the program; -1: as `demand` */
    int left_without_exits; /* statements left under no-abnormal-exit; -1: not known */
    double estimate;        /* a share of `estimated` */
    double seconds;         /* measured; negative: not */
    VEC(struct explained_tally) criteria;
};

struct assumed {
    const char *name, *file, *text, *effect;
    int line;
};

struct log {
    struct arena arena;
    json_t *json;         /* reasons.json; owns the texts */
    json_t *regions_json; /* regions.json */
    const char *path;     /* of reasons.json, for error texts */
    struct regions regions;
    const char *assumptions;
    double estimated_all, estimated_kept;
    double executions, executions_kept; /* of statements, in the scout run; 0: not counted */
    VEC(struct explained_demand)
    demands;               /* of the log, then those of chains under other assumptions */
    size_t logged;         /* how many are of the log */
    VEC(struct kept) kept; /* by weight once explain_weigh was called */
    VEC(struct assumed) assumed;
    int runs; /* that were measured */
    double measured_s;
    const char *machine;
    struct models models;
    bool has_models;
    const char *verdict; /* of the guard, in words; "": there is none */
};

int log_open(struct log *out, const char *bundle, struct error *error);
void log_dispose(struct log *log);

/* The criterion at the end of the chain. */
int log_criterion(const struct log *log, int demand);
/* It is no criterion: it stays because it costs nothing. */
bool log_is_joined(const struct log *log, int criterion);

/* True for the path itself and for its last components. */
bool log_same_file(const char *path, const char *wanted);
/* The narrowest kept statement that covers the line, -1: none; the region there, NULL: none. */
int log_find_statement(const struct log *log, const char *file, int line);
const struct region *log_find_region(const struct log *log, const char *file, int line);
/* The computation that the line belongs to: the innermost, -1: none. */
int log_find_kept(const struct log *log, const char *file, int line);

/* Seconds of the kept computations from profiling runs, then sorts: what was measured before what
 * was not, by seconds, then by estimate. */
void explain_weigh(struct log *log, const char *bundle);

/* What a criterion wants, in words: "MPI_Send at halo.c:50, argument count". `demand` is where the
 * chain begins, -1: not known. */
void explain_criterion(struct str *out, const struct log *log, int criterion, int demand);
/* The chain in steps that a reader needs, at most `limit` (0: all). */
void explain_chain(struct str *out, const struct log *log, int demand, int limit,
                   const char *indent);
json_t *explain_chain_json(const struct log *log, int demand);

/* How much stays in the skeleton: "0.29 % of ...". Counted in the scout run, else by estimate. */
char *explain_share(struct log *log);

/* Values that would let hot computation go. */
void explain_cuts(const struct log *log);

void explain_all(struct log *log, const struct explain_options *options);
int explain_file(struct log *log, const struct explain_options *options, const char *file,
                 struct error *error);
void explain_line(struct log *log, const struct explain_options *options, const char *file,
                  int line);

/* Prints the value on stdout and drops it. */
void explain_print_json(json_t *value);
