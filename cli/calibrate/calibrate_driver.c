/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and their driver; see calibrate_driver.h.
 *
 * Fortran's interface is called, which every BLAS has and which needs no header. Sizes go from
 * small to large by powers of 2 (and, of kernels with one or two sizes, what lies half between),
 * the largest with all smaller ones: so square matrices, panels and thin ones. Calls whose operands
 * would not fit into 256 MiB are left out. Warm: after a first call as many as take a millisecond,
 * the median of five such batches. Cold: the median of five calls, each after a walk over 64 MiB.
 * When the budget is spent the program ends, so the largest calls are those that are missing.
 *
 * Operands are small random numbers and matrices have a unit diagonal, so that nothing overflows
 * and nothing becomes so small that the processor slows down.
 */
#include "cli/calibrate/calibrate_driver.h"

#include <string.h>

static const struct kernel_kind kinds[] = {
    {.name = "dgemm",
     .size_count = 3,
     .sizes = {"m", "n", "k"},
     .operations = "2.0 * m * n * k",
     .elements = {"(size_t)m * k", "(size_t)k * n", "(size_t)m * n"},
     .type = "double",
     .declaration =
         "void dgemm_(const char *, const char *, const int *, const int *, const int *, "
         "const double *, const double *, const int *, const double *, const int *, "
         "const double *, double *, const int *);",
     .call = "dgemm_(\"N\", \"N\", &m, &n, &k, &one, a, &m, b, &k, &zero, c, &m)",
     .largest = 1024},
    {.name = "sgemm",
     .size_count = 3,
     .sizes = {"m", "n", "k"},
     .operations = "2.0 * m * n * k",
     .elements = {"(size_t)m * k", "(size_t)k * n", "(size_t)m * n"},
     .type = "float",
     .declaration =
         "void sgemm_(const char *, const char *, const int *, const int *, const int *, "
         "const float *, const float *, const int *, const float *, const int *, "
         "const float *, float *, const int *);",
     .call = "sgemm_(\"N\", \"N\", &m, &n, &k, &one, a, &m, b, &k, &zero, c, &m)",
     .largest = 1024},
    {.name = "dtrsm",
     .size_count = 2,
     .sizes = {"m", "n"},
     .operations = "1.0 * m * n * m",
     .elements = {"(size_t)m * m", "(size_t)m * n", NULL},
     .type = "double",
     .declaration = "void dtrsm_(const char *, const char *, const char *, const char *, "
                    "const int *, const int *, const double *, const double *, const int *, "
                    "double *, const int *);",
     .call = "dtrsm_(\"L\", \"L\", \"N\", \"U\", &m, &n, &one, a, &m, b, &m)",
     .largest = 1024},
    {.name = "dsyrk",
     .size_count = 2,
     .sizes = {"n", "k"},
     .operations = "1.0 * n * n * k",
     .elements = {"(size_t)n * k", "(size_t)n * n", NULL},
     .type = "double",
     .declaration = "void dsyrk_(const char *, const char *, const int *, const int *, "
                    "const double *, const double *, const int *, const double *, double *, "
                    "const int *);",
     .call = "dsyrk_(\"L\", \"N\", &n, &k, &one, a, &n, &zero, b, &n)",
     .largest = 1024},
    {.name = "dgemv",
     .size_count = 2,
     .sizes = {"m", "n"},
     .operations = "2.0 * m * n",
     .elements = {"(size_t)m * n", "n", "m"},
     .type = "double",
     .declaration = "void dgemv_(const char *, const int *, const int *, const double *, "
                    "const double *, const int *, const double *, const int *, const double *, "
                    "double *, const int *);",
     .call = "dgemv_(\"N\", &m, &n, &one, a, &m, b, &step, &zero, c, &step)",
     .largest = 4096},
    {.name = "daxpy",
     .size_count = 1,
     .sizes = {"n"},
     .operations = "2.0 * n",
     .elements = {"n", "n", NULL},
     .type = "double",
     .declaration = "void daxpy_(const int *, const double *, const double *, const int *, "
                    "double *, const int *);",
     .call = "daxpy_(&n, &one, a, &step, b, &step)",
     .largest = 1 << 22},
    {.name = "ddot",
     .size_count = 1,
     .sizes = {"n"},
     .operations = "2.0 * n",
     .elements = {"n", "n", NULL},
     .type = "double",
     .declaration = "double ddot_(const int *, const double *, const int *, const double *, "
                    "const int *);",
     .call = "sink = ddot_(&n, a, &step, b, &step)",
     .largest = 1 << 22},
};

