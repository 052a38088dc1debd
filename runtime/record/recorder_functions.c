/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the user names: those of a build with -finstrument-functions, of the C interface
 * to BLAS, and of kernels.def, which this library stands before. Each execution is an event, as
 * long as the processor time that it took; calls of MPI within one divide it, but polls that found
 * nothing. Of functions within
 * each other the outer one is recorded.
 *
 * Not handled: functions that a program has linked statically, or that end by a jump.
 */
#include "runtime/record/recorder.h"

#include "analysis/writer/trace_calls.h"
#include "analysis/writer/trace_id.h"
#include "analysis/writer/trace_table.h"

#include <stdlib.h>
#include <string.h>

/* By its address, or by the address of its name. */
struct known_function {
    struct trace_node node;
    bool is_wanted;
    uint32_t site;
};

static const char *wanted; /* names, with a comma before and behind each; NULL: none */
static const struct trace_calls *calls;
static struct trace_writer *writer;
static struct trace_table functions;
static int region_count;

static struct {
    int depth; /* of functions that are wanted */
    uint32_t site;
    int64_t work, begin_ns;
    int64_t before_ns, spent_ns; /* processor time before it, and in it */
    int64_t resumed_ns;          /* processor time when it last went on */
    bool is_divided;             /* what was so far has been written */
} open_function;

void bsim__record_functions_start(const struct trace_calls *of, struct trace_writer *to,
                                  const char *names) {
    char *text = names != NULL ? malloc(strlen(names) + 3) : NULL;
    calls = of;
    writer = to;
    if (text != NULL)
        wanted = strcat(strcat(strcpy(text, ","), names), ",");
}

static bool is_named(const char *name) {
    size_t length = strlen(name);
    for (const char *at = wanted; (at = strstr(at + 1, name)) != NULL;)
        if (at[-1] == ',' && at[length] == ',')
            return true;
    return false;
}

/* NULL: out of memory. */
static struct known_function *know(const char *name, const char *module, uint64_t hash) {
    struct known_function *function = calloc(1, sizeof *function);
    if (function == NULL)
        return NULL;
    function->is_wanted = is_named(name);
    struct trace_site site = {
        .kind = TRACE_REGION, .region = region_count, .function = name, .file = module};
    if (function->is_wanted) {
        function->site = calls->trace_writer_site(writer, &site);
        region_count++;
    }
    if (trace_table_add(&functions, &function->node, hash))
        return function;
    free(function);
    return NULL;
}

static const struct known_function *find(const void *address, const char *name) {
    uint64_t hash = trace_mix(3, (uint64_t)(uintptr_t)address), ignored;
    struct known_function *function = (void *)trace_table_find(&functions, hash);
    if (function != NULL || name != NULL)
        return function != NULL ? function : know(name, "", hash);
    struct bsim__record_module *module = bsim__record_module_at((uint64_t)(uintptr_t)address);
    if (module != NULL)
        name =
            bsim__record_function_at(module, (uint64_t)(uintptr_t)address - module->base, &ignored);
    return know(name != NULL ? name : "", module != NULL ? module->name : "", hash);
}

/* ---- Begin and end ---- */

void bsim__record_functions_pause(void) {
    if (open_function.depth > 0)
        open_function.spent_ns += bsim__record_cpu_ns() - open_function.resumed_ns;
}

/* What was so far. */
static void write_region(void) {
    bsim__record_region(open_function.site, open_function.begin_ns, open_function.spent_ns,
                        open_function.before_ns, open_function.work);
}

int64_t bsim__record_functions_divide(void) {
    if (open_function.depth == 0)
        return 0;
    int64_t told_ns = open_function.before_ns + open_function.spent_ns;
    write_region();
    open_function.before_ns = open_function.spent_ns = 0;
    open_function.is_divided = true;
    return told_ns;
}

void bsim__record_functions_resume(void) {
    if (open_function.depth == 0)
        return;
    if (open_function.is_divided)
        open_function.begin_ns = bsim__record_now_ns();
    open_function.is_divided = false;
    open_function.resumed_ns = bsim__record_cpu_ns();
}

