/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/parameters.h"

#include "base/file.h"
#include "synthesis/bundle/synth_bundle.h"
#include "synthesis/compare/ambiguity.h"
#include "synthesis/eval/synth_actions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *value_text(const char *text, const char *name) {
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}

static bool names_parameter(const struct synth_model *model, const char *text) {
    for (int i = 0; i < model->parameter_count; i++)
        if (value_text(text, model->parameters[i].name) != NULL)
            return true;
    return false;
}

/* Behind the arguments that were given, so that those count first. */
static void move_to_arguments(struct synthesised_run *run, const struct synth_model *model,
                              struct arena *arena) {
    size_t sets = run->set_count;
    char **arguments = ARENA_ARRAY(arena, char *, run->argument_count + sets + 1);
    for (size_t i = 0; i < run->argument_count; i++)
        arguments[i] = run->arguments[i];
    run->set_count = 0;
    for (size_t i = 0; i < sets; i++) {
        const char *text = run->sets[i];
        if (names_parameter(model, text))
            arguments[run->argument_count++] = arena_strdup(arena, text);
        else
            run->sets[run->set_count++] = text;
    }
    run->arguments = arguments;
}

static int read_value(double *out, const struct synthesised_run *run,
                      const struct synth_parameter *of, struct error *error) {
    for (size_t i = 0; i < run->argument_count; i++) {
        char *end;
        const char *text = value_text(run->arguments[i], of->name);
        if (text == NULL)
            continue;
        *out = strtod(text, &end);
        if (end != text && *end == '\0' && isfinite(*out))
            return 0;
        return error_set(error, "'%s' is no number", run->arguments[i]);
    }
    return error_set(error, "%s needs --set %s=NUMBER (recorded: %g to %g)", run->bundle, of->name,
                     of->least, of->most);
}

static int check_calls(const struct synth_model *model, int ranks, const double *values,
                       struct error *error) {
    struct synth_run run;
    char problem[sizeof error->text - 1];
    int result = bsim_synth_range_check(model, ranks, values, problem, sizeof problem);
    if (result != 0)
        return error_set(error, "%s", problem + strlen("error: "));
    result = bsim_synth_run_make(&run, model, ranks, values, problem, sizeof problem);
    if (result == 0)
        result = bsim_synth_run_match(&run, problem, sizeof problem);
    bsim_synth_run_dispose(&run);
    return result == 0 ? 0 : error_set(error, "%s", problem + strlen("error: "));
}

/* Nothing is decided here, since that takes long: `synthesize --target` tells by which run. */
static int tell_ambiguities(const struct synth_model *model, int ranks, const double *values,
                            struct error *error) {
    ambiguity_list found = {0};
    char path[2048] = "";
    int result = ambiguities_find(&found, model, ranks, values, error);
    if (result == 0 && found.count > 0 && found.items[0].node != NULL)
        bsim_synth_path_text(path, sizeof path, found.items[0].node);
    if (result == 0 && found.count > 0)
        note("warning: this run is ambiguous, recorded runs do not tell: %s%s%s%s; `mpiskel "
             "synthesize --target` names the run that decides",
             found.items[0].what, path[0] != '\0' ? " of " : "", path,
             found.count > 1 ? ", and others" : "");
    vec_dispose(&found);
    return result;
}

static int take(struct synthesised_run *run, const struct synth_model *model, struct arena *arena,
                struct error *error) {
    double values[SYNTH_PARAMETERS_MOST];
    move_to_arguments(run, model, arena);
    for (int i = 0; i < model->parameter_count; i++)
        if (read_value(&values[i], run, &model->parameters[i], error) != 0)
            return -1;
    int ranks = (int)run->ranks;
    return ranks == 0 || (check_calls(model, ranks, values, error) == 0 &&
                          tell_ambiguities(model, ranks, values, error) == 0)
               ? 0
               : -1;
}

int parameters_take(struct synthesised_run *run, struct arena *arena, struct error *error) {
    struct synth_model *model;
    if (!file_exists(path_join(arena, run->bundle, SYNTH_MODEL_FILE)))
        return 0;
    if (synth_bundle_read(&model, run->bundle, error) != 0)
        return -1;
    int result = take(run, model, arena, error);
    bsim_synth_model_free(model);
    return result;
}