static const char head[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n"
    "#define BATCHES 5\n#define BATCH_S 1e-3\n#define CACHES ((size_t)64 << 20)\n"
    "#define LARGEST_BYTES ((size_t)256 << 20)\n"
    "static real *a, *b, *c;\nstatic const real one = 1, zero = 0;\nstatic const int step = 1;\n"
    "static volatile double sink;\nstatic volatile char *caches;\n"
    "static double now_s(void) {\n    struct timespec now;\n"
    "    clock_gettime(CLOCK_MONOTONIC, &now);\n"
    "    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;\n}\n"
    "static int compare(const void *l, const void *r) {\n"
    "    double x = *(const double *)l, y = *(const double *)r;\n    return (x > y) - (x < y);\n}\n"
    "static void evict(void) {\n    for (size_t i = 0; i < CACHES; i += 64)\n"
    "        caches[i]++;\n}\n"
    "static real *make(size_t count) {\n    real *items = malloc(count * sizeof *items);\n"
    "    for (size_t i = 0; items != NULL && i < count; i++)\n"
    "        items[i] = (real)(i * 2654435761u % 1000) * (real)1e-6;\n    return items;\n}\n";

static const char tail[] =
    "static double warm_s(int m, int n, int k) {\n    double times[BATCHES];\n    long often = 1;\n"
    "    for (;;) {\n        double start = now_s();\n        for (long i = 0; i < often; i++)\n"
    "            call(m, n, k);\n        if (now_s() - start >= BATCH_S)\n            break;\n"
    "        often *= 2;\n    }\n"
    "    for (int batch = 0; batch < BATCHES; batch++) {\n        double start = now_s();\n"
    "        for (long i = 0; i < often; i++)\n            call(m, n, k);\n"
    "        times[batch] = (now_s() - start) / (double)often;\n    }\n"
    "    qsort(times, BATCHES, sizeof times[0], compare);\n    return times[BATCHES / 2];\n}\n"
    "static double cold_s(int m, int n, int k) {\n    double times[BATCHES];\n"
    "    for (int i = 0; i < BATCHES; i++) {\n        evict();\n        double start = now_s();\n"
    "        call(m, n, k);\n        times[i] = now_s() - start;\n    }\n"
    "    qsort(times, BATCHES, sizeof times[0], compare);\n    return times[BATCHES / 2];\n}\n"
    "static int measure(int m, int n, int k) {\n"
    "    size_t in_a = A_COUNT, in_b = B_COUNT, in_c = C_COUNT;\n"
    "    if ((in_a + in_b + in_c) * sizeof(real) > LARGEST_BYTES)\n        return 0;\n"
    "    a = make(in_a), b = make(in_b), c = make(in_c);\n"
    "    if (a == NULL || b == NULL || c == NULL)\n        return 1;\n"
    "    double warm = warm_s(m, n, k), cold = cold_s(m, n, k);\n"
    "    printf(\"call %d %d %d %.17g %.9g %.9g\\n\", m, n, k, OPERATIONS, warm, cold);\n"
    "    free(a), free(b), free(c);\n    return fflush(stdout) != 0;\n}\n"
    "/* By halves and by doubles; with three sizes, of which there are many combinations, by "
    "doubles. "
    "*/\n"
    "static int next(int size) {\n    if (COUNT == 3)\n        return 2 * size;\n"
    "    return (size & (size - 1)) == 0 ? size + size / 2 : size / 3 * 4;\n}\n"
    "int main(int argc, char **argv) {\n    int largest = argc > 1 ? atoi(argv[1]) : 0;\n"
    "    double end = now_s() + (argc > 2 ? atof(argv[2]) : 0);\n    caches = calloc(CACHES, 1);\n"
    "    if (caches == NULL)\n        return 1;\n"
    "    for (int size = FIRST; size <= largest; size = next(size))\n"
    "        for (int n = COUNT > 1 ? FIRST : size; n <= size; n = next(n))\n"
    "            for (int k = COUNT > 2 ? FIRST : size; k <= size; k = next(k)) {\n"
    "                if (now_s() > end) {\n                    printf(\"stopped %d\\n\", size);\n"
    "                    return 0;\n                }\n"
    "                if (SIZES(size, n, k))\n                    return 1;\n            }\n"
    "    return 0;\n}\n";

const struct kernel_kind *kernel_kind_find(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

void kernel_kinds_list(struct str *out) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        str_printf(out, "%s%s", i > 0 ? ", " : "", kinds[i].name);
}

/* Which of m, n and k the first, second and third loop set. */
static const char *sizes_macro(const struct kernel_kind *kind) {
    if (kind->size_count == 3)
        return "measure(x, y, z)";
    if (kind->size_count == 1)
        return "measure(1, x, 1)";
    return strcmp(kind->sizes[0], "m") == 0 ? "measure(x, y, 1)" : "measure(1, x, y)";
}

void kernel_driver_write(struct str *out, const struct kernel_kind *kind) {
    const char *count[3];
    for (int i = 0; i < 3; i++)
        count[i] = kind->elements[i] != NULL ? kind->elements[i] : "1";
    str_printf(out, "typedef %s real;\n%s\n%s", kind->type, kind->declaration, head);
    str_printf(
        out,
        "static void call(int m, int n, int k) {\n    (void)m, (void)n, (void)k;\n    %s;\n}\n"
        "#define A_COUNT (%s)\n#define B_COUNT (%s)\n#define C_COUNT (%s)\n"
        "#define OPERATIONS (%s)\n#define COUNT %d\n#define FIRST %d\n"
        "#define SIZES(x, y, z) %s\n",
        kind->call, count[0], count[1], count[2], kind->operations, kind->size_count,
        kind->size_count == 1 ? 64 : 16, sizes_macro(kind));
    str_add(out, tail);
}
