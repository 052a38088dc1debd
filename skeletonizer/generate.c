/* SPDX-License-Identifier: Apache-2.0
 *
 * The pipeline: commands -> program -> points-to -> slice -> plan -> edits -> bundle. Everything is
 * written into a directory of a temporary name, which takes the bundle's name at the end; samples
 * and the store of an older bundle of that name are taken over.
 */
#include "skeletonizer/generate.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/str.h"
#include "frontend/commands/project_root.h"
#include "frontend/load.h"
#include "model/samples/region.h"
#include "skeletonizer/check.h"
#include "skeletonizer/check_devices.h"
#include "skeletonizer/check_libraries.h"
#include "skeletonizer/check_link.h"
#include "skeletonizer/compile/compile.h"
#include "skeletonizer/cut/cut_already_sent.h"
#include "skeletonizer/cut/cut_bounds.h"
#include "skeletonizer/cut/cut_choose.h"
#include "skeletonizer/files_apart.h"
#include "skeletonizer/generate_notes.h"
#include "skeletonizer/generation.h"
#include "skeletonizer/hints/hint_values.h"
#include "skeletonizer/hints_idle.h"
#include "skeletonizer/plan/code_hash.h"
#include "skeletonizer/plan/device_operations.h"
#include "skeletonizer/plan/family.h"
#include "skeletonizer/plan/openmp.h"
#include "skeletonizer/plan/region_names.h"
#include "skeletonizer/pointsto/pointsto_bound.h"
#include "skeletonizer/pointsto/type_puns.h"
#include "skeletonizer/rewrite/hooks.h"
#include "skeletonizer/rewrite/rewrite.h"
#include "skeletonizer/rewrite/static_worlds.h"
#include "skeletonizer/scout.h"
#include "skeletonizer/signature/region_signature.h"
#include "skeletonizer/simulated_world.h"
#include "skeletonizer/slice/instances.h"
#include "skeletonizer/slice/unknown.h"
#include "skeletonizer/stage_done.h"
#include "skeletonizer/takeover.h"
#include "skeletonizer/text/place_macros.h"
#include "skeletonizer/untold_values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BUDGET_PART 0.5 /* of what is available: others have work on the machine, too */

/* What follows may take memory up to the budget; nothing may be on disk while it does. `size` says
 * how much there is of what is looked at. */
static void begin_stage(struct generation *g, const char *what, const char *size,
                        const char *remedy) {
    status_line_show("%s", what);
    memory_stage_begin(arena_printf(&g->arena, "%s (%s)", what, size),
                       arena_printf(&g->arena,
                                    "%s, or let it take more with --memory SIZE where the machine "
                                    "has more",
                                    remedy));
}

static void begin_analysis(struct generation *g, const char *what, const char *remedy) {
    char *size = arena_printf(&g->arena, "functions: %zu, statements and expressions: %zu",
                              g->program.functions.count, g->program.nodes.count);
    begin_stage(g, what, size, remedy);
}

static int load_hints(struct generation *g, const char *sources, struct error *error) {
    const char *path = g->options->hints;
    if (externs_load_builtin(&g->externs, error) != 0)
        return -1;
    if (path == NULL) {
        const char *name = arena_printf(&g->arena, "%s.hints", generation_program_name(g));
        path = path_join(&g->arena, sources, name);
        if (!file_exists(path))
            return 0;
    }
    return hints_read(&g->hints, &g->externs, path, error);
}

/* The compiler that counts is there. */
static int check_counting(struct generation *g, struct error *error) {
    struct replacement compiler = {0};
    const char *name = g->commands.compiles.items[0].arguments.items[0];
    int result = g->options->counting == COUNTING_NOT
                     ? 0
                     : counting_choose(&compiler, &g->arena, name, error);
    replacement_dispose(&compiler);
    return result;
}

