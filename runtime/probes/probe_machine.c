/* SPDX-License-Identifier: Apache-2.0
 *
 * What `mpiskel calibrate --profile` compiles and runs on a machine: probe_machine LARGEST_BYTES.
 *
 * Out, as JSON on standard output: what a line of memory costs in arrays of many sizes that are
 * read in order ("stream"), with a stride ("stride"), or written in order ("store"), and what an
 * element costs that is read at random ("random"), or where the one before tells ("chase"); the
 * seconds of each kernel of probe_kernels.c in several sizes, with the numbers of its features; and
 * by how much reading slows down when all cores do it. Each number is the least of a few trials,
 * which nothing disturbed.
 *
 * A program that counts instead of timing gives PROBE_CLOCK, a header with PROBE_BEGIN and
 * PROBE_END(): each loop is then executed once, and its seconds are what PROBE_END gives.
 */
#include "probe_kernels.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef PROBE_CLOCK
#include PROBE_CLOCK
#define TRIALS 1
#define LEAST_S 0
#else
#define TRIALS 5
#define LEAST_S 1e-3 /* a trial takes: a thousand times what reading the clock does */
static double probe_begun_s;
static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
#define PROBE_BEGIN (probe_begun_s = now_s())
#define PROBE_END() (now_s() - probe_begun_s)
#endif

#define LINE_BYTES 64
#define LINE (LINE_BYTES / (int)sizeof(double))
#define SMALLEST_BYTES 2048
#define STRIDE_LINES 17 /* of the stride: no neighbour that hardware would fetch as well */

struct arrays {
    double *a, *b, *c;
    long *numbers;
    int *index, *out, *next;
    size_t bytes; /* of all doubles */
};

static volatile double sink;

/* ---- Timing ---- */

typedef void probe_function(const struct arrays *arrays, int n);

static double trial_s(probe_function *function, const struct arrays *arrays, int n, long times) {
    PROBE_BEGIN;
    for (long i = 0; i < times; i++)
        function(arrays, n);
    return PROBE_END() / (double)times;
}

/* Of one execution, in warm caches. */
static double time_s(probe_function *function, const struct arrays *arrays, int n) {
    long times = 1;
    double least_s = 0;
    function(arrays, n);
    while (LEAST_S > 0 && trial_s(function, arrays, n, times) * (double)times < LEAST_S)
        times *= 2;
    for (int i = 0; i < TRIALS; i++) {
        double seconds = trial_s(function, arrays, n, times);
        if (i == 0 || seconds < least_s)
            least_s = seconds;
    }
    return least_s;
}

/* ---- What a line costs: n lines ---- */

/* Numbers are integers here: what memory costs is not to hold what emulated floating-point numbers
 * do. */
static void read_stream(const struct arrays *arrays, int n) {
    const long *a = arrays->numbers;
    long s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (long i = 0; i < (long)n * LINE; i += 4) {
        s0 += a[i];
        s1 += a[i + 1];
        s2 += a[i + 2];
        s3 += a[i + 3];
    }
    sink = (double)(s0 + s1 + s2 + s3);
}

static void read_stride(const struct arrays *arrays, int n) {
    const long *a = arrays->numbers;
    long s0 = 0, s1 = 0, at = 0, end = (long)n * LINE;
    for (int i = 0; i < n; i += 2) {
        s0 += a[at];
        at += STRIDE_LINES * LINE;
        at -= at >= end ? end : 0;
        s1 += a[at];
        at += STRIDE_LINES * LINE;
        at -= at >= end ? end : 0;
    }
    sink = (double)(s0 + s1);
}

#define ACCESSES 4 /* to a line, of those at random: of eight elements some lie in one line */

static unsigned next_random(unsigned at) {
    return at * 1664525u + 1013904223u;
}

