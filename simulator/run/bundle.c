/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths and checks; see bundle.h. The files are read by model/.
 */
#include "simulator/run/bundle.h"

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"

int bundle_open(struct bundle *out, const char *directory, struct error *error) {
    *out = (struct bundle){0};
    if (regions_read_bundle(&out->regions, directory, error) != 0)
        return -1;
    struct arena *arena = &out->arena;
    out->directory = path_absolute(arena, path_current(arena), directory);
    out->skeleton = path_join(arena, out->directory, "skeleton");
    out->original = path_join(arena, out->directory, "original");
    out->regions_file = path_join(arena, out->directory, "regions.json");
    out->model_file = path_join(arena, out->directory, "model.bsim");
    return 0;
}

void bundle_close(struct bundle *bundle) {
    bsim_model_free(bundle->model);
    verdict_dispose(&bundle->verdict);
    varied_dispose(&bundle->varied);
    regions_dispose(&bundle->regions);
    arena_dispose(&bundle->arena);
}

int bundle_load_model(struct bundle *bundle, struct error *error) {
    char text[sizeof error->text - 1];
    if (bundle->regions.count == 0)
        return 0;
    if (!file_exists(bundle->model_file))
        return error_set(error,
                         "%s has no model.bsim: make profiling runs (%s%s/profile "
                         "ARGS), then mpiskel fit %s",
                         bundle->directory, regions_launcher(&bundle->regions), bundle->directory,
                         bundle->directory);
    if (bsim_model_load(&bundle->model, bundle->model_file, bundle->regions.bundle, text,
                        sizeof text) != 0)
        return error_set(error, "%s", text);
    return 0;
}

static int tell_wrong(const struct verdict *verdict, bool even_if_wrong, struct error *error) {
    struct str text = {0};
    const struct verdict_check *worst = verdict_worst(verdict, CHECK_WRONG);
    verdict_add_text(&text, verdict);
    str_add(&text, "; worst: ");
    verdict_add_check_text(&text, worst);
    if (even_if_wrong)
        note("warning: %s", text.text);
    else
        error_set(error,
                  "the skeleton does not communicate as the program does: %s; profile other sizes "
                  "and fit again, or simulate it all the same with --even-if-wrong",
                  text.text);
    str_dispose(&text);
    return even_if_wrong ? 0 : -1;
}

int bundle_check_verdict(struct bundle *bundle, bool even_if_wrong, struct error *error) {
    if (verdict_read(&bundle->verdict, bundle->directory, error) != 0)
        return -1;
    return bundle->verdict.state == VERDICT_WRONG
               ? tell_wrong(&bundle->verdict, even_if_wrong, error)
               : 0;
}

int bundle_check_clock(const struct bundle *bundle, const char *clock, struct error *error) {
    if (clock == NULL || bundle->regions.counted != NULL)
        return 0;
    return error_set(error,
                     "--clock %s: the programs of %s do not count what they execute; generate it "
                     "again with --counted",
                     clock, bundle->directory);
}

/* "`mpirun -np 4 cg.skel/profile 64 1e-2`, ... and then `mpiskel fit cg.skel`". */
static void add_runs(struct str *out, const struct not_known_list *list, const char *name) {
    for (size_t i = 0; i < list->run_count; i++) {
        const struct varied_run *run = &list->runs[i];
        str_printf(out, "%s`mpirun -np %zu %s/profile", i > 0 ? ", " : "", run->ranks, name);
        for (size_t k = 0; k < run->words.count; k++)
            words_add(out, run->words.items[k]);
        str_addc(out, '`');
    }
    str_printf(out, " and then `mpiskel fit %s`", name);
}

static int tell_not_known(const struct bundle *bundle, const struct bundle_use *use,
                          struct error *error) {
    struct str text = {0};
    bool is_refused = not_known_is_waited_for(&bundle->not_known) && !use->even_if_unknown;
    not_known_add_text(&text, &bundle->not_known);
    str_add(&text, ": nothing tells how; ");
    add_runs(&text, &bundle->not_known, use->name);
    str_add(&text, " would");
    if (is_refused)
        error_set(error,
                  "%s; or say how often the loop iterates with --set FILE:LINE=NUMBER, or simulate "
                  "it all the same with --even-if-unknown",
                  text.text);
    else
        note("warning: %s", text.text);
    str_dispose(&text);
    return is_refused ? -1 : 0;
}

static void qualify_verdict(struct bundle *bundle) {
    struct str names = {0};
    not_known_add_names(&names, &bundle->not_known);
    verdict_set_not_known(&bundle->verdict, str_text(&names));
    str_dispose(&names);
}

int bundle_check_arguments(struct bundle *bundle, const struct bundle_use *use,
                           struct error *error) {
    struct not_known_question question = {
        .varied = &bundle->varied,
        .regions = &bundle->regions,
        .is_set = use->is_set,
        .ranks = use->ranks,
        .words = {(const char *const *)use->arguments, use->argument_count}};
    varied_dispose(&bundle->varied);
    if (varied_read(&bundle->varied, bundle->directory, error) != 0)
        return -1;
    not_known_find(&bundle->not_known, &bundle->arena, &question);
    if (bundle->not_known.count == 0)
        return 0;
    qualify_verdict(bundle);
    return tell_not_known(bundle, use, error);
}

void bundle_tell_limits(const struct bundle *bundle) {
    if (bundle->regions.one_thread != NULL)
        note("note: %s communicates inside a parallel region: simulated with one thread, compiled "
             "without OpenMP",
             bundle->regions.one_thread);
    if (bundle->regions.binary_mpi != NULL)
        note("warning: the program has %s: built for another MPI than SimGrid's, where such calls "
             "end in simulations, they may crash or do something else; let the build that is "
             "captured compile it, too",
             bundle->regions.binary_mpi);
}

int bundle_check_ranks(const struct bundle *bundle, size_t ranks, struct error *error) {
    return ranks == 1 || !bundle->regions.is_one_rank
               ? 0
               : error_set(error,
                           "-np %zu: %s makes no MPI call, so that it is a program of one rank: "
                           "leave -np out",
                           ranks, bundle->regions.program);
}

/* By a program that lies with the libraries (skeletonizer/compile/later.h). */
static int build_program(const struct bundle *bundle, const char *name, struct error *error) {
    struct arena arena = {0};
    struct process_result built;
    const struct process_options options = {0};
    const char *const command[] = {path_of_library(&arena, "mpiskel-build"), bundle->directory,
                                   name, NULL};
    int result = process_run(&built, command, &options, error);
    if (result == 0 && process_interrupted())
        result = error_set(error, "interrupted");
    else if (result == 0 && built.exit_code != 0)
        result = error_set(error, "the %s of %s cannot be built, as is told above", name,
                           bundle->directory);
    arena_dispose(&arena);
    return result;
}

int bundle_check_program(const struct bundle *bundle, const char *program, struct error *error) {
    struct str commands = {0};
    const char *name = path_base(program);
    if (file_exists(program))
        return 0;
    if (regions_need_source(&bundle->regions,
                            "there is no original to run; `mpiskel synthesize --check` compares it "
                            "with a recording that was left out, --as-recorded simulates one",
                            error) != 0)
        return -1;
    str_printf(&commands, "%s/commands/%s", bundle->directory, name);
    int result = file_exists(str_text(&commands))
                     ? build_program(bundle, name, error)
                     : error_set(error, "%s is missing in %s: run mpiskel generate again", name,
                                 bundle->directory);
    str_dispose(&commands);
    return result;
}