static int load_program(struct generation *g, struct error *error) {
    if (commands_smpi_include(&g->arena) == NULL)
        return error_set(error, "SimGrid's mpi.h is not installed; install it with `apt install "
                                "libsimgrid-dev` (see `mpiskel doctor`)");
    if (commands_read(&g->commands, g->options->database, error) != 0 ||
        commands_select(&g->commands, g->options->executable, &g->link, error) != 0 ||
        check_counting(g, error) != 0)
        return -1;
    const char *root = project_root(&g->arena, &g->commands);
    if (load_hints(g, commands_sources(&g->arena, &g->commands), error) != 0)
        return -1;
    check_link_sanitizers(&g->commands, g->link);
    check_device_options(&g->commands, g->link);
    begin_stage(g, "parsing", arena_printf(&g->arena, "units: %zu", g->commands.compiles.count),
                "choose an executable of fewer sources with --link");
    int result = program_load(&g->program, g->commands.compiles.items,
                              (int)g->commands.compiles.count, root, &g->externs, &g->units);
    memory_stage_end();
    return result;
}

/* To three digits; of what is more than 0. */
static double rounded_up(double percent) {
    double unit = pow(10, floor(log10(percent)) - 2);
    return ceil(percent / unit) * unit;
}

static void forget_cut(struct generation *g) {
    double left = g->cut.executions_left;
    double percent = 100 * left / hotness_of_program(&g->hotness, &g->program);
    double saved_percent = 100 * (1 - left / g->cut.executions);
    note("note: %zu value%s would save only about %.*g %% of the executions that stay: nothing is "
         "cut; --max-kept %.3g takes %s all the same",
         g->cut.values.count, text_plural(g->cut.values.count),
         numbers_percent_digits(saved_percent), saved_percent, rounded_up(percent),
         g->cut.values.count == 1 ? "it" : "them");
    g->cut.values.count = 0;
    g->cut.executions_left = g->cut.executions;
    memset(g->cut.chosen, 0, g->program.nodes.count * sizeof *g->cut.chosen);
}

/* Slices again with the chosen values given. An echo reads memory that another given value has
 * filled already: it is not given a second time. */
static void slice_without_values(struct generation *g, const bool *echoes) {
    size_t count = 0;
    slice_dispose(&g->slice);
    slice_compute_cut(&g->slice, &g->program, &g->points_to, &g->assumptions, g->cut.chosen,
                      echoes);
    for (size_t i = 0; i < g->cut.values.count; i++)
        if (echoes == NULL || !echoes[g->cut.values.items[i]->id])
            g->cut.values.items[count++] = g->cut.values.items[i];
    g->cut.values.count = count;
}

static int slice_with_cut(struct generation *g, const struct cut_wishes *wishes,
                          struct error *error) {
    slice_without_values(g, NULL);
    const bool *echoes = cut_already_sent_find(&g->slice, g->cut.chosen, wishes);
    if (echoes != NULL)
        slice_without_values(g, echoes);
    g->slice.draws = wishes->draws;
    hint_values_demand(wishes, &g->slice);
    return hints_apply(&g->hints, &g->slice, error);
}

/* Finds the values that hot computation stays for; under the assumption cuts, slices without. Where
 * nothing was counted and nothing is to be cut they are not worth the time. */
static int cut(struct generation *g, struct error *error) {
    struct cut_wishes wishes;
    if (hints_wishes(&wishes, &g->hints, &g->slice, error) != 0 ||
        untold_values_find(&wishes, g, error) != 0)
        return -1;
    g->preferred = wishes.preferred;
    if (!g->counts.known && !g->assumptions.cuts)
        return 0;
    if (!g->counts.known)
        note("note: nothing was counted: which statements are hot is estimated from loops and "
             "calls; %s counts",
             scout_example(g->is_one_rank));
    begin_analysis(g, "finding values to cut",
                   "go without --assume cuts, --scout and an older bundle's counts");
    wishes.until_s = clock_processor_s() + g->options->cut_time_s;
    hotness_init(&g->hotness, &g->slice, &g->counts);
    double limit = g->hotness.limit;
    cut_choose(&g->cut, &g->slice, &g->hotness, &wishes, g->options->max_kept);
    if (!g->assumptions.cuts)
        return 0;
    hints_idle_find(g, &wishes, limit);
    g->finds_no_values = g->cut.values.count == 0 && g->computed.count == 0;
    if (g->cut.values.count > 0 &&
        !cut_is_worth_while(&g->cut, &g->slice, &g->hotness, &wishes, g->options->max_kept))
        forget_cut(g);
    generate_notes_of_cut(g);
    hints_idle_cuts_tell(g);
    int result = g->cut.values.count > 0 ? slice_with_cut(g, &wishes, error) : 0;
    if (result == 0 && g->counts.known)
        cut_bounds_demand(&g->cut, &g->slice, &g->hotness, &wishes);
    return result;
}