/* `name` NULL: it is found by the address. */
static bool enter(const void *address, const char *name, int64_t work) {
    if (wanted == NULL || !bsim__record_is_on())
        return false;
    const struct known_function *function = find(address, name);
    if (function == NULL || !function->is_wanted)
        return false;
    if (open_function.depth++ > 0)
        return true;
    open_function.site = function->site;
    open_function.work = work;
    open_function.before_ns = bsim__record_cpu_since_event_ns();
    open_function.spent_ns = 0;
    open_function.is_divided = true;
    bsim__record_functions_resume();
    return true;
}

static void leave(void) {
    if (open_function.depth == 1) {
        bsim__record_functions_pause();
        write_region();
        bsim__record_computation_begins();
    }
    open_function.depth -= open_function.depth > 0;
}

/* ---- -finstrument-functions ---- */

void __cyg_profile_func_enter(void *function, void *from);
void __cyg_profile_func_exit(void *function, void *from);

void __cyg_profile_func_enter(void *function, void *from) {
    (void)from;
    enter(function, NULL, 0);
}

void __cyg_profile_func_exit(void *function, void *from) {
    (void)from;
    if (open_function.depth > 0 && bsim__record_is_on() && find(function, NULL)->is_wanted)
        leave();
}

/* ---- Kernels ---- */

/* As many as any of them has, with the lengths of texts; who has fewer leaves the others alone. */
#define PARAMETERS                                                                                 \
    void *a0, void *a1, void *a2, void *a3, void *a4, void *a5, void *a6, void *a7, void *a8,      \
        void *a9, void *a10, void *a11, void *a12, void *a13, void *a14, void *a15
#define ARGUMENTS a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15

static int64_t dimension(void *const *args, int which) {
    return which >= 0 ? *(const int *)args[which] : 1;
}

#define FORTRAN(name, a, b, c)                                                                     \
    void name(PARAMETERS);                                                                         \
    void name(PARAMETERS) {                                                                        \
        static void (*real)(PARAMETERS);                                                           \
        void *args[] = {ARGUMENTS};                                                                \
        if (real == NULL)                                                                          \
            bsim__record_find(&real, #name);                                                       \
        int64_t work =                                                                             \
            wanted != NULL ? dimension(args, a) * dimension(args, b) * dimension(args, c) : 0;     \
        bool is_open = enter(&real, #name, work);                                                  \
        real(ARGUMENTS);                                                                           \
        if (is_open)                                                                               \
            leave();                                                                               \
    }
#include "runtime/record/kernels.def"

/* The C interface to BLAS gives numbers by value. */
#define C_KERNEL(name, parameters, arguments, work)                                                \
    void name parameters;                                                                          \
    void name parameters {                                                                         \
        static void(*real) parameters;                                                             \
        if (real == NULL)                                                                          \
            bsim__record_find(&real, #name);                                                       \
        bool is_open = enter(&real, #name, work);                                                  \
        real arguments;                                                                            \
        if (is_open)                                                                               \
            leave();                                                                               \
    }

C_KERNEL(cblas_dgemm,
         (int order, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda,
          const double *b, int ldb, double beta, double *c, int ldc),
         (order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc), (int64_t)m *n *k)
C_KERNEL(cblas_dtrsm,
         (int order, int side, int part, int ta, int diagonal, int m, int n, double alpha,
          const double *a, int lda, double *b, int ldb),
         (order, side, part, ta, diagonal, m, n, alpha, a, lda, b, ldb), (int64_t)m *n)
C_KERNEL(cblas_dgemv,
         (int order, int ta, int m, int n, double alpha, const double *a, int lda, const double *x,
          int step_x, double beta, double *y, int step_y),
         (order, ta, m, n, alpha, a, lda, x, step_x, beta, y, step_y), (int64_t)m *n)
C_KERNEL(cblas_dger,
         (int order, int m, int n, double alpha, const double *x, int step_x, const double *y,
          int step_y, double *a, int lda),
         (order, m, n, alpha, x, step_x, y, step_y, a, lda), (int64_t)m *n)
