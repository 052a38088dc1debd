/* SPDX-License-Identifier: Apache-2.0
 *
 * What rewritten sources call; force-included (-include bsim.h) before the first line of each of
 * them, with one of -DBSIM_SKELETON, -DBSIM_PROFILE, -DBSIM_ORIGINAL and with
 * -DBSIM_BUNDLE_ID="...". See docs/reference/bundle.md, "What rewritten sources call".
 *
 * Compiles in any C from C89 on. It takes only names that begin with bsim or BSIM. For SMPI it
 * includes mpi.h first, so that the macros for MPI functions come after the declarations. It
 * includes no header of libc but <stddef.h>: which names are declared, the program chooses.
 */
#ifndef BSIM_H
#define BSIM_H

#pragma GCC system_header

#if defined(BSIM_SKELETON) || defined(BSIM_ORIGINAL)
#include <mpi.h>
#ifndef BSIM_NO_MACROS
#include "bsim_libc.h"
#endif
#endif

/* In front of a variable whose value the runtime gets ready (bsim_world.h): the compiler is not to
 * reason that it is never assigned. */
#define BSIM_LATER __attribute__((used))

#ifndef BSIM_BUNDLE_ID
#define BSIM_BUNDLE_ID "0000000000000000"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* One per translation unit; the linker keeps one for the runtime to read. */
extern const char bsim_bundle_id[] __attribute__((weak, visibility("hidden")));
#ifndef BSIM_NO_MACROS
const char bsim_bundle_id[] = BSIM_BUNDLE_ID;
#endif

/* BSIM_COUNTS(macro calls): expands them, so that __COUNTER__ counts, and gives nothing. */
#define BSIM__NOTHING(...)
#define BSIM_COUNTS(...) BSIM__NOTHING(__VA_ARGS__)

#if defined(BSIM_SKELETON) || defined(BSIM_ORIGINAL)

/* In front of a variable of which each rank has its own; runtime/smpi/private.c finds them. */
#ifndef BSIM_PRIVATE
#ifdef __cplusplus
#define BSIM_PRIVATE thread_local
#else
#define BSIM_PRIVATE _Thread_local
#endif
#endif

/* In front of arrays that no rank looks at: one for all ranks, in a section that needs no memory.
 * The assembler's `#` takes away the flags that gcc would give it. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BSIM_SHARED __attribute__((section(".bsim_unread,\"aw\",@nobits#")))
#else
#define BSIM_SHARED BSIM_PRIVATE
#endif
#include "bsim_own.h"

struct bsim_region_model;
struct bsim_ratio;

/* What a stub remembers of its last execution: the latency and, behind this, region and features.
 */
struct bsim_stub {
    double latency_s;         /* negative: nothing was ever remembered */
    unsigned long executions; /* with what is remembered */
    unsigned long good_for;   /* how many executions may use it; ULONG_MAX: any number */
    double seconds;           /* of all executions so far */
    unsigned long earlier;    /* executions before those, on this rank */
    unsigned long unchanged;  /* of them the last ones, with the same features */
    int value_count;
    int line;
    const char *file;
    struct bsim_stub *next;
    struct bsim__own *own; /* its rank's; NULL: not looked for yet */
    double noted_s; /* of seconds and executions, when the loop that is extrapolated was noted */
    unsigned long noted;
    double marked_s;              /* of seconds, when the last iteration of that loop began */
    double model_s;               /* what the model says of one execution, */
    double unseen;                /* the part of it that is of unseen shares (model/eval/eval.h), */
    unsigned long model_good_for; /* and for how many more */
    const struct bsim_region_model *model; /* NULL: not looked for yet; */
    const struct bsim_ratio *ratio;        /* then its ratio (NULL: 1), */
    double scale;                          /* its factor on this rank */
    int is_noisy;                          /* and whether it has a spread */
    int is_recorded; /* features are numbers of the run alone (runtime/synthesis) */
};
#define BSIM__VALUES(bsim_of) ((double *)((bsim_of) + 1))

struct bsim__own *bsim__stub_own(struct bsim_stub *stub);
void bsim__stub_evaluate(struct bsim_stub *stub, const double *values);

/* In a parallel region of OpenMP each thread comes here; the rank's time is that of its first one.
 */