static void read_random(const struct arrays *arrays, int n) {
    const long *a = arrays->numbers;
    long sum = 0;
    unsigned at = 0, mask = (unsigned)n * LINE - 1;
    for (int i = 0; i < n * ACCESSES; i++) {
        at = next_random(at);
        sum += a[(at >> 4) & mask];
    }
    sink = (double)sum;
}

static void read_chase(const struct arrays *arrays, int n) {
    const int *next = arrays->next;
    int at = 0;
    for (int i = 0; i < n * ACCESSES; i++)
        at = next[2L * at];
    sink = at;
}

static void write_store(const struct arrays *arrays, int n) {
    long *a = arrays->numbers;
    for (long i = 0; i < (long)n * LINE; i++)
        a[i] = 1;
}

/* A cycle through so many places in a random order (S. Sattolo, IPL 22, 1986), one every `apart`
 * numbers. */
static void make_cycle(int *out, int places, int apart) {
    unsigned random = 1;
    for (long i = 0; i < places; i++)
        out[i * apart] = (int)i;
    for (int i = places - 1; i > 0; i--) {
        random = next_random(random);
        long other = (long)((double)random / 4294967296.0 * i);
        int kept = out[(long)i * apart];
        out[(long)i * apart] = out[other * apart];
        out[other * apart] = kept;
    }
}

static const struct curve_probe {
    const char *name;
    probe_function *function;
    int accesses; /* to elements at random, for each line; 0: all of the line, once */
} curves[] = {{"stream", read_stream, 0},
              {"stride", read_stride, 0},
              {"random", read_random, ACCESSES},
              {"chase", read_chase, ACCESSES},
              {"store", write_store, 0}};

static void print_curve(const struct curve_probe *curve, struct arrays *arrays, long largest) {
    const char *between = "";
    printf("    \"%s\": [", curve->name);
    for (long bytes = SMALLEST_BYTES; bytes <= largest; bytes *= 2)
        for (int part = 4; part < (curve->accesses > 0 ? 5 : 8); part += 2) {
            int lines = (int)(bytes / 4 * part / LINE_BYTES);
            if ((long)lines * LINE_BYTES > largest)
                continue;
            lines -= lines % STRIDE_LINES == 0; /* or the stride would meet a part of them only */
            if (curve->function == read_chase)
                make_cycle(arrays->next, lines * LINE, 2);
            printf("%s[%ld, %.6g]", between, (long)lines * LINE_BYTES,
                   1e9 * time_s(curve->function, arrays, lines) / lines /
                       (curve->accesses > 0 ? curve->accesses : 1));
            between = ", ";
            fflush(stdout);
        }
    printf("]");
}

/* ---- Kernels ---- */

/* What a kernel computes, behind the features of its region in probe_program.c (see below).
 * `multiply` begins with zeroes, or numbers would grow without end. */
