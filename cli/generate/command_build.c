/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds a program of a bundle that was left for later. Other commands start it (simulator/run):
 * `mpiskel-generate BUNDLE PROGRAM`.
 */
#include "base/file.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/common_options.h"
#include "skeletonizer/compile/later.h"

int command_build(int argc, char **argv) {
    struct arena arena = {0};
    struct error error = {0};
    if (argc != 3)
        return EXIT_USAGE;
    const char *bundle = path_absolute(&arena, path_current(&arena), argv[1]);
    const char *here = path_current(&arena);
    struct later_request request = {
        .bundle = bundle,
        .output = path_inside(here, bundle) ? path_relative(&arena, here, bundle) : bundle,
        .program = argv[2],
        .old_cache = path_join(&arena, bundle, "cache"),
        .jobs = (int)common_processors()};
    int result = later_build(&request, &error);
    if (error.set)
        error_print(&error);
    arena_dispose(&arena);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