static void tell_of_pointers(const struct points_to *points_to) {
    size_t collapsed = pointsto_bound_count(points_to);
    if (collapsed == 0)
        return;
    note("note: pointers may point to so many places that members of %zu object%s are not told "
         "apart%s; more is kept for it",
         collapsed, text_plural(collapsed),
         points_to->without_clones ? ", nor what calls of the same function allocate" : "");
}

/* As asked for; strict aliasing is not assumed where the program says that it does not hold. */
static void resolve_assumptions(struct generation *g) {
    const char *why, *where = puns_declared(&g->program, &g->commands, &why);
    g->assumptions = g->options->assumptions;
    if (where == NULL || !g->assumptions.type_classes || g->assumptions.type_classes_asked)
        return;
    g->assumptions.type_classes = false;
    note("note: %s has %s, so that type-classes is not assumed and more is kept; --assume "
         "type-classes assumes it all the same",
         program_relative(&g->program, where), why);
}

static bool gives_values(const struct plan *plan) {
    for (size_t i = 0; i < plan->regions.count; i++)
        if (plan->regions.items[i]->value != NULL)
            return true;
    return false;
}

static int analyse(struct generation *g, struct error *error) {
    resolve_assumptions(g);
    bool names_world = worlds_found(&g->program);
    if (worlds_check(&g->program) != 0 || check_reached(&g->program, &g->counts) != 0 ||
        hints_check(&g->hints, &g->program, error) != 0)
        return -1;
    begin_analysis(g, "following pointers", "choose an executable of fewer sources with --link");
    instances_make(&g->program);
    stage_done(g, STAGE_PROGRAM);
    points_to_solve(&g->points_to, &g->program);
    stage_done(g, STAGE_POINTSTO);
    tell_of_pointers(&g->points_to);
    begin_analysis(g, "slicing", "assume more with --assume, which keeps slices smaller");
    slice_compute(&g->slice, &g->program, &g->points_to, &g->assumptions);
    stage_done(g, STAGE_SLICE);
    if (check_slice(&g->slice, &g->counts) != 0 || hints_apply(&g->hints, &g->slice, error) != 0)
        return -1;
    g->one_thread = openmp_report(&g->slice, &g->commands);
    if (cut(g, error) != 0)
        return -1;
    stage_done(g, STAGE_CUT);
    begin_analysis(g, "finding compute regions",
                   "take more values as given (--assume cuts, a smaller --max-kept)");
    plan_compute(&g->plan, &g->slice, g->counts.known ? &g->counts : NULL);
    stage_done(g, STAGE_PLAN);
    generate_notes_of_included(g);
    generate_notes_of_memory(g);
    generate_notes_of_untimed(g);
    simulated_world_report(&g->slice);
    hooks_find(&g->plan);
    if (check_jumps(&g->slice) != 0)
        return -1;
    check_persistent(&g->slice);
    files_apart_report(&g->slice);
    if (operations_find(&g->plan) != 0)
        return -1;
    code_name(&g->plan, &g->commands);
    family_name(&g->plan, &g->commands);
    g->bundle_id = region_names_bundle_id(&g->plan);
    g->rewrites_original = names_world || gives_values(&g->plan) || g->plan.reads_clocks;
    place_macros_find(&g->program);
    rewrite_profile(&g->profile, &g->plan);
    if (rewrite_skeleton(&g->skeleton, &g->plan) != 0)
        return -1;
    stage_done(g, STAGE_EDITS);
    return 0;
}

