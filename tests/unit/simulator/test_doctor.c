/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel doctor`, on this machine and on one that seems to have nothing installed.
 */
#include "support.h"

#include "base/json.h"
#include "cli/common/commands.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *output; /* of the last call */

/* The exit code of `mpiskel doctor ARGUMENT` with that PATH (NULL: this one). */
static int doctor(char *argument, const char *path) {
    char *argv[] = {"doctor", argument, NULL};
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (freopen(test_path("out"), "w", stdout) == NULL)
            _exit(99);
        if (path != NULL)
            setenv("PATH", path, 1);
        argp_err_exit_status = EXIT_USAGE;
        exit(command_doctor(argument != NULL ? 2 : 1, argv));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    free(output);
    output = read_text(test_path("out"));
    return WEXITSTATUS(status);
}

/* The findings of a JSON report; the runtime's files lie beside the tool, not beside this test. */
static json_t *finding(json_t *root, const char *name) {
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(root, "findings"), index, row) {
        if (strcmp(json_get_text(row, "name"), name) == 0)
            return row;
    }
    fail_msg("no finding about %s", name);
    return NULL;
}

TEST(this_machine_compiles_and_runs_both_kinds) {
    static const char *const names[] = {"smpirun", "smpicc",    "smpimain",     "mpicc",
                                        "mpirun",  "SMPI test", "Open MPI test"};
    doctor("--format=json", NULL);
    json_t *root = json_loads(output, 0, NULL);
    assert_non_null(root);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *row = finding(root, names[i]);
        if (!json_is_true(json_object_get(row, "ok")))
            print_error("%s: %s\n", names[i], json_get_text(row, "problem"));
        assert_true(json_is_true(json_object_get(row, "ok")));
    }
    json_decref(root);
}

TEST(missing_programs_come_with_their_package) {
    assert_int_equal(doctor(NULL, test_path("nothing")), 1);
    assert_contains(output, "MISSING  smpirun");
    assert_contains(output, "apt install libsimgrid-dev");
    assert_contains(output, "apt install openmpi-bin");
    assert_contains(output, "optional bear");
    assert_contains(output, "MISSING  SMPI test");
    assert_contains(output, "Something that is needed is missing.");
}

TEST(another_version_is_told) {
    write_text(test_path("bin/smpirun"), "#!/bin/sh\necho SimGrid version 3.25\n");
    assert_int_equal(chmod(test_path("bin/smpirun"), 0755), 0);
    assert_int_equal(doctor(NULL, test_path("bin")), 1);
    assert_contains(output, "is not 3.32 but SimGrid version 3.25");
    assert_contains(output, "names no smpimain");
}

TEST(missing_functions_are_listed) {
    assert_int_equal(doctor("--calls", NULL), 0);
    assert_contains(output, "functions that SimGrid 3.32 lacks\n");
    assert_contains(output, "\n  MPI_Comm_spawn\n");
    assert_null(strstr(output, "  MPI_Send\n"));
    assert_int_equal(doctor("x", NULL), 64);
}

static int teardown(void **state) {
    free(output);
    return directory_teardown(state);
}

FIXTURE(directory_setup, teardown)
