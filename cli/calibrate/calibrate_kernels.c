/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate --kernels`: how long kernels of BLAS take here, each alone, over a grid of
 * sizes.
 *
 * For each kernel: write a small program that calls it, compile it with the
 * user's compiler and library in a temporary directory, run it, and fit a model to what it prints.
 * The file that is written is for `mpiskel fit --kernels`. With threads in the library (OpenBLAS)
 * it is measured as the environment says, like a profiling run.
 */
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "cli/calibrate/calibrate.h"
#include "cli/common/opened.h"
#include "model/kernel.h"
#include "model/latency/calibration.h"
#include "model/store/store_machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernels that `mpiskel calibrate` knows, and the C program that measures one of them. It is
 * written anew for each kernel, compiled with the user's compiler and library, and prints a line
 * for each call: its sizes, and the seconds of one call with its data in the caches and without.
 *
 * Fortran's interface is called, which every BLAS has and which needs no
 * header. Sizes go from small to large by powers of 2 (and, of kernels with one or two sizes, what
 * lies half between), the largest with all smaller ones: so square matrices, panels and thin ones.
 * Calls whose operands would not fit into 256 MiB are left out. Warm: after a first call as many as
 * take a millisecond, the median of five such batches. Cold: the median of five calls, each after a
 * walk over 64 MiB. When the budget is spent the program ends, so the largest calls are those that
 * are missing.
 *
 * Operands are small random numbers and matrices have a unit diagonal, so that nothing overflows
 * and nothing becomes so small that the processor slows down. */

struct kernel_kind {
    const char *name; /* of BLAS: dgemm */
    int size_count;   /* of m, n, k: those that it has, in this order of `sizes` */
    const char *sizes[CALIBRATION_SIZES_MAX];
    const char *operations;  /* as in mpi/externs.def, so that regions have the same feature */
    const char *elements[3]; /* of its operands a, b, c; NULL: it has none */
    const char *type;        /* of an element */
    const char *declaration;
    const char *call;
    int largest; /* size by default; vectors are longer than matrices are wide */
};

static const struct kernel_kind known_kinds[] = {
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

/* NULL: none of that name. */
static const struct kernel_kind *kernel_kind_find(const char *name) {
    for (size_t i = 0; i < sizeof known_kinds / sizeof known_kinds[0]; i++)
        if (strcmp(known_kinds[i].name, name) == 0)
            return &known_kinds[i];
    return NULL;
}

/* All names, separated by ", ". */
static void kernel_kinds_list(struct str *out) {
    for (size_t i = 0; i < sizeof known_kinds / sizeof known_kinds[0]; i++)
        str_printf(out, "%s%s", i > 0 ? ", " : "", known_kinds[i].name);
}

/* Which of m, n and k the first, second and third loop set. */
static const char *sizes_macro(const struct kernel_kind *kind) {
    if (kind->size_count == 3)
        return "measure(x, y, z)";
    if (kind->size_count == 1)
        return "measure(1, x, 1)";
    return strcmp(kind->sizes[0], "m") == 0 ? "measure(x, y, 1)" : "measure(1, x, y)";
}

/* The program. Arguments: largest size, budget in seconds. */
static void kernel_driver_write(struct str *out, const struct kernel_kind *kind) {
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

struct calibrate_kernels_command {
    struct calibrate_options options;
    struct calibration calibration;
    const char *directory; /* temporary */
    struct error error;
};

/* ---- One kernel ---- */

typedef VEC(const char *) words;

static int add_words(words *out, struct calibrate_kernels_command *command, const char *text) {
    const char *const *items = NULL;
    size_t count = 0;
    if (words_split(&items, &count, &command->calibration.arena, text, &command->error) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        vec_push(out, items[i]);
    return 0;
}

static int compile(struct calibrate_kernels_command *command, const char *source,
                   const char *program) {
    words line = {0};
    char *text = NULL;
    struct process_result result;
    int status = add_words(&line, command, command->options.compiler);
    const char *const middle[] = {"-O2", "-x", "c", source, "-x", "none", "-o", program};
    for (size_t i = 0; i < sizeof middle / sizeof middle[0]; i++)
        vec_push(&line, middle[i]);
    if (status == 0)
        status = add_words(&line, command, command->options.library);
    vec_push(&line, "-lm");
    vec_push(&line, NULL);
    if (status == 0)
        status = process_capture(&result, &text, line.items, true, &command->error);
    if (status == 0 && result.exit_code != 0)
        status = error_set(&command->error,
                           "%s cannot make a program that calls this kernel, with --library '%s': "
                           "name the library that has it\n%s",
                           command->options.compiler, command->options.library, text);
    free(text);
    vec_dispose(&line);
    return status;
}

/* A line of the driver: "call M N K OPERATIONS WARM COLD". False: it is none. */
static bool read_call(struct calibrated_call *out, const struct kernel_kind *kind,
                      const char *line) {
    double m = 0, n = 0, k = 0;
    if (sscanf(line, "call %lf %lf %lf %lf %lf %lf", &m, &n, &k, &out->operations, &out->warm_s,
               &out->cold_s) != 6 ||
        !(out->operations > 0) || !(out->warm_s > 0) || !(out->cold_s > 0))
        return false;
    for (int i = 0; i < kind->size_count; i++)
        out->sizes[i] = kind->sizes[i][0] == 'm' ? m : kind->sizes[i][0] == 'n' ? n : k;
    return true;
}

static void read_calls(struct calibrated_kernel *out, struct calibrate_kernels_command *command,
                       const struct kernel_kind *kind, char *text) {
    VEC(struct calibrated_call) calls = {0};
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        struct calibrated_call call = {0};
        int stopped = 0;
        if (read_call(&call, kind, line))
            vec_push(&calls, call);
        else if (sscanf(line, "stopped %d", &stopped) == 1)
            note("%s: the time was up before size %d; give it more with --time", kind->name,
                 stopped);
    }
    *out = (struct calibrated_kernel){
        .name = kind->name, .size_count = kind->size_count, .call_count = calls.count};
    for (int i = 0; i < kind->size_count; i++)
        out->size_names[i] = kind->sizes[i];
    out->calls = ARENA_ARRAY(&command->calibration.arena, struct calibrated_call, calls.count);
    if (calls.count > 0)
        memcpy(out->calls, calls.items, calls.count * sizeof *calls.items);
    vec_dispose(&calls);
}

static int run(struct calibrated_kernel *out, struct calibrate_kernels_command *command,
               const struct kernel_kind *kind, const char *program) {
    char largest[32], budget[32], *text = NULL;
    const struct calibrate_options *options = &command->options;
    struct process_result result;
    snprintf(largest, sizeof largest, "%ld",
             options->largest > 0 ? options->largest : (long)kind->largest);
    snprintf(budget, sizeof budget, "%g", options->budget_s);
    const char *const line[] = {program, largest, budget, NULL};
    if (process_capture(&result, &text, line, false, &command->error) != 0)
        return -1;
    read_calls(out, command, kind, text);
    free(text);
    if (result.exit_code != 0 || out->call_count == 0)
        return error_set(&command->error,
                         "the program that calls %s measured nothing (exit code %d); is memory "
                         "short, or the library for another machine?",
                         kind->name, result.exit_code);
    return 0;
}

static int measure(struct calibrated_kernel *out, struct calibrate_kernels_command *command,
                   const struct kernel_kind *kind) {
    struct arena *arena = &command->calibration.arena;
    struct str text = {0};
    const char *source = path_join(arena, command->directory, "driver.c");
    const char *program = path_join(arena, command->directory, "driver");
    note("%s: measuring for at most %g s", kind->name, command->options.budget_s);
    kernel_driver_write(&text, kind);
    int result = file_write(source, text.text, text.length, &command->error);
    str_dispose(&text);
    if (result != 0 || compile(command, source, program) != 0)
        return -1;
    return run(out, command, kind, program);
}

static int fail_unknown(struct calibrate_kernels_command *command, const char *name) {
    struct str names = {0};
    kernel_kinds_list(&names);
    error_set(&command->error,
              "no kernel '%s' is known, only %s; functions of your own program are learned from "
              "profiling runs",
              name, str_text(&names));
    str_dispose(&names);
    return -1;
}

typedef VEC(const struct kernel_kind *) kind_list;

static int find_kinds(kind_list *out, struct calibrate_kernels_command *command) {
    char *names = arena_strdup(&command->calibration.arena, command->options.kernels), *rest = NULL;
    for (char *name = strtok_r(names, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        const struct kernel_kind *kind = kernel_kind_find(name);
        if (kind == NULL)
            return fail_unknown(command, name);
        vec_push(out, kind);
    }
    return out->count > 0 ? 0 : error_set(&command->error, "--kernels names none");
}

static int measure_all(struct calibrate_kernels_command *command) {
    struct calibration *calibration = &command->calibration;
    kind_list kinds = {0};
    int result = find_kinds(&kinds, command);
    calibration->kernels = ARENA_ARRAY(&calibration->arena, struct calibrated_kernel, kinds.count);
    for (size_t i = 0; result == 0 && i < kinds.count; i++)
        result =
            measure(&calibration->kernels[calibration->kernel_count++], command, kinds.items[i]);
    vec_dispose(&kinds);
    return result;
}

/* ---- Report ---- */

static const struct feature operations = {"operations", "", "", false};
static const struct region as_region = {
    .id = "kernel", .function = "", .file = "", .features = &operations, .feature_count = 1};

static double best_rate(const struct calibrated_kernel *kernel) {
    double best = 0;
    for (size_t i = 0; i < kernel->call_count; i++)
        best = fmax(best, kernel->calls[i].operations / kernel->calls[i].warm_s);
    return best;
}

static void print_kernel(const struct calibrate_kernels_command *command,
                         const struct calibrated_kernel *kernel, bool cold) {
    struct models models;
    struct str formula = {0};
    kernel_fit(&models, kernel, cold, &as_region, command->options.machine);
    latency_formula(&formula, &models.items[0], &as_region, FORMULA_TEXT);
    printf("%-7s %-5s %6zu %9.3g %7.1f%%  %s\n", kernel->name, cold ? "cold" : "warm",
           kernel->call_count, best_rate(kernel), 100 * models.items[0].error, str_text(&formula));
    str_dispose(&formula);
    models_dispose(&models);
}

static json_t *kernel_to_json(const struct calibrate_kernels_command *command,
                              const struct calibrated_kernel *kernel, bool cold) {
    struct models models;
    struct str formula = {0};
    kernel_fit(&models, kernel, cold, &as_region, command->options.machine);
    latency_formula(&formula, &models.items[0], &as_region, FORMULA_TEXT);
    json_t *object =
        json_pack("{s:s, s:s, s:i, s:f, s:f, s:s}", "kernel", kernel->name, "cache",
                  cold ? "cold" : "warm", "calls", (int)kernel->call_count, "operations_per_s",
                  best_rate(kernel), "error", models.items[0].error, "formula", str_text(&formula));
    str_dispose(&formula);
    models_dispose(&models);
    return object;
}

static int report(struct calibrate_kernels_command *command) {
    const struct calibration *calibration = &command->calibration;
    bool as_json = command->options.format == OUTPUT_JSON;
    json_t *list = json_array();
    if (!as_json)
        printf("%-7s %-5s %6s %9s %8s  %s\n", "kernel", "cache", "calls", "best op/s", "error",
               "seconds of a call (error: of calls left out)");
    for (size_t i = 0; i < calibration->kernel_count; i++)
        for (int cold = 0; cold < 2; cold++)
            if (as_json)
                json_array_append_new(list,
                                      kernel_to_json(command, &calibration->kernels[i], cold));
            else
                print_kernel(command, &calibration->kernels[i], cold);
    if (as_json) {
        json_dumpf(list, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    json_decref(list);
    return output_finish(&command->error);
}

/* ---- The command ---- */

static void describe_machine(struct calibrate_kernels_command *command) {
    struct calibration *calibration = &command->calibration;
    calibration->machine = command->options.machine;
    calibration->host = calibrate_host(&calibration->arena);
    calibration->cpu = calibrate_processor(&calibration->arena);
    calibration->compiler = command->options.compiler;
    calibration->library = command->options.library;
    calibration->cold = strcmp(command->options.cache, "cold") == 0;
}

static int calibrate(struct calibrate_kernels_command *command) {
    struct arena *arena = &command->calibration.arena;
    const char *path = command->options.output;
    if (path == NULL)
        path = arena_printf(arena, "%s.kernels", command->options.machine);
    describe_machine(command);
    if (measure_all(command) != 0 || report(command) != 0 ||
        calibration_write(&command->calibration, path, &command->error) != 0)
        return -1;
    note("written to %s; `mpiskel fit APP.skel --kernels %s` uses it for calls without samples",
         path, path);
    return 0;
}

int calibrate_kernels(const struct calibrate_options *options, const char *directory) {
    struct calibrate_kernels_command command = {.options = *options, .directory = directory};
    if (command.options.compiler == NULL)
        command.options.compiler = "cc";
    if (command.options.library == NULL)
        command.options.library = "-lblas";
    arena_init(&command.calibration.arena);
    int result = calibrate(&command);
    if (result != 0)
        error_print(&command.error);
    calibration_dispose(&command.calibration);
    return result != 0 ? EXIT_FAILED : EXIT_FINE;
}