static int write_text(struct generation *g, const char *folder, int file, struct edits *edits,
                      struct error *error) {
    const struct source_file *source = g->program.files.items[file];
    char *relative = path_join(&g->arena, folder, program_relative(&g->program, source->path));
    char *path = path_join(&g->arena, g->directory, relative);
    struct str text = {0};
    edits_apply(&text, edits, &g->program, file);
    int result = directory_make(path_directory(&g->arena, path), error);
    if (result == 0)
        result = file_write(path, str_text(&text), text.length, error);
    if (result == 0)
        result = file_take_time(path, source->path, error); /* __TIMESTAMP__ */
    str_dispose(&text);
    return result;
}

/* The original is built later, when its sources may be others. */
static int write_sources(struct generation *g, struct error *error) {
    struct edits none = {0};
    for (size_t i = 0; i < g->program.files.count; i++) {
        if (!g->program.files.items[i]->in_project)
            continue;
        if (write_text(g, "src", (int)i, &g->skeleton, error) != 0 ||
            write_text(g, "src.profile", (int)i, &g->profile, error) != 0 ||
            (!g->rewrites_original && write_text(g, "src.original", (int)i, &none, error) != 0))
            return -1;
    }
    return 0;
}

/* The bundle can take its name: no file of the user's has it. */
static int check_target(struct generation *g, struct error *error) {
    const char *output = g->options->output;
    if (file_exists(g->target) && !directory_exists(g->target))
        return error_set(error, "%s is a file; choose another name with -o", output);
    if (directory_exists(g->target) &&
        !file_exists(path_join(&g->arena, g->target, "regions.json")))
        return error_set(error,
                         "%s is there and is no bundle of mpiskel's; choose another name "
                         "with -o",
                         output);
    return 0;
}

static int put_in_place(struct generation *g, struct error *error) {
    const char *output = g->target;
    const char *old = arena_printf(&g->arena, "%s.old%ld", output, (long)getpid());
    bool exists = directory_exists(output);
    if (process_interrupted())
        return error_set(error, "interrupted");
    if (check_target(g, error) != 0)
        return -1;
    if (exists && rename(output, old) != 0)
        return error_set(error, "cannot replace %s: %s", output, strerror(errno));
    bool has_cache = g->options->compile || g->options->fresh; /* of its own */
    if (exists && takeover(&g->arena, g->directory, old, !has_cache, error) != 0) {
        rename(old, output);
        return -1;
    }
    if (rename(g->directory, output) != 0)
        return error_set(error, "cannot create %s: %s", output, strerror(errno));
    return exists ? directory_remove(old, error) : 0;
}

/* The newest of the files that ask for the time of compilation, but for the system's; -1: none
 * does. */
static time_t time_of_sources(const struct program *program) {
    time_t newest = -1;
    for (size_t i = 0; i < program->files.count; i++) {
        const struct source_file *file = program->files.items[i];
        struct stat info;
        if (!program_is_of_system(program, file->path) &&
            (strstr(file->text, "__TIME__") != NULL || strstr(file->text, "__DATE__") != NULL) &&
            stat(file->path, &info) == 0 && info.st_mtim.tv_sec > newest)
            newest = info.st_mtim.tv_sec;
    }
    return newest;
}

static int compile(struct generation *g, struct error *error) {
    struct compilation compilation = generation_compilation(g, g->directory);
    /* All programs have the same time, and that of unchanged sources: their objects stay. */
    time_t time = time_of_sources(&g->program);
    if (time >= 0)
        setenv("SOURCE_DATE_EPOCH", arena_printf(&g->arena, "%lld", (long long)time), 0);
    int result = compile_programs(&compilation, error);
    g->summary.objects = compilation.object_count;
    g->summary.objects_compiled = compilation.compiled_count;
    return result;
}

static int write_signature(struct generation *g, struct error *error) {
    struct signature signature;
    signature_of_plan(&signature, &g->plan, g->bundle_id);
    int result =
        signature_write(&signature, path_join(&g->arena, g->directory, "signature.json"), error);
    signature_dispose(&signature);
    return result;
}

