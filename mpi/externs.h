/* SPDX-License-Identifier: Apache-2.0
 *
 * What functions without source do: which arguments they read and write, what they return, what
 * hidden state they touch. The rows are data: externs.def is built in, and users add rows in the
 * same form to their hints (skeletonizer/hints/hints.h), which override earlier rows of the same
 * name.
 *
 * A row: names(effects) result kind cost. The form is described at the head of externs.def. A
 * function without a row is not harmless: assume that it reads and writes all it can reach.
 */
#ifndef MPI_EXTERNS_H
#define MPI_EXTERNS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>

enum extern_effect {
    EXTERN_NONE,        /* only as `rest`: takes no further arguments */
    EXTERN_VALUE,       /* only the argument itself matters */
    EXTERN_READ,        /* reads what it points to */
    EXTERN_READ_DEEP,   /* likewise, and what the pointers in that point to */
    EXTERN_WRITE,       /* writes what it points to */
    EXTERN_READ_WRITE,  /* both */
    EXTERN_COPY,        /* writes it with the contents of argument `other` */
    EXTERN_POINTER,     /* writes it with a pointer into what argument `other` points to */
    EXTERN_MOVED,       /* the same, and reads it */
    EXTERN_KEPT,        /* reads and writes what it points to, and keeps the pointer in `state` */
    EXTERN_LIST,        /* a va_list: reads and writes what its arguments point to */
    EXTERN_READ_LIST,   /* a va_list: only reads what its arguments point to */
    EXTERN_ALLOCATION,  /* writes it with a pointer to fresh memory */
    EXTERN_GROWN,       /* the same, and reads it */
    EXTERN_FROM_DEVICE, /* writes it with what comes from a device, which simulations lack */
    EXTERN_FREED        /* gives back what it points to */
};

struct extern_parameter {
    enum extern_effect effect;
    int other;        /* an argument's index from 0, or -1 */
    const char *name; /* as used in the cost; NULL: none */
};

enum extern_result {
    EXTERN_RETURNS_NOTHING,
    EXTERN_RETURNS_VALUE,
    EXTERN_RETURNS_FRESH,  /* a pointer to fresh memory */
    EXTERN_RETURNS_COPY,   /* the same, with the contents of argument `result_argument` */
    EXTERN_RETURNS_ALIAS,  /* a pointer into what argument `result_argument` points to */
    EXTERN_RETURNS_INNER,  /* the pointer that argument `result_argument` points to */
    EXTERN_RETURNS_STATIC, /* a pointer to memory of the library, named by `state` or its own */
    EXTERN_RETURNS_KEPT    /* the same, or a pointer that an argument gave to `state` */
};

enum extern_kind {
    EXTERN_PURE,    /* does nothing beyond what its row says of arguments and result */
    EXTERN_OUTPUT,  /* writes to a file or device; `stream` is its FILE, -1: stdout or the like */
    EXTERN_STATE,   /* reads and writes the hidden state `state` */
    EXTERN_INPUT,   /* reads on from the FILE in argument `stream`, in order */
    EXTERN_EXIT,    /* does not return */
    EXTERN_ALWAYS,  /* has an effect that nothing tells: all its calls stay */
    EXTERN_MEMORY,  /* returns a FILE that reads and writes what its arguments point to */
    EXTERN_TIMER,   /* its result depends on the time */
    EXTERN_CALLBACK /* calls the function in argument `callback` */
};

struct extern_function {
    const char *name;
    int parameter_count;
    const struct extern_parameter *parameters;
    enum extern_effect rest; /* of arguments beyond the parameters */
    enum extern_result result;
    int result_argument; /* index from 0, or -1 */
    enum extern_kind kind;
    const char *state; /* NULL: none, which EXTERN_STATE always has */
    bool is_number;    /* the result follows from the arguments' values alone, anywhere, again */
    bool sets_errno;
    bool changes_names; /* what paths lead to: it makes a directory, goes to another one */
    bool follows_path;  /* it goes by what paths lead to; all that change names do */
    int stream;         /* index from 0, or -1 */
    int callback;       /* index from 0, or -1 */
    const char *cost;   /* operations, such as "2*m*n*k" in parameters' names; NULL: not told */
    const char *file;   /* where the row is */
    int line, column;
    size_t order; /* rows loaded before it */
};

/* A zeroed structure is empty and valid. */
struct externs {
    struct arena arena;
    VEC(struct extern_function) functions;
    bool sorted;
};

void externs_dispose(struct externs *externs);

/* Adds the rows of a text; `name` is the file's name for errors and is copied. On -1 the rows
 * before the error are there. */
int externs_load(struct externs *out, const char *text, const char *name, struct error *error);

/* Adds the one row that begins at `at`, in the line that begins at `line_start` and ends with a
 * newline or the text. */
int externs_load_row(struct externs *out, const char *line_start, const char *at, const char *name,
                     int line, struct error *error);

/* A row whose function has an earlier row in the same file (the later of the two); NULL: none. */
const struct extern_function *externs_repeated(struct externs *externs);

/* The rows of externs.def, which is part of the program. */
int externs_load_builtin(struct externs *out, struct error *error);
const char *externs_builtin_text(void);

/* NULL: there is no row. `__builtin_NAME` finds the row of NAME unless it has its own. */
const struct extern_function *externs_find(struct externs *externs, const char *name);

/* Intrinsics of x86's vector instructions (_mm_*, _mm256_*, _mm512_*, __builtin_ia32_*) have rows
 * by their families, __vector_*, which their names tell; NULL: none of them. `has_pointers`: among
 * the parameters. */
const struct extern_function *externs_find_vector(struct externs *externs, const char *name,
                                                  bool has_pointers);

/* Whether simulations take the time that it waits: SMPI has sleeps of its own. */
static inline bool extern_sleeps_in_simulation(const struct extern_function *function) {
    return strcmp(function->name, "sleep") == 0 || strcmp(function->name, "usleep") == 0 ||
           strcmp(function->name, "nanosleep") == 0;
}

/* The effect on argument `index` (from 0), also for those beyond the parameters. */
struct extern_parameter extern_argument(const struct extern_function *function, int index);

bool extern_effect_reads(enum extern_effect effect);
bool extern_effect_writes(enum extern_effect effect);

#endif
