/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel cc` and `mpiskel cxx`: mpicc and mpicxx whose programs count what they execute. Words
 * are passed on as they are; MPISKEL_CC and MPISKEL_CXX name other wrappers.
 */
#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "cli/common/commands.h"
#include "skeletonizer/compiler/counting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the compiler goes on to the linker, and with something to link. */
static bool links(int argc, char **argv) {
    static const char *const others[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", NULL};
    bool has_input = false;
    for (int i = 1; i < argc; i++) {
        if (text_is_one_of(argv[i], others))
            return false;
        has_input |= argv[i][0] != '-';
    }
    return has_input;
}

static const char *wrapper_of(const char *variable, const char *otherwise) {
    const char *chosen = getenv(variable);
    return chosen != NULL && chosen[0] != '\0' ? chosen : otherwise;
}

static void choose_clang(bool is_cxx) {
    const char *compiler = is_cxx ? "clang++" : "clang";
    setenv(is_cxx ? "OMPI_CXX" : "OMPI_CC", compiler, 1);
    setenv(is_cxx ? "MPICH_CXX" : "MPICH_CC", compiler, 1);
}

static int print_help(const char *name, const char *wrapper) {
    printf("Usage: mpiskel %s [ARGUMENT...]\n"
           "Compile and link as %s does, so that the program counts what it executes.\n\n"
           "Example: make CC='mpiskel %s'\n"
           "         mpiskel record --clock=counted -o runs/4 -- mpirun -np 4 ./program\n\n"
           "All arguments are %s's. The program's processor time is then that of the processor "
           "that\n"
           "BSIM_CLOCK=counted:FILE describes (docs/reference/processor.md). %s names another\n"
           "wrapper than %s; clang is called behind it.\n\n"
           "Exit code: the compiler's.\n",
           name, wrapper, name, wrapper, strcmp(name, "cc") == 0 ? "MPISKEL_CC" : "MPISKEL_CXX",
           wrapper);
    return EXIT_FINE;
}

int command_cc(int argc, char **argv) {
    bool is_cxx = strcmp(argv[0], "cxx") == 0;
    const char *wrapper =
        is_cxx ? wrapper_of("MPISKEL_CXX", "mpicxx") : wrapper_of("MPISKEL_CC", "mpicc");
    struct arena arena = {0};
    struct error error = {0};
    compiler_words words = {0};
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return print_help(argv[0], is_cxx ? "mpicxx" : "mpicc");
    vec_push(&words, wrapper);
    counting_add_options(&words, COUNTING_ACCESSES);
    for (int i = 1; i < argc; i++)
        vec_push(&words, argv[i]);
    int result = 0;
    if (links(argc, argv))
        result = counting_add_link(&words, &arena, path_directory(&arena, path_executable(&arena)),
                                   &error);
    vec_push(&words, NULL);
    if (result == 0) {
        choose_clang(is_cxx);
        execvp(wrapper, (char *const *)words.items);
        error_set(&error, "cannot start %s: %s", wrapper, strerror(errno));
    }
    error_print(&error);
    vec_dispose(&words);
    arena_dispose(&arena);
    return EXIT_FAILED;
}
