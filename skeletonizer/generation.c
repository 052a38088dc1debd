/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stages are handed of a generation, and its end.
 */
#include "skeletonizer/generation.h"

#include "base/file.h"
#include "skeletonizer/plan/device_operations.h"

const char *generation_program_name(const struct generation *g) {
    return g->link != NULL ? path_base(g->link->output)
                           : path_base(g->commands.compiles.items[0].file);
}

struct compilation generation_compilation(struct generation *g, const char *directory) {
    return (struct compilation){.arena = &g->arena,
                                .program = &g->program,
                                .commands = &g->commands,
                                .link = g->link,
                                .directory = directory,
                                .output = g->options->output,
                                .libraries = g->options->libraries,
                                .bundle_id = g->bundle_id,
                                .operation_regions = operations_text(&g->arena, &g->plan),
                                .rewrites_original = g->rewrites_original,
                                .is_one_rank = g->is_one_rank,
                                .has_one_thread = g->one_thread != NULL,
                                .counting = g->options->counting,
                                .with_skeleton = g->options->with_skeleton,
                                .with_original = g->options->with_original,
                                .jobs = g->options->jobs,
                                .scout_compiler = &g->scout_compiler,
                                .objects = {.arena = &g->arena,
                                            .directory = directory,
                                            .cache = &g->cache,
                                            .dependencies = &g->dependencies}};
}

struct description generation_description(struct generation *g) {
    return (struct description){.arena = &g->arena,
                                .bundle_id = g->bundle_id,
                                .program_name = generation_program_name(g),
                                .directory = g->directory,
                                .output = g->options->output,
                                .commands = &g->commands,
                                .executable = g->options->executable,
                                .hints = g->hints.path,
                                .one_thread = g->one_thread,
                                .binary_mpi = g->binary_mpi,
                                .is_one_rank = g->is_one_rank,
                                .counted = counting_name(g->options->counting),
                                .plan = &g->plan,
                                .cut = &g->cut,
                                .preferred = g->preferred,
                                .hotness = &g->hotness,
                                .skeleton = &g->skeleton,
                                .profile = &g->profile,
                                .original = g->rewrites_original ? &g->profile : NULL,
                                .summary = &g->summary};
}

void generation_dispose(struct generation *g) {
    edits_dispose(&g->skeleton);
    edits_dispose(&g->profile);
    if (g->plan.slice != NULL)
        plan_dispose(&g->plan);
    if (g->slice.program != NULL)
        slice_dispose(&g->slice);
    if (g->points_to.program != NULL)
        points_to_dispose(&g->points_to);
    if (g->program.names != NULL)
        program_dispose(&g->program);
    hints_dispose(&g->hints);
    untold_dispose(&g->untold);
    vec_dispose(&g->computed);
    unit_cache_dispose(&g->units);
    dependencies_dispose(&g->dependencies);
    externs_dispose(&g->externs);
    commands_dispose(&g->commands);
    counts_dispose(&g->counts);
    cut_dispose(&g->cut);
    hotness_dispose(&g->hotness);
    scout_compiler_dispose(&g->scout_compiler);
    str_dispose(&g->unchanged.prints);
    vec_dispose(&g->unchanged.files);
    arena_dispose(&g->arena);
}