#ifdef _OPENMP
extern int omp_get_level(void);
extern int omp_get_ancestor_thread_num(int);
static __inline__ __attribute__((unused)) int bsim_is_first_thread(void) {
    int bsim_level = omp_get_level();
    while (bsim_level > 0 && omp_get_ancestor_thread_num(bsim_level) == 0)
        bsim_level--;
    return bsim_level == 0;
}
#else
#define bsim_is_first_thread() 1
#endif

/* The empty assembly hides from the compiler where the stub's address comes from: it would ask for
 * it again at each use. */
static __inline__ __attribute__((unused)) void
bsim_add_time(struct bsim_stub *bsim_stub, const double *bsim_values, int bsim_count) {
    struct bsim__own *bsim_own;
    int bsim_same, bsim_i;
    if (!bsim_is_first_thread())
        return;
    __asm__("" : "+r"(bsim_stub));
    bsim_own = bsim_stub->own != 0 ? bsim_stub->own : bsim__stub_own(bsim_stub);
    if (bsim_own->kept_depth > 0)
        return;
    bsim_same = bsim_stub->executions < bsim_stub->good_for;
    for (bsim_i = 1; bsim_i < bsim_count; bsim_i++)
        bsim_same &= BSIM__VALUES(bsim_stub)[bsim_i] == bsim_values[bsim_i];
    if (!bsim_same)
        bsim__stub_evaluate(bsim_stub, bsim_values);
    bsim_stub->executions++;
    bsim_own->pending_s += bsim_stub->latency_s;
    bsim_own->last_region = (int)bsim_values[0];
}

/* What a place remembers. */
#define BSIM__STUB(...)                                                                            \
    __extension__ const double bsim_values[] = {__VA_ARGS__};                                      \
    BSIM__PRIVATE static struct {                                                                  \
        struct bsim_stub stub;                                                                     \
        double values[sizeof bsim_values / sizeof bsim_values[0]];                                 \
    } bsim_place = {                                                                               \
        {-1.0,     0,        0, 0.0, 0,   0,   (int)(sizeof bsim_values / sizeof bsim_values[0]),  \
         __LINE__, __FILE__, 0, 0,   0.0, 0,   0.0,                                                \
         0.0,      0.0,      0, 0,   0,   0.0, 0},                                                 \
        {0.0}}

#define BSIM__TAKE(...)                                                                            \
    do {                                                                                           \
        BSIM__STUB(__VA_ARGS__);                                                                   \
        bsim_add_time(&bsim_place.stub, bsim_values,                                               \
                      (int)(sizeof bsim_values / sizeof bsim_values[0]));                          \
    } while (0)
#endif /* BSIM_SKELETON || BSIM_ORIGINAL */

#ifdef BSIM_SKELETON

/* One for all ranks. */
extern void *bsim__scratch __attribute__((visibility("hidden")));
void *bsim__scratch_map(void);

/* BSIM_ADD_TIME(region, features...) */
#define BSIM_ADD_TIME(...) BSIM__TAKE(__VA_ARGS__)

/* A computation that stays in the skeleton: BSIM_BEGIN(region, features...) ... BSIM_END(region) */
#define BSIM_BEGIN(...)                                                                            \
    do {                                                                                           \
        BSIM_ADD_TIME(__VA_ARGS__);                                                                \
        if (bsim_is_first_thread())                                                                \
            bsim__own.kept_depth++;                                                                \
    } while (0)
#define BSIM_END(bsim_region) ((void)(bsim_is_first_thread() && bsim__own.kept_depth--))

/* The same where its features are known only as it ends: how much it has read.
 * BSIM_BEGIN_LATE(region)
 * ... BSIM_END_LATE(region, features...) */
#define BSIM_BEGIN_LATE(bsim_region) ((void)(bsim_is_first_thread() && bsim__own.kept_depth++))
#define BSIM_END_LATE(...)                                                                         \
    do {                                                                                           \
        BSIM_END(0);                                                                               \
        BSIM_ADD_TIME(__VA_ARGS__);                                                                \
    } while (0)

static __inline__ __attribute__((unused)) void *bsim_scratch(void) {
    return bsim__scratch != 0 ? bsim__scratch : bsim__scratch_map();
}

#define BSIM_SCRATCH bsim_scratch()

/* Allocations of which the skeleton looks at nothing behind the first so many bytes: of so much,
 * but at least one, unless they were of nothing or failed where they were made, too. */
