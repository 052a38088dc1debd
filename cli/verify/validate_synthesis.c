/* SPDX-License-Identifier: Apache-2.0
 *
 * See validate_synthesis.h.
 */
#include "cli/verify/validate_synthesis.h"

#include "cli/run/parameters.h"

#include <string.h>

int validate_synthesis_open(struct bundle *out, const char *directory, struct error *error) {
    if (bundle_open(out, directory, error) != 0)
        return -1;
    if (bundle_check_program(out, out->skeleton, error) == 0 &&
        bundle_load_model(out, error) == 0 && bundle_check_verdict(out, true, error) == 0)
        return 0;
    bundle_close(out);
    return -1;
}

/* The parameters become arguments. */
static int take_parameters(struct argument_set *out, const struct validate_step *step,
                           const char *directory, const char *parameters, struct error *error) {
    option_texts sets = {0};
    char *rest = arena_strdup(step->arena, parameters), *word;
    while ((word = strsep(&rest, ",")) != NULL)
        vec_push(&sets, word);
    struct synthesised_run run = {.bundle = directory,
                                  .ranks = step->placement.ranks,
                                  .sets = sets.items,
                                  .set_count = sets.count};
    int result = parameters_take(&run, step->arena, error);
    if (result == 0 && run.set_count > 0)
        result =
            error_set(error, "--set %s: %s has no parameter of that name", run.sets[0], directory);
    *out = (struct argument_set){run.arguments, run.argument_count};
    vec_dispose(&sets);
    return result;
}

int validate_synthesis(struct validated *out, const struct validate_step *step,
                       const struct bundle *bundle, const char *parameters,
                       const struct run_stats *skeleton, struct error *error) {
    struct run_stats stats;
    struct argument_set arguments;
    struct validate_step other = *step;
    if (take_parameters(&arguments, step, step->options->synthesis, parameters, error) != 0)
        return -1;
    other.bundle = bundle;
    other.arguments = &arguments;
    validate_tell(step, "simulating the synthesised program");
    if (validate_simulate(&stats, &other, NULL, error) != 0)
        return -1;
    out->synthesis.is_known = true;
    out->synthesis.predicted_s = stats.makespan_s;
    validated_add_functions(&out->synthesis, skeleton, &stats, step->arena);
    run_stats_dispose(&stats);
    return 0;
}