static int write_files(struct generation *g, struct error *error) {
    const struct description description = generation_description(g);
    int result = directory_make(path_join(&g->arena, g->directory, "samples"), error);
    if (result == 0)
        result = unit_cache_write(&g->units, error);
    if (result == 0)
        result = write_sources(g, error);
    if (result == 0)
        result = describe_write_regions(&description, error);
    if (result == 0)
        result = describe_write_loops(&description, error);
    if (result == 0)
        result = describe_write_reasons(&description, error);
    if (result == 0)
        result = write_signature(g, error);
    if (result == 0 && g->untold.items.count > 0)
        result = untold_write(&g->untold, path_join(&g->arena, g->directory, UNTOLD_FILE), error);
    if (result == 0 && g->counts.known)
        result = counts_write(&g->counts, path_join(&g->arena, g->directory, "counts.json"), error);
    if (result == 0 && g->options->compile)
        result = compile(g, error);
    if (result == 0)
        result = describe_write_readme(&description, error);
    status_line_hide();
    unchanged_listen(g);
    unknown_report(&g->program);
    unchanged_listen_end(g);
    return result == 0 ? unchanged_keep(g, error) : -1;
}

static int write_bundle(struct generation *g, struct error *error) {
    int result = g->unchanged.is ? unchanged_take(g, error) : write_files(g, error);
    if (result == 0)
        result = put_in_place(g, error);
    if (result != 0) {
        struct error ignored = {0};
        directory_remove(g->directory, &ignored);
    }
    return result;
}

/* Without compiling, an older bundle's cache is kept as it is. */
static int name_directories(struct generation *g, struct error *error) {
    g->target = output_target(&g->arena, g->options->output, error);
    if (g->target == NULL || check_target(g, error) != 0)
        return -1;
    g->directory = path_absolute(&g->arena, "",
                                 arena_printf(&g->arena, "%s.tmp%ld", g->target, (long)getpid()));
    const char *old = path_join(&g->arena, g->target, "cache");
    const char *current = path_join(&g->arena, g->directory, "cache");
    g->cache.arena = &g->arena;
    g->cache.old = g->options->fresh ? NULL : old;
    g->cache.current = g->options->compile ? current : NULL;
    g->units.cache = g->cache;
    g->units.dependencies = &g->dependencies;
    return 0;
}

static int find_out(struct generation *g, struct error *error) {
    unchanged_listen(g);
    int result = analyse(g, error);
    memory_stage_end();
    if (result == 0) {
        summarize(&g->summary, &g->plan, &g->hotness, g->counts.known);
        g->summary.is_one_rank = g->is_one_rank;
        g->summary.units_parsed = g->units.parsed;
        generate_notes_of_share(g);
        hints_idle_tell(g);
    }
    unchanged_listen_end(g);
    return result;
}

static int run(struct generation *g, struct error *error) {
    if (name_directories(g, error) != 0)
        return -1;
    process_end_when_interrupted(true); /* nothing is on disk yet */
    if (scout_check(g, error) != 0 || load_program(g, error) != 0 ||
        check_program(&g->program) != 0 || check_link_names(&g->program, g->link) != 0 ||
        check_libraries(&g->binary_mpi, &g->program, &g->commands, g->link) != 0 ||
        check_ranks(&g->is_one_rank, &g->program, g->binary_mpi) != 0)
        return -1;
    check_devices_tell(&g->program);
    process_end_when_interrupted(false);
    if (g->options->scout != NULL)
        status_line_show("counting executions");
    if (scout_counts(g, error) != 0)
        return -1;
    if (process_interrupted())
        return error_set(error, "interrupted");
    process_end_when_interrupted(true);
    unchanged_find(g);
    int result = g->unchanged.is ? 0 : find_out(g, error);
    process_end_when_interrupted(false);
    status_line_show("writing");
    return result;
}

int generate_bundle(struct generate_summary *out, const struct generate_options *options,
                    struct error *error) {
    struct generation g = {.options = options};
    double start_s = clock_monotonic_s();
    dependencies_init(&g.dependencies);
    memory_budget_set(options->memory_bytes > 0 ? options->memory_bytes
                                                : BUDGET_PART * memory_available_bytes());
    int result = run(&g, error);
    g.summary.analysis_s = clock_monotonic_s() - start_s;
    if (result == 0 && options->dumps == 0) {
        result = write_bundle(&g, error);
        status_line_hide();
    }
    g.summary.total_s = clock_monotonic_s() - start_s;
    *out = g.summary;
    generation_dispose(&g);
    return result;
}
