/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths and checks; see bundle.h. The files are read by model/.
 */
#include "simulator/run/bundle.h"

#include "base/file.h"

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
    regions_dispose(&bundle->regions);
    arena_dispose(&bundle->arena);
}

int bundle_load_model(struct bundle *bundle, struct error *error) {
    char text[sizeof error->text - 1];
    if (bundle->regions.count == 0)
        return 0;
    if (!file_exists(bundle->model_file))
        return error_set(error,
                         "%s has no model.bsim: make profiling runs (mpirun -np 2 %s/profile "
                         "ARGS), then mpiskel fit %s",
                         bundle->directory, bundle->directory, bundle->directory);
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

void bundle_tell_threads(const struct bundle *bundle) {
    if (bundle->regions.one_thread != NULL)
        note("note: %s communicates inside a parallel region: simulated with one thread, compiled "
             "without OpenMP",
             bundle->regions.one_thread);
}

int bundle_check_program(const struct bundle *bundle, const char *program, struct error *error) {
    if (file_exists(program))
        return 0;
    return error_set(error, "%s is missing in %s: run mpiskel generate again", path_base(program),
                     bundle->directory);
}