static __inline__ __attribute__((unused)) __SIZE_TYPE__ bsim_unread(__SIZE_TYPE__ bsim_bytes,
                                                                    __SIZE_TYPE__ bsim_size) {
    if (bsim_size <= bsim_bytes || bsim_size > __PTRDIFF_MAX__)
        return bsim_size;
    return bsim_bytes > 0 ? bsim_bytes : 1;
}
static __inline__ __attribute__((unused)) __SIZE_TYPE__ bsim_unread_items(__SIZE_TYPE__ bsim_bytes,
                                                                          __SIZE_TYPE__ bsim_items,
                                                                          __SIZE_TYPE__ bsim_size) {
    if (bsim_size > 0 && bsim_items > __PTRDIFF_MAX__ / bsim_size)
        return (__SIZE_TYPE__)-1;
    return bsim_unread(bsim_bytes, bsim_items * bsim_size);
}

#define BSIM_UNREAD_malloc(bsim_bytes, ...) malloc(bsim_unread(bsim_bytes, __VA_ARGS__))
#define BSIM_UNREAD_calloc(bsim_bytes, ...) calloc(bsim_unread_items(bsim_bytes, __VA_ARGS__), 1)
#define BSIM_UNREAD_realloc(bsim_bytes, bsim_old, ...)                                             \
    realloc(bsim_old, bsim_unread(bsim_bytes, __VA_ARGS__))
#define BSIM_UNREAD_aligned_alloc(bsim_bytes, bsim_alignment, ...)                                 \
    aligned_alloc(bsim_alignment, bsim_unread(bsim_bytes, __VA_ARGS__))
#define BSIM_UNREAD_memalign(bsim_bytes, bsim_alignment, ...)                                      \
    memalign(bsim_alignment, bsim_unread(bsim_bytes, __VA_ARGS__))
#define BSIM_UNREAD_posix_memalign(bsim_bytes, bsim_out, bsim_alignment, ...)                      \
    posix_memalign(bsim_out, bsim_alignment, bsim_unread(bsim_bytes, __VA_ARGS__))
#define BSIM_UNREAD_strdup(bsim_bytes, ...) __builtin_strndup(__VA_ARGS__, bsim_bytes)

/* The first dimension of an array of variable length that nobody looks at. */
#define BSIM_UNREAD_LENGTH(bsim_items) ((bsim_items) > 0)

/* Loops that `mpiskel run --set` and `--iterations` change, or whose progress is shown
 * (loop_hooks.c, iterations.c). 0: none; 1: the outermost ones that communicate; 2: all; 4: there
 * are changed features; 8: outermost ones may be left early. */
extern int bsim__hooks __attribute__((visibility("hidden")));
int bsim__loop_enter(int loop, int done);
int bsim__loop_ask(int loop, double left, int outermost);
double bsim__loop_trips(int loop, double trip_count);

#define BSIM__HOOK(bsim_which)                                                                     \
    (__builtin_expect(bsim__hooks & (bsim_which), 0) && bsim_is_first_thread())

/* Before a loop that stays: BSIM_ENTER(loop) for (...; BSIM_GOES(loop, trips left, condition);
 * ...); before a `do`: BSIM_ENTER_DO(loop) do ... while (BSIM_GOES(...)). */
#define BSIM__ENTER(bsim_loop, bsim_done)                                                          \
    if (BSIM__HOOK(3) && bsim__loop_enter(bsim_loop, bsim_done)) {                                 \
    } else
#define BSIM_ENTER(bsim_loop) BSIM__ENTER(bsim_loop, 0)
#define BSIM_ENTER_DO(bsim_loop) BSIM__ENTER(bsim_loop, 1)
#define BSIM__GOES(bsim_which, bsim_loop, bsim_left, ...)                                          \
    (__extension__({                                                                               \
        int bsim_goes =                                                                            \
            BSIM__HOOK(bsim_which) ? bsim__loop_ask(bsim_loop, bsim_left, (bsim_which) & 1) : -1;  \
        bsim_goes < 0 ? (__VA_ARGS__) != 0 : bsim_goes;                                            \
    }))
#define BSIM_GOES(...) BSIM__GOES(2, __VA_ARGS__)
#define BSIM_GOES_OUTERMOST(...) BSIM__GOES(3, __VA_ARGS__)

#else
#define BSIM_ADD_TIME(...) ((void)0)
#endif /* BSIM_SKELETON */

