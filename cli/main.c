/* SPDX-License-Identifier: Apache-2.0
 *
 * mpiskel: chooses the subcommand. In a build under `mpiskel capture` it is also what
 * runs in place of compilers.
 */
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text/suggestion.h"
#include "cli/capture/capture.h"
#include "cli/common/commands.h"

#include "source_version.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct main_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
};

/* In place of this process. */
static int start_compiling(int argc, char **argv) {
    struct arena arena = {0};
    char *path = path_of_library(&arena, "mpiskel-generate");
    (void)argc;
    execv(path, argv);
    fprintf(stderr, "mpiskel: error: cannot start %s: %s; install mpiskel again\n", path,
            strerror(errno));
    arena_dispose(&arena);
    return EXIT_FAILED;
}

static const struct main_command commands[] = {
    {"doctor", command_doctor, "tell what is installed, what is missing, and how to get it"},
    {"capture", command_capture, "record compile and link commands of any build"},
    {"generate", start_compiling, "make a skeleton and its companions from C source"},
    {"cc", start_compiling, "compile a C program so that it counts what it executes, as mpicc"},
    {"cxx", start_compiling, "compile a C++ program so that it counts what it executes, as mpicxx"},
    {"explain", command_explain, "tell why a line is kept, or what its removal costs"},
    {"verify", command_verify, "compare the MPI calls of original and skeleton, rank by rank"},
    {"fit", command_fit, "learn latencies from profiling runs"},
    {"calibrate", command_calibrate,
     "measure the network between ranks, or kernels of a library alone"},
    {"loops", command_loops, "list the loops that run can change (--set, --iterations)"},
    {"machines", command_machines, "list, carry, rename the machines that runs were made on"},
    {"models", command_models, "show the models of a machine, or compare those of two"},
    {"signature", command_signature, "tell which operations each region makes, by its features"},
    {"plan", command_plan, "tell which profiling runs would best support a prediction"},
    {"platform", command_platform, "describe a network: SimGrid platform, hostfile, drawing"},
    {"run", command_run, "simulate the skeleton and predict its run time"},
    {"record", command_record, "record what a program without source does"},
    {"synthesize", command_synthesize, "learn a program from recordings of small runs"},
    {"trace", command_trace, "tell what is in a trace of a run, cut it, convert it"},
    {"report", command_report, "make a page to look at of what is known of runs"},
    {"whatif", command_whatif, "compare changed runs with a base, or rank what would gain most"},
    {"sweep", command_sweep, "simulate a grid of ranks, arguments and options, each point once"},
    {"scale", command_scale,
     "tell how the run time changes with ranks, and where it stops falling"},
    {"events", command_events, "evaluate event expressions over a trace"},
    {"validate", command_validate, "compare predictions with what is measured, region by region"},
    {"reduce", command_reduce, "make a program with which mpiskel goes wrong small"},
    {"gather", command_gather, "pack what a bundle is made of, and make it again elsewhere"},
};

static void print_usage(FILE *out) {
    fputs("mpiskel: predicts how fast an MPI program in C would run, from a skeleton of it\n\n"
          "Usage: mpiskel COMMAND [ARGUMENTS]\n\nCommands, in the order of use:\n",
          out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].what);
    fputs("\n`mpiskel help COMMAND` tells more. Other options: --version; --makefile, the path\n"
          "of the make rules for `make skeleton`; --documents, the directory with the pages\n"
          "and the examples.\n",
          out);
}

static int print_makefile(void) {
    struct arena arena = {0};
    const char *path = path_of_library(&arena, "mpiskel.mk");
    bool found = file_exists(path);
    for (const char *at = path; found && *at != '\0'; at++) /* as make reads it */
        printf(*at == ' ' ? "\\%c" : "%c", *at);
    if (found)
        putchar('\n');
    else
        fprintf(stderr, "mpiskel: error: %s is missing; install mpiskel again\n", path);
    arena_dispose(&arena);
    return found ? EXIT_FINE : EXIT_FAILED;
}

static int print_documents(void) {
    struct arena arena = {0};
    const char *path = path_of_documents(&arena);
    if (path != NULL)
        puts(path);
    else
        fputs("mpiskel: error: the documents are not installed with this mpiskel\n", stderr);
    arena_dispose(&arena);
    return path != NULL ? EXIT_FINE : EXIT_FAILED;
}

static const struct main_command *find_command(const char *name) {
    struct suggestion suggestion = {.word = name};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
        suggestion_offer(&suggestion, commands[i].name);
    }
    if (suggestion.name != NULL)
        fprintf(stderr, "mpiskel: error: no command '%s'; did you mean '%s'?\n", name,
                suggestion.name);
    else
        fprintf(stderr, "mpiskel: error: no command '%s'; `mpiskel --help` lists them\n", name);
    return NULL;
}

static int run_command(int argc, char **argv) {
    const struct main_command *command = find_command(argv[0]);
    return command != NULL ? command->run(argc, argv) : EXIT_USAGE;
}

/* `help COMMAND` is `COMMAND --help`. */
static int print_help(int argc, char **argv) {
    static char help[] = "--help";
    if (argc < 2) {
        print_usage(stdout);
        return EXIT_FINE;
    }
    char *words[] = {argv[1], help, NULL};
    return run_command(2, words);
}

static ssize_t write_shown(void *terminal, const char *text, size_t size) {
    text_show(terminal, text, size);
    return fflush(terminal) == 0 ? (ssize_t)size : 0;
}

static int close_shown(void *terminal) {
    return fclose(terminal);
}

/* Reports have names of files, functions and programs in them, and names may have characters that
 * steer the terminal. */
static void show_on_terminal(void) {
    cookie_io_functions_t functions = {.write = write_shown, .close = close_shown};
    FILE *shown = fopencookie(stdout, "w", functions);
    if (shown == NULL)
        return;
    setlinebuf(shown);
    stdout = shown;
}

/* Of sources that are neither a clone nor an archive of one, the commit is not known. */
static void print_version(void) {
    printf("mpiskel " MPISKEL_VERSION);
    if (MPISKEL_COMMIT[0] != '\0')
        printf(" (commit " MPISKEL_COMMIT ", " MPISKEL_DATE ")");
    putchar('\n');
}

int main(int argc, char **argv) {
    if (capture_is_stand_in())
        return capture_stand_in(argc, argv);
    argp_err_exit_status = EXIT_USAGE;
    process_handle_signals();
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print_help(1, argv);
    if (strcmp(argv[1], "help") == 0)
        return print_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        print_version();
        return EXIT_FINE;
    }
    if (strcmp(argv[1], "--makefile") == 0)
        return print_makefile();
    if (strcmp(argv[1], "--documents") == 0)
        return print_documents();
    if (isatty(STDOUT_FILENO))
        show_on_terminal();
    return process_exit_code(run_command(argc - 1, argv + 1));
}
