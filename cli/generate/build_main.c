/* SPDX-License-Identifier: Apache-2.0
 *
 * The program that builds a program of a bundle that was left for later. Other commands start it
 * (simulator/run): `mpiskel-build BUNDLE PROGRAM`.
 */
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/common/commands.h"
#include "cli/common/common_options.h"
#include "skeletonizer/compile/later.h"

static int build(const char *directory, const char *program) {
    struct arena arena = {0};
    struct error error = {0};
    const char *here = path_current(&arena), *bundle = path_absolute(&arena, here, directory);
    struct later_request request = {
        .bundle = bundle,
        .output = path_inside(here, bundle) ? path_relative(&arena, here, bundle) : bundle,
        .program = program,
        .old_cache = path_join(&arena, bundle, "cache"),
        .jobs = (int)common_processors()};
    int result = later_build(&request, &error);
    if (error.set)
        error_print(&error);
    arena_dispose(&arena);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}

int main(int argc, char **argv) {
    process_handle_signals();
    return process_exit_code(argc == 3 ? build(argv[1], argv[2]) : EXIT_USAGE);
}