/* What MPI_Comm_rank and MPI_Comm_size tell within a region, in its features: called behind the
 * program's back. */
#define BSIM__ASK(bsim_ask, bsim_comm)                                                             \
    (__extension__({                                                                               \
        int bsim_told = 0;                                                                         \
        bsim_ask((bsim_comm), &bsim_told);                                                         \
        bsim_told;                                                                                 \
    }))
#define bsim_rank_in(bsim_comm) BSIM__ASK(PMPI_Comm_rank, bsim_comm)
#define bsim_size_of(bsim_comm) BSIM__ASK(PMPI_Comm_size, bsim_comm)

#define BSIM__VECTOR_VALUES 256 /* features of a vector */
/* Of vectors with a number for each rank of a communicator: rank and number of ranks there, behind
 * all declarations, as C89 wants it. */
#define BSIM__WHERE int bsim_i, bsim_where[2] = {0, 1}
#define BSIM__FIND_WHERE(bsim_comm)                                                                \
    (PMPI_Comm_rank((bsim_comm), &bsim_where[0]), PMPI_Comm_size((bsim_comm), &bsim_where[1]))

/* Values that the skeleton takes as given: integers, floating-point numbers, whether a branch is
 * taken, whether a loop goes on.
 * BSIM_VALUE_I(region, features...), BSIM_RECORD_I((expression), region, features...)
 * BSIM_VECTOR(numbers, communicator, which of the values is BSIM_NUMBER_OF_VECTOR, region,
 * features...): a number for each rank
 * BSIM_DRAW_I(region, least, largest, keys...): drawn as a hint says */
#if defined(BSIM_SKELETON)
long long bsim__value_integer(struct bsim_stub *stub, const double *values);
double bsim__value_floating(struct bsim_stub *stub, const double *values);
int bsim__value_branch(struct bsim_stub *stub, const double *values);
int bsim__value_trips(struct bsim_stub *stub, const double *values);
long long bsim__value_drawn(struct bsim_stub *stub, const double *values);
void bsim__given_note(int region, double value);
int bsim__begin_trips(int region);
double bsim__trips_left(int region, double limit);
/* Before a loop with BSIM_TRIPS, which something else may have ended the last time. */
#define BSIM_BEGIN_TRIPS(bsim_region)                                                              \
    if (bsim__begin_trips(bsim_region)) {                                                          \
    } else
#define BSIM__VALUE(bsim_ask, ...)                                                                 \
    (__extension__({                                                                               \
        BSIM__STUB(__VA_ARGS__);                                                                   \
        __typeof__(bsim_ask(&bsim_place.stub, bsim_values)) bsim_given =                           \
            bsim_ask(&bsim_place.stub, bsim_values);                                               \
        bsim__given_note((int)bsim_values[0], (double)bsim_given);                                 \
        bsim_given;                                                                                \
    }))
#define BSIM_VALUE_I(...) BSIM__VALUE(bsim__value_integer, __VA_ARGS__)
#define BSIM_VALUE_D(...) BSIM__VALUE(bsim__value_floating, __VA_ARGS__)
#define BSIM_DRAW_I(...) BSIM__VALUE(bsim__value_drawn, __VA_ARGS__)
#define BSIM_BRANCH(...) BSIM__VALUE(bsim__value_branch, __VA_ARGS__)
#define BSIM_TRIPS(...) BSIM__VALUE(bsim__value_trips, __VA_ARGS__)
/* Iterations that are left of a loop with BSIM_TRIPS, at most `limit` if that is not negative; -1
 * before its condition has been evaluated. */
#define BSIM_TRIPS_LEFT(bsim_region, bsim_limit) bsim__trips_left(bsim_region, bsim_limit)
struct bsim_carried {
    double rest;
    unsigned turn;
};
const double *bsim__value_vector(struct bsim_stub *stub, struct bsim_carried *carried,
                                 const double *values, int which, const int *where);
