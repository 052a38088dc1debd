/* SPDX-License-Identifier: Apache-2.0
 *
 * Which programs all ranks can share one copy of: small shared objects, compiled here.
 */
#include "support.h"

#include "simulator/choice/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNTIME                                                                                    \
    "__attribute__((section(\".bsim_common\"))) int common = 3;\n"                                 \
    "int use(int i) { return i + common; }\n"

static bool are_apart(const char *options, const char *text) {
    char command[1024];
    write_text(test_path("v.c"), text);
    snprintf(command, sizeof command, "cc -shared -fPIC %s -o '%s' '%s'", options,
             test_path("v.so"), test_path("v.c"));
    assert_int_equal(system(command), 0);
    return variables_are_apart(test_path("v.so"));
}

TEST(constants_and_thread_local_variables_can_be_shared) {
    assert_true(are_apart("", RUNTIME));
    assert_true(are_apart("", RUNTIME "_Thread_local int mine = 3, zero[100];"));
    assert_true(are_apart("", RUNTIME "const char *const words[] = {\"a\", \"b\"};"));
    assert_true(are_apart("-O2 -g", RUNTIME "static const double numbers[100] = {1, 2};\n"
                                            "double at(int i) { return numbers[i]; }"));
}

TEST(a_plain_variable_of_any_size_cannot) {
    assert_false(are_apart("", RUNTIME "int plain;"));
    assert_false(are_apart("", RUNTIME "char plain;"));
    assert_false(are_apart("", RUNTIME "int plain = 3;"));
    assert_false(are_apart("", RUNTIME "char plain = 3;"));
    assert_false(are_apart("", RUNTIME "double plain[1000];"));
    assert_false(are_apart("", RUNTIME "const char *words[] = {\"a\", \"b\"};"));
    assert_false(are_apart("-fcommon", RUNTIME "int plain[3];"));
    assert_false(are_apart("", RUNTIME "int next(void) { static _Bool last; return last ^= 1; }"));
    assert_false(
        are_apart("", RUNTIME "__attribute__((section(\"elsewhere\"))) int plain = 3, other;"));
}

TEST(what_is_not_known_cannot) {
    assert_false(are_apart("-s", RUNTIME "char plain;"));
    assert_false(are_apart("", "int use(int i) { return i; }")); /* without our runtime */
    assert_false(variables_are_apart(test_path("v.c")));
    assert_false(variables_are_apart(test_path("missing")));
    assert_false(variables_are_apart("/"));
    assert_false(variables_are_apart("/dev/null"));
}

TEST(damaged_files_are_survived) {
    assert_true(are_apart("", RUNTIME));
    struct stat status;
    assert_int_equal(stat(test_path("v.so"), &status), 0);
    char *bytes = malloc((size_t)status.st_size);
    FILE *file = fopen(test_path("v.so"), "rb");
    assert_int_equal(fread(bytes, 1, (size_t)status.st_size, file), status.st_size);
    fclose(file);
    unsigned seed = 1;
    for (int i = 0; i < 2000; i++) {
        size_t length = (size_t)status.st_size;
        seed = seed * 1103515245u + 12345u;
        size_t at = i % 2 == 0 ? seed % 64 : length - 2400 + seed % 2400;
        char saved = bytes[at];
        bytes[at] = (char)(seed >> 16);
        file = fopen(test_path("damaged.so"), "wb");
        fwrite(bytes, 1, i % 5 == 0 ? (seed >> 8) % length : length, file);
        fclose(file);
        (void)variables_are_apart(test_path("damaged.so"));
        bytes[at] = saved;
    }
    free(bytes);
}

FIXTURE(directory_setup, directory_teardown)