#define KERNELS(KERNEL)                                                                            \
    KERNEL(fill, 1, 8, 1, 0, 0, 1 << 24, probe_fill(x->a, 1.0, n))                                 \
    KERNEL(triad, 1, 24, 1, 0, 0, 1 << 24, probe_triad(x->a, x->b, x->c, n))                       \
    KERNEL(dot, 1, 16, 1, 0, 0, 1 << 24, sink = probe_dot(x->a, x->b, n))                          \
    KERNEL(divide, 1, 24, 1, 0, 0, 1 << 24, probe_divide(x->a, x->b, x->c, n))                     \
    KERNEL(norms, 1, 16, 1, 0, 0, 1 << 24, sink = probe_norms(x->a, x->b, n))                      \
    KERNEL(exponentials, 1, 16, 1, 0, 0, 1 << 18, probe_exponentials(x->a, x->b, n))               \
    KERNEL(horner, 1, 8, 1, 0, 16, 1 << 16, sink = probe_horner(x->b, n))                          \
    KERNEL(forces, 1, 8, 2, 0, 0, 2048, sink = probe_forces(x->b, n))                              \
    KERNEL(stencil, 3, 16, 3, 2, 0, 256, probe_stencil(x->a, x->b, n))                             \
    KERNEL(relax, 2, 16, 2, 2, 0, 4096, probe_relax(x->a, x->b, n))                                \
    KERNEL(columns, 2, 8, 2, 0, 0, 4096, sink = probe_columns(x->b, n))                            \
    KERNEL(transpose, 2, 16, 2, 0, 0, 2048, probe_transpose(x->a, x->b, n))                        \
    KERNEL(multiply, 2, 24, 3, 0, 0, 320, memset(x->a, 0, sizeof *x->a *(size_t)n *(size_t)n);     \
           probe_multiply(x->a, x->b, x->c, n))                                                    \
    KERNEL(gather, 1, 12, 1, 0, 0, 1 << 23, sink = probe_gather(x->b, x->index, n))                \
    KERNEL(scatter, 1, 12, 1, 0, 0, 1 << 23, probe_scatter(x->a, x->index, n))                     \
    KERNEL(chase, 1, 4, 1, 0, 0, 1 << 20, sink = probe_chase(x->index, n))                         \
    KERNEL(count, 1, 8, 1, 0, 0, 1 << 22, sink = probe_count(x->b, 0.5, n))                        \
    KERNEL(hash, 1, 4, 1, 0, 0, 1 << 20, sink = probe_hash(x->index, n))                           \
    KERNEL(remainders, 1, 8, 1, 0, 0, 1 << 20, sink = probe_remainders(x->out, x->index, n))       \
    KERNEL(calls, 1, 8, 1, 0, 0, 1 << 20, sink = probe_calls(x->a, n))

#define KERNEL_FUNCTION(name, dimensions, bytes, depth, rim, inner, largest, ...)                  \
    static void name(const struct arrays *x, int n) {                                              \
        __VA_ARGS__;                                                                               \
    }
KERNELS(KERNEL_FUNCTION)