#define BSIM_VECTOR(bsim_numbers, bsim_comm, bsim_which, ...)                                      \
    (__extension__({                                                                               \
        BSIM__STUB(__VA_ARGS__);                                                                   \
        BSIM__PRIVATE static struct bsim_carried bsim_carried = {0.0, 0};                          \
        BSIM__WHERE;                                                                               \
        const double *bsim_given;                                                                  \
        BSIM__FIND_WHERE(bsim_comm);                                                               \
        bsim_given = bsim__value_vector(&bsim_place.stub, &bsim_carried, bsim_values, bsim_which,  \
                                        bsim_where);                                               \
        for (bsim_i = 0; bsim_i < bsim_where[1]; bsim_i++)                                         \
            (bsim_numbers)[bsim_i] = (__typeof__(*(bsim_numbers)))bsim_given[bsim_i];              \
        (void)0;                                                                                   \
    }))
#else
#if defined(BSIM_ORIGINAL)
void bsim__record_integer(long long number, int region);
void bsim__record_floating(double number, int region);
#define BSIM__RECORD_I(bsim_number, bsim_values, bsim_count)                                       \
    bsim__record_integer((long long)(bsim_number), (int)(bsim_values)[0])
#define BSIM__RECORD_D(bsim_number, bsim_values, bsim_count)                                       \
    bsim__record_floating((double)(bsim_number), (int)(bsim_values)[0])
#else
void bsim__record_value(double number, const double *values, int value_count);
#define BSIM__RECORD_I(bsim_number, bsim_values, bsim_count)                                       \
    bsim__record_value((double)(long long)(bsim_number), (bsim_values), (bsim_count))
#define BSIM__RECORD_D(bsim_number, bsim_values, bsim_count)                                       \
    bsim__record_value((double)(bsim_number), (bsim_values), (bsim_count))
#endif
#define BSIM__RECORD(bsim_how, bsim_type, bsim_expression, ...)                                    \
    (__extension__({                                                                               \
        const double bsim_values[] = {__VA_ARGS__};                                                \
        bsim_type bsim_number = (bsim_expression);                                                 \
        bsim_how(bsim_number, bsim_values, (int)(sizeof bsim_values / sizeof bsim_values[0]));     \
        bsim_number;                                                                               \
    }))
#define BSIM_RECORD_I(bsim_expression, ...)                                                        \
    BSIM__RECORD(BSIM__RECORD_I, __typeof__(bsim_expression), bsim_expression, __VA_ARGS__)
#define BSIM_RECORD_D(bsim_expression, ...)                                                        \
    BSIM__RECORD(BSIM__RECORD_D, __typeof__(bsim_expression), bsim_expression, __VA_ARGS__)
double *bsim__vector_space(int ranks);
void bsim__record_vector(const double *values, int value_count, int which, const int *where);
#define BSIM_RECORD_VECTOR(bsim_numbers, bsim_comm, bsim_which, ...)                               \
    (__extension__({                                                                               \
        const double bsim_values[] = {__VA_ARGS__};                                                \
        BSIM__WHERE;                                                                               \
        double *bsim_vector;                                                                       \
        BSIM__FIND_WHERE(bsim_comm);                                                               \
        bsim_vector = bsim__vector_space(bsim_where[1]);                                           \
        for (bsim_i = 0; bsim_vector != 0 && bsim_i < bsim_where[1]; bsim_i++)                     \
            bsim_vector[bsim_i] = (double)(bsim_numbers)[bsim_i];                                  \
        bsim__record_vector(bsim_values, (int)(sizeof bsim_values / sizeof bsim_values[0]),        \
                            bsim_which, bsim_where);                                               \
        (void)0;                                                                                   \
    }))
#define BSIM_RECORD_B(bsim_expression, ...)                                                        \
    BSIM__RECORD(BSIM__RECORD_I, int, (bsim_expression) ? 1 : 0, __VA_ARGS__)
#endif

/* In programs that count what they execute (runtime/counted): what a hook executes between these is
 * none of the program's, and does not count. */
#if defined(BSIM_COUNTED) && (defined(BSIM_PROFILE) || defined(BSIM_ORIGINAL))
void bsim_counts_hold(void);
void bsim_counts_release(void);
#else
#define bsim_counts_hold() ((void)0)
#define bsim_counts_release() ((void)0)
#endif

#ifdef BSIM_PROFILE

/* What a BSIM_BEGIN, or a BSIM_END_LATE, remembers of its last execution. */
struct bsim_probe {
    void *entry; /* where that execution was counted; 0: nothing is remembered */
    double *values;
    int value_count;
    unsigned long executions; /* so far */
    unsigned long unchanged;  /* of them the last ones, with the remembered values */
};

