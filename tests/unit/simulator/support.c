/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "base/process.h"

void compile_application(const char *program, const char *definition) {
    const char *const argv[] = {"smpicc",   "-O1", "-o", program, SOURCE_DIRECTORY "/application.c",
                                definition, NULL};
    struct process_result result;
    struct error error = {0};
    assert_fine(process_run(&result, argv, NULL, &error), &error);
    assert_int_equal(result.exit_code, 0);
}