/* The features of the regions of probe_program.c: powers of n, or of what is inside a rim. */
static const struct kernel_probe {
    const char *name;
    probe_function *function;
    int dimensions; /* of its arrays: n, n * n or n * n * n elements */
    int arrays;     /* how many of these there are, in bytes of an element */
    int depth;      /* of its loops */
    int rim;        /* cells of a row that no loop goes over */
    int inner;      /* iterations of a further loop in the innermost one; 0: there is none */
    int largest;    /* n: further ones only take long */
} kernels[] = {
#define KERNEL_ROW(name, dimensions, bytes, depth, rim, inner, largest, ...)                       \
    {#name, name, dimensions, bytes, depth, rim, inner, largest},
    KERNELS(KERNEL_ROW)};

static int side_of(double elements, int dimensions) {
    int n = 4;
    while (dimensions > 1 && (double)(n + 1) * (n + 1) * (dimensions > 2 ? n + 1 : 1) <= elements)
        n++;
    return dimensions > 1 ? n : (int)elements;
}

/* Of `chase` a cycle, of the others random places. */
static void fill_index(struct arrays *arrays, int n, int is_cycle) {
    unsigned random = 1;
    if (is_cycle)
        make_cycle(arrays->index, n, 1);
    for (int i = 0; i < n && !is_cycle; i++) {
        random = next_random(random);
        arrays->index[i] = (int)((double)random / 4294967296.0 * n);
    }
}

static void print_features(const struct kernel_probe *kernel, int n) {
    double product = 1;
    printf("\"features\": [");
    for (int i = 0; i < kernel->depth; i++) {
        product *= n - kernel->rim;
        printf("%s%.17g", i > 0 ? ", " : "", product);
    }
    if (kernel->inner > 0)
        printf(", %.17g", product * kernel->inner);
    printf("]");
}

static void print_kernel(const struct kernel_probe *kernel, struct arrays *arrays, long largest,
                         const char **between) {
    int last = 0;
    for (long bytes = 16384; bytes <= largest; bytes *= 6) {
        int n = side_of((double)bytes / kernel->arrays, kernel->dimensions);
        n = n < kernel->largest ? n : kernel->largest;
        if (n == last)
            return;
        last = n;
        for (size_t i = 0; i < arrays->bytes / sizeof(double); i++)
            arrays->a[i] = 1.0 / (double)(i % 1000 + 1);
        fill_index(arrays, n, kernel->function == chase);
        printf("%s{\"kernel\": \"%s\", \"size\": %d, ", *between, kernel->name, n);
        print_features(kernel, n);
        printf(", \"seconds\": %.6g}", time_s(kernel->function, arrays, n));
        *between = ",\n    ";
        fflush(stdout);
    }
}

/* ---- All cores at once ---- */

static double alone_s(const struct arrays *arrays, long largest) {
    return time_s(read_stream, arrays, (int)(largest / LINE_BYTES));
}

/* How much longer the largest array takes when one process a core reads one of its own. */
static double sharing(const struct arrays *arrays, long largest, int cores) {
    double slowest_s = 0, own_s = alone_s(arrays, largest);
    int ends[2];
    if (cores < 2 || pipe(ends) != 0)
        return 1;
    for (int i = 0; i < cores; i++)
        if (fork() == 0) {
            double seconds = alone_s(arrays, largest);
            _exit(write(ends[1], &seconds, sizeof seconds) != sizeof seconds);
        }
    close(ends[1]);
    for (double seconds; read(ends[0], &seconds, sizeof seconds) == sizeof seconds;)
        slowest_s = seconds > slowest_s ? seconds : slowest_s;
    while (wait(NULL) > 0)
        continue;
    close(ends[0]);
    return slowest_s > own_s ? slowest_s / own_s : 1;
}

static int allocate(struct arrays *out, long largest) {
    size_t elements = (size_t)largest / sizeof(double) + LINE;
    double *all = malloc(3 * elements * sizeof *all);
    int *indices = malloc(3 * elements * 2 * sizeof *indices);
    long *numbers = malloc(elements * sizeof *numbers);
    if (all == NULL || indices == NULL || numbers == NULL)
        return -1;
    memset(indices, 0, 3 * elements * 2 * sizeof *indices);
    memset(numbers, 0, elements * sizeof *numbers);
    for (size_t i = 0; i < 3 * elements; i++)
        all[i] = 1;
    *out = (struct arrays){.a = all,
                           .b = all + elements,
                           .c = all + 2 * elements,
                           .numbers = numbers,
                           .index = indices,
                           .out = indices + 2 * elements,
                           .next = indices + 4 * elements,
                           .bytes = 3 * elements * sizeof *all};
    return 0;
}

int main(int argc, char **argv) {
    struct arrays arrays;
    long largest = argc > 1 ? atol(argv[1]) : 64 << 20;
    const char *between = "";
    if (largest < 16384 || largest > 1 << 30 || allocate(&arrays, largest) != 0) {
        fprintf(stderr, "probe_machine LARGEST_BYTES (16384 to 1073741824): no memory for these\n");
        return 1;
    }
    sink =
        1.0 / (double)argc / 3.0; /* inexact, as what programs compute: emulators are fast then */
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    printf("{\n  \"format\": \"mpiskel-profile\",\n  \"version\": 1,\n  \"cores\": %d,\n"
           "  \"memory_ns\": {\n",
           cores);
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        print_curve(&curves[i], &arrays, largest);
        puts(i + 1 < sizeof curves / sizeof *curves ? "," : "\n  },");
    }
    printf("  \"sharing\": %.4g,\n  \"kernels\": [\n    ",
           TRIALS > 1 ? sharing(&arrays, largest, cores) : 1.0);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        print_kernel(&kernels[i], &arrays, largest, &between);
    puts("\n  ]\n}");
    return 0;
}