void bsim_begin(struct bsim_probe *probe, const double *values);
void bsim_end(int region);
void bsim_begin_late(int region);
void bsim_end_late(struct bsim_probe *probe, const double *values);

/* BSIM_BEGIN(region, features...) */
void bsim_pause_kept(void);
int bsim_resume_kept(int bsim_result);
#define BSIM__PROBE(bsim_tell, ...)                                                                \
    do {                                                                                           \
        bsim_pause_kept();                                                                         \
        bsim_counts_hold();                                                                        \
        {                                                                                          \
            __extension__ const double bsim_values[] = {__VA_ARGS__};                              \
            static double bsim_remembered[sizeof bsim_values / sizeof bsim_values[0]];             \
            static struct bsim_probe bsim_probe = {                                                \
                0, bsim_remembered, (int)(sizeof bsim_remembered / sizeof bsim_remembered[0]), 0,  \
                0};                                                                                \
            bsim_counts_release();                                                                 \
            bsim_tell(&bsim_probe, bsim_values);                                                   \
        }                                                                                          \
    } while (0)
#define BSIM_BEGIN(...) BSIM__PROBE(bsim_begin, __VA_ARGS__)
#define BSIM_END(bsim_region) bsim_end(bsim_region)
/* BSIM_BEGIN_LATE(region) ... BSIM_END_LATE(region, features...) */
#define BSIM_BEGIN_LATE(bsim_region) bsim_begin_late(bsim_region)
#define BSIM_END_LATE(...) BSIM__PROBE(bsim_end_late, __VA_ARGS__)

/* BSIM_SLEEP(call): SMPI simulates such a sleep, so that it is no time that predictions lack. */
#define BSIM_SLEEP(...) (bsim_pause_kept(), bsim_resume_kept((int)(__VA_ARGS__)))

#elif defined(BSIM_ORIGINAL)

/* Regions take what the models say, if that is asked for: only the outermost one counts. */
#define BSIM__TIMED (__builtin_expect(bsim__takes_latencies, 0) && bsim_is_first_thread())
#define BSIM_BEGIN(...)                                                                            \
    do {                                                                                           \
        bsim_counts_hold();                                                                        \
        if (BSIM__TIMED) {                                                                         \
            BSIM__TAKE(__VA_ARGS__);                                                               \
            bsim__own.kept_depth++;                                                                \
        }                                                                                          \
        bsim_counts_release();                                                                     \
    } while (0)
#define BSIM__ALTERS_DEPTH(...)                                                                    \
    (bsim_counts_hold(), (void)(BSIM__TIMED && (__VA_ARGS__)), bsim_counts_release())
#define BSIM_END(bsim_region) BSIM__ALTERS_DEPTH(bsim__own.kept_depth > 0 && bsim__own.kept_depth--)
#define BSIM_BEGIN_LATE(bsim_region) BSIM__ALTERS_DEPTH(bsim__own.kept_depth++)
#define BSIM_END_LATE(...)                                                                         \
    do {                                                                                           \
        BSIM_END(0);                                                                               \
        bsim_counts_hold();                                                                        \
        if (BSIM__TIMED)                                                                           \
            BSIM__TAKE(__VA_ARGS__);                                                               \
        bsim_counts_release();                                                                     \
    } while (0)
#define BSIM_SLEEP(...) (__VA_ARGS__)

#elif !defined(BSIM_SKELETON)
#define BSIM_BEGIN(...) ((void)0)
#define BSIM_END(bsim_region) ((void)0)
#define BSIM_BEGIN_LATE(bsim_region) ((void)0)
#define BSIM_END_LATE(...) ((void)0)
#define BSIM_SLEEP(...) (__VA_ARGS__)
#endif /* BSIM_PROFILE */

#ifdef __cplusplus
}
#endif

/* In the unit that defines main of a program that never calls MPI; the value declares it. The
 * program begins with the runtime's bsim__main instead (program_steps.c), which calls this one
 * between MPI_Init and MPI_Finalize. */
#ifdef BSIM_MAIN
BSIM_MAIN __asm__("bsim__program_main");
#endif

#include "bsim_features.h"

#if defined(BSIM_SKELETON) || defined(BSIM_ORIGINAL)
#include "bsim_calls.h"
#elif defined(BSIM_PROFILE) && !defined(BSIM_NO_MACROS)
#include "bsim_names.h"
#endif

#endif
