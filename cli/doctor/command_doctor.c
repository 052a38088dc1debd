/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel doctor`: what is installed, what is missing, and how to get it.
 *
 * Steps: look up each program of the table on the PATH and ask it for its version; look for the
 * runtime libraries beside this program; compile and run a small MPI program under Open MPI and
 * under SMPI in a temporary directory. Exit code 1 if something that is needed is missing or does
 * not work. With --calls: the MPI functions of the table that SimGrid lacks.
 */
#include "cli/common/commands.h"

#include "base/file.h"
#include "base/json.h"
#include "base/output_format.h"
#include "base/process.h"
#include "base/str.h"
#include "cli/common/command_syntax.h"
#include "mpi/calls.h"
#include "simulator/network/platform.h"
#include "simulator/run/launch.h"
#include "simulator/run/smpi.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIMGRID_VERSION "3.32"

/* What is looked for, and what apt calls it. */
struct requirement {
    const char *program, *package, *purpose;
    bool needed;
    const char *expected; /* a word that --version has to print, or NULL */
};

static const struct requirement requirements[] = {
    {"smpirun", "libsimgrid-dev", "simulates skeletons", true, SIMGRID_VERSION},
    {"smpicc", "libsimgrid-dev", "compiles skeletons", true, SIMGRID_VERSION},
    {"mpicc", "libopenmpi-dev", "compiles profiling builds", true, NULL},
    {"mpirun", "openmpi-bin", "runs profiling builds", true, "Open MPI"},
    {"gcc", "gcc", "is the compiler behind both", true, NULL},
    {"gcov", "gcc", "counts executions for generate --scout", false, NULL},
    {"bear", "bear", "records compile commands of any build", false, NULL},
};

/* One line of the report. */
struct doctor_finding {
    const char *name, *purpose, *version, *problem, *remedy; /* problem: NULL if all is well */
    bool needed;
};

struct doctor {
    struct arena arena;
    VEC(struct doctor_finding) findings;
    const char *directory; /* for the smoke tests */
};

static void found(struct doctor *doctor, const char *name, const char *purpose,
                  const char *version) {
    vec_push(&doctor->findings, (struct doctor_finding){name, purpose, version, NULL, NULL, true});
}

static void lacking(struct doctor *doctor, const char *name, const char *purpose, bool needed,
                    const char *problem, const char *remedy) {
    vec_push(&doctor->findings,
             (struct doctor_finding){name, purpose, NULL, problem, remedy, needed});
}

/* ---- Programs ---- */

/* The first line that holds a digit: smpicc, for one, begins with an empty one. */
static char *version_line(struct arena *arena, const char *text) {
    while (*text != '\0') {
        size_t length = strcspn(text, "\r\n");
        char *line = arena_strndup(arena, text, length);
        if (strpbrk(line, "0123456789") != NULL)
            return line;
        text += length + strspn(text + length, "\r\n");
    }
    return arena_strdup(arena, "unknown version");
}

static void check_program(struct doctor *doctor, const struct requirement *wanted) {
    struct arena *arena = &doctor->arena;
    char *remedy = arena_printf(arena, "apt install %s", wanted->package);
    char *path = program_find(arena, wanted->program), *text = NULL;
    struct process_result result;
    struct error error = {0};
    if (path == NULL) {
        lacking(doctor, wanted->program, wanted->purpose, wanted->needed, "not on the PATH",
                remedy);
        return;
    }
    const char *const argv[] = {path, "--version", NULL};
    if (process_capture(&result, &text, argv, true, &error) != 0 || result.exit_code != 0)
        lacking(doctor, wanted->program, wanted->purpose, wanted->needed,
                arena_printf(arena, "%s --version fails", path), remedy);
    else if (wanted->expected != NULL && strstr(text, wanted->expected) == NULL)
        lacking(doctor, wanted->program, wanted->purpose, wanted->needed,
                arena_printf(arena, "%s is not %s but %s", path, wanted->expected,
                             version_line(arena, text)),
                remedy);
    else
        found(doctor, wanted->program, wanted->purpose, version_line(arena, text));
    free(text);
}

static void check_smpimain(struct doctor *doctor) {
    struct smpi smpi;
    struct error error = {0};
    const char *purpose = "is what smpirun starts";
    if (smpi_find(&smpi, &doctor->arena, &error) == 0)
        found(doctor, "smpimain", purpose, smpi.smpimain);
    else
        lacking(doctor, "smpimain", purpose, true, arena_strdup(&doctor->arena, error.text),
                "apt install --reinstall libsimgrid-dev");
}

/* The engine's program has the name of the one whose place it takes. */
static const char *name_of(const char *file) {
    return text_has_prefix(file, "engine/") ? "engine" : path_base(file);
}

static void check_runtime(struct doctor *doctor) {
    static const char *const files[] = {
        "libbsim_skeleton.a", "libbsim_original.a", "libbsim_profile.a",   "include/bsim.h",
        "mpiskel-generate",   "mpiskel-build",      "network/benchmark.c", "engine/smpimain"};
    struct arena *arena = &doctor->arena;
    char *here = path_directory(arena, path_executable(arena));
    char *library = path_absolute(arena, here, "../lib/mpiskel");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = path_join(arena, library, files[i]);
        if (file_exists(path))
            found(doctor, name_of(files[i]), "belongs to mpiskel", path);
        else
            lacking(doctor, name_of(files[i]), "belongs to mpiskel", true,
                    arena_printf(arena, "there is no %s", path), "install mpiskel again");
    }
}

/* ---- Smoke tests ---- */

static const char smoke_source[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "int main(int argc, char **argv) {\n"
    "    int rank, sum;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    rank += 20;\n"
    "    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n"
    "    if (rank == 20)\n"
    "        printf(\"the sum is %d\\n\", sum);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";
static const char smoke_answer[] = "the sum is 41";

static char *in_directory(struct doctor *doctor, const char *name) {
    return path_join(&doctor->arena, doctor->directory, name);
}

/* The last line of a log, for the report. */
static const char *last_line(struct doctor *doctor, const char *log) {
    char *text = NULL;
    struct error error = {0};
    if (file_read(&text, NULL, log, &error) != 0)
        return "no output";
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    char *newline = strrchr(text, '\n');
    char *copy = arena_strdup(&doctor->arena, newline != NULL ? newline + 1 : text);
    free(text);
    return copy;
}

static bool log_has_answer(const char *log) {
    char *text = NULL;
    struct error error = {0};
    bool has = file_read(&text, NULL, log, &error) == 0 && strstr(text, smoke_answer) != NULL;
    free(text);
    return has;
}

static int compile_smoke(struct doctor *doctor, const char *compiler, const char *program,
                         const char *log, struct error *error) {
    const char *source = in_directory(doctor, "smoke.c");
    const char *const argv[] = {compiler, source, "-o", program, NULL};
    struct process_options options = {.stdout_file = log, .stderr_file = log};
    struct process_result result;
    if (file_write(source, smoke_source, sizeof smoke_source - 1, error) != 0 ||
        process_run(&result, argv, &options, error) != 0)
        return -1;
    if (result.exit_code != 0)
        return error_set(error, "%s fails: %s", compiler, last_line(doctor, log));
    return 0;
}

/* Open MPI refuses to run as root unless told twice. */
static int run_openmpi(struct doctor *doctor, const char *program, const char *log,
                       struct error *error) {
    static const char *const as_root[] = {"OMPI_ALLOW_RUN_AS_ROOT=1",
                                          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", NULL};
    const char *const argv[] = {"mpirun", "--oversubscribe", "-np", "2", program, NULL};
    struct process_options options = {.stdout_file = log,
                                      .stderr_file = log,
                                      .extra_environment = geteuid() == 0 ? as_root : NULL};
    struct process_result result;
    if (process_run(&result, argv, &options, error) != 0)
        return -1;
    if (result.exit_code != 0 || !log_has_answer(log))
        return error_set(error, "mpirun gives code %d: %s", result.exit_code,
                         last_line(doctor, log));
    return 0;
}

static int run_smpi(struct doctor *doctor, const char *program, const char *log,
                    struct error *error) {
    (void)log; /* launch_run has its own */
    static const char *const hosts[] = {"node-0", "node-1"};
    struct platform_spec spec = platform_spec_default(2);
    struct launch launch = {
        .program = program,
        .ranks = 2,
        .platform_file = in_directory(doctor, "platform.xml"),
        .host_file = in_directory(doctor, "hostfile"),
        .work_directory = doctor->directory,
        .collectives = "tree",
        .output = OUTPUT_TO_LOG,
    };
    struct launch_result result;
    if (platform_write(launch.platform_file, &spec, error) != 0 ||
        hostfile_write(launch.host_file, hosts, 2, 2, 1, false, "the platform", error) != 0 ||
        launch_run(&result, &launch, &doctor->arena, error) != 0)
        return -1;
    if (result.process.exit_code != 0 || !log_has_answer(result.log_file))
        return error_set(error, "smpimain gives code %d: %s", result.process.exit_code,
                         last_line(doctor, result.log_file));
    return 0;
}

static void smoke(struct doctor *doctor, const char *name, const char *compiler,
                  int (*run)(struct doctor *, const char *, const char *, struct error *)) {
    struct error error = {0};
    const char *program = in_directory(doctor, compiler), *log = in_directory(doctor, "output");
    program = arena_printf(&doctor->arena, "%s.out", program);
    if (compile_smoke(doctor, compiler, program, log, &error) == 0 &&
        run(doctor, program, log, &error) == 0)
        found(doctor, name, "two ranks add two numbers", "works");
    else
        lacking(doctor, name, "two ranks add two numbers", true,
                arena_strdup(&doctor->arena, error.text), "see the lines above");
}

static void smoke_tests(struct doctor *doctor) {
    struct error error = {0};
    doctor->directory = directory_temporary(&doctor->arena, "mpiskel-doctor", &error);
    if (doctor->directory == NULL) {
        lacking(doctor, "TMPDIR", "temporary files", true, arena_strdup(&doctor->arena, error.text),
                "set TMPDIR");
        return;
    }
    smoke(doctor, "Open MPI test", "mpicc", run_openmpi);
    smoke(doctor, "SMPI test", "smpicc", run_smpi);
    if (directory_remove(doctor->directory, &error) != 0)
        error_print(&error);
}

/* ---- Reports ---- */

static bool all_well(const struct doctor *doctor) {
    for (size_t i = 0; i < doctor->findings.count; i++)
        if (doctor->findings.items[i].problem != NULL && doctor->findings.items[i].needed)
            return false;
    return true;
}

static void print_text(const struct doctor *doctor) {
    for (size_t i = 0; i < doctor->findings.count; i++) {
        const struct doctor_finding *row = &doctor->findings.items[i];
        if (row->problem == NULL)
            printf("ok       %-20s %s\n", row->name, row->version);
        else
            printf("%-8s %-20s %s (%s): %s\n", row->needed ? "MISSING" : "optional", row->name,
                   row->problem, row->purpose, row->remedy);
    }
    puts(all_well(doctor) ? "\nEverything that is needed is there."
                          : "\nSomething that is needed is missing.");
}

static void print_json(const struct doctor *doctor) {
    json_t *array = json_array();
    for (size_t i = 0; i < doctor->findings.count; i++) {
        const struct doctor_finding *row = &doctor->findings.items[i];
        json_array_append_new(array, json_pack("{s:s, s:b, s:b, s:s*, s:s*, s:s*}", "name",
                                               row->name, "ok", row->problem == NULL, "needed",
                                               (int)row->needed, "version", row->version, "problem",
                                               row->problem, "remedy", row->remedy));
    }
    json_t *root = json_pack("{s:s, s:i, s:b, s:o}", "format", "mpiskel-doctor", "version", 1, "ok",
                             (int)all_well(doctor), "findings", array);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

static void print_calls(enum mpi_support support, const char *title) {
    size_t count = 0;
    for (size_t i = 0; i < mpi_call_count(); i++)
        count += mpi_call_at(i)->support == support;
    printf("%zu functions %s\n", count, title);
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (mpi_call_at(i)->support == support)
            printf("  %s\n", mpi_call_at(i)->name);
}

static json_t *words(unsigned bits, const char *const *names, unsigned count) {
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++)
        if ((bits >> i & 1) != 0)
            json_array_append_new(array, json_string(names[i]));
    return array;
}

static json_t *call_row(const struct mpi_call *call) {
    static const char *const supports[] = {[MPI_SUPPORT_NO] = "nothing",
                                           [MPI_SUPPORT_YES] = "SimGrid",
                                           [MPI_SUPPORT_RUNTIME] = "runtime"};
    return json_pack("{s:s, s:s, s:b, s:s, s:s, s:o, s:o, s:o}", "name", call->name, "class",
                     mpi_class_names[call->class], "kept", (int)mpi_call_is_kept(call), "by",
                     supports[call->support], "pattern", mpi_pattern_names[call->pattern], "facts",
                     words(call->facts, mpi_fact_names, MPI_FACT_COUNT), "reads",
                     words(call->reads, mpi_state_names, MPI_STATE_COUNT), "writes",
                     words(call->writes, mpi_state_names, MPI_STATE_COUNT));
}

static void print_calls_as_json(void) {
    static const struct {
        const char *fault, *collective, *algorithm;
        int from, to;
    } faults[] = {
#define COLLECTIVE_FAULT(fault, collective, algorithm, from, to)                                   \
    {#fault, collective, algorithm, from, to},
#include "mpi/collective_faults.def"
    };
    json_t *functions = json_array(), *algorithms = json_array();
    for (size_t i = 0; i < mpi_call_count(); i++)
        json_array_append_new(functions, call_row(mpi_call_at(i)));
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        json_array_append_new(
            algorithms, json_pack("{s:s, s:s, s:s, s:i, s:i}", "fault", faults[i].fault,
                                  "collective", faults[i].collective, "algorithm",
                                  faults[i].algorithm, "from", faults[i].from, "to", faults[i].to));
    json_t *root = json_pack("{s:s, s:i, s:o, s:o}", "format", "mpiskel-calls", "version", 1,
                             "functions", functions, "algorithms", algorithms);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

/* ---- Arguments ---- */

struct doctor_options {
    bool calls;
    enum output_format format;
};

#define OPTIONS struct doctor_options

static const struct command_option rows[] = {
    {OPTION_ON("calls", calls), .help =
                                    "List the MPI-3.1 functions that SimGrid " SIMGRID_VERSION
                                    " lacks; as JSON all functions, with what is known of each"},
    {COMMON_FORMAT(format)},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel doctor",
    .about = "Check that everything mpiskel needs is installed and works.\v"
             "Exit code: 0 if all that is needed works, 1 if not, 64 usage.",
    .options = {rows, NULL},
};

static int examine(const struct doctor_options *options) {
    struct doctor doctor = {0};
    arena_init(&doctor.arena);
    for (size_t i = 0; i < sizeof requirements / sizeof *requirements; i++)
        check_program(&doctor, &requirements[i]);
    check_smpimain(&doctor);
    check_runtime(&doctor);
    smoke_tests(&doctor);
    if (options->format == OUTPUT_JSON)
        print_json(&doctor);
    else
        print_text(&doctor);
    int exit_code = all_well(&doctor) ? EXIT_FINE : EXIT_FAILED;
    vec_dispose(&doctor.findings);
    arena_dispose(&doctor.arena);
    return exit_code;
}

int command_doctor(int argc, char **argv) {
    struct doctor_options options = {0};
    command_syntax_parse(&syntax, &options, argc, argv);
    if (!options.calls)
        return examine(&options);
    if (options.format == OUTPUT_JSON) {
        print_calls_as_json();
        return EXIT_FINE;
    }
    print_calls(MPI_SUPPORT_NO, "that SimGrid " SIMGRID_VERSION " lacks");
    print_calls(MPI_SUPPORT_RUNTIME, "that the runtime of skeletons has instead of SimGrid");
    return EXIT_FINE;
}
