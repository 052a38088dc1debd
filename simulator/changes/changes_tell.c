/* SPDX-License-Identifier: Apache-2.0
 *
 * What came of changed loops, from the summary of the run; see changes.h.
 */
#include "simulator/changes/changes.h"

#include "base/str.h"
#include "simulator/changes/loop_changes.h"

#include <string.h>

static double number_at(const json_t *row, const char *key, size_t index) {
    return json_number_value(json_array_get(json_object_get(row, key), index));
}

/* "100", or "60 to 100". */
static const char *range(struct arena *arena, const json_t *row, const char *key) {
    double least = number_at(row, key, 0), most = number_at(row, key, 1);
    return least == most ? arena_printf(arena, "%.9g", least)
                         : arena_printf(arena, "%.9g to %.9g", least, most);
}

static void tell_set(struct scenario *scenario, const char *set, const json_t *row,
                     struct arena *arena) {
    double times = json_get_number(row, "times", 0);
    if (times == 0) {
        note("warning: --set %s: this was never reached; nothing changed", set);
        scenario_add(scenario, "--set", set, "never reached");
        return;
    }
    double made = json_get_number(row, "made", 0);
    struct str text = {0};
    if (number_at(row, "from", 0) >= 0)
        str_printf(&text, "%s%s became ", range(arena, row, "from"),
                   json_is_true(json_object_get(row, "feature")) ? "" : " iterations");
    str_printf(&text, "%s%s", number_at(row, "from", 0) >= 0 ? "" : "at most ",
               range(arena, row, "to"));
    if (made > 0 && made < number_at(row, "to", 1))
        str_printf(&text, "; the loop ends by itself after at most %.9g", made);
    scenario_add(scenario, "--set", set, str_text(&text));
    str_dispose(&text);
}

static void tell_steady(struct iteration_report *out, struct scenario *scenario, const char *option,
                        const json_t *row, struct arena *arena) {
    const char *total = range(arena, row, "total");
    struct str text = {0};
    str_printf(&text,
               "%s: %.9g of %s iterations simulated; the others take %.6g s, give or take %.2g s",
               out->label, out->simulated, total, out->more_s, out->off_s);
    if (out->start > 0)
        str_printf(&text, ", without the first %d", out->start);
    if (out->period > 1)
        str_printf(&text, ", in a pattern of %d", out->period);
    scenario_add(scenario, "--iterations", option, str_text(&text));
    if (number_at(row, "total", 0) != number_at(row, "total", 1))
        note("warning: --iterations: ranks make %s iterations of %s; each was extrapolated by "
             "itself",
             total, out->label);
    if (json_get_number(row, "unsteady", 0) > 0)
        note("warning: --iterations: on some ranks the iterations of %s are not steady; the time "
             "is not sure",
             out->label);
    str_dispose(&text);
}

static bool was_called(const struct run_stats *stats, const struct call_place *call) {
    for (size_t i = 0; i < stats->site_count; i++)
        if ((int)stats->sites[i].line == call->line &&
            strcmp(stats->sites[i].file, call->file) == 0)
            return true;
    return false;
}

/* An MPI call that each 50th iteration makes is not seen in 20 of them. */
static int tell_not_called(const struct iteration_report *report, const struct bundle *bundle,
                           const struct run_stats *stats, struct error *error) {
    struct loop_list loops;
    struct str list = {0};
    if (loops_read(&loops, bundle, error) != 0)
        return -1;
    const struct loop_info *loop = NULL;
    for (size_t i = 0; i < loops.count && loop == NULL; i++)
        if (strcmp(loops_label(&loops, &loops.items[i], &loops.arena), report->label) == 0)
            loop = &loops.items[i];
    for (size_t i = 0; loop != NULL && i < loop->call_count; i++)
        if (!was_called(stats, &loop->calls[i]))
            str_printf(&list, "%s%s:%d", list.length > 0 ? ", " : "", loop->calls[i].file,
                       loop->calls[i].line);
    if (list.length > 0)
        note("warning: --iterations: of the MPI calls in the loop at %s these were never made: %s; "
             "if later iterations make them, their time is missing: simulate more iterations",
             report->label, str_text(&list));
    str_dispose(&list);
    loops_dispose(&loops);
    return 0;
}

/* What nobody asked for. */
static void warn_of_long(const struct iteration_report *out) {
    note("warning: all iterations would take long to simulate, so %.9g of %.9g of %s were "
         "simulated and "
         "the others extrapolated; --iterations all simulates all",
         out->simulated, out->total, out->label);
}

static void tell_nothing(struct scenario *scenario, const char *option, const json_t *row) {
    bool unknown = json_is_true(json_object_get(row, "unknown_total"));
    const char *why = unknown ? "how many iterations there are is not known when the loop is "
                                "entered: give FILE:LINE=K/N"
                              : "no loop with so many iterations was steady and worth it";
    note("note: --iterations: all was simulated, nothing extrapolated: %s", why);
    scenario_add(scenario, "--iterations", option, "all was simulated, nothing extrapolated");
}

static void tell_iterations(struct iteration_report *out, struct scenario *scenario,
                            const char *option, const json_t *row, struct arena *arena) {
    const char *label = json_get_text(row, "label");
    *out = (struct iteration_report){
        .given = true,
        .label = arena_strdup(arena, label != NULL ? label : ""),
        .simulated = json_get_number(row, "simulated", 0),
        .total = number_at(row, "total", 1),
        .more_s = json_get_number(row, "more_s", 0),
        .off_s = json_get_number(row, "off_s", 0),
        .start = (int)json_get_integer(row, "start", 0),
        .period = (int)json_get_integer(row, "period", 1),
    };
    bool is_if_long = iterations_are_if_long(option);
    bool is_left = json_get_number(row, "times", 0) > 0;
    out->given = is_left || !is_if_long;
    if (is_left && is_if_long)
        warn_of_long(out);
    if (is_left)
        tell_steady(out, scenario, option, row, arena);
    else if (!is_if_long)
        tell_nothing(scenario, option, row);
}

int changes_tell(struct iteration_report *out, struct scenario *scenario,
                 const struct change_options *options, const struct bundle *bundle,
                 const struct run_stats *stats, const char *stats_file, struct arena *arena,
                 struct error *error) {
    json_t *root = NULL;
    *out = (struct iteration_report){0};
    if (!change_options_given(options))
        return 0;
    if (json_read(&root, stats_file, error) != 0)
        return -1;
    const json_t *changes = json_object_get(root, "changes");
    for (size_t i = 0; i < options->sets.count; i++)
        tell_set(scenario, options->sets.items[i], json_array_get(changes, i), arena);
    if (options->iterations != NULL && json_object_get(root, "iterations") != NULL)
        tell_iterations(out, scenario, options->iterations, json_object_get(root, "iterations"),
                        arena);
    json_decref(root);
    return out->simulated > 0 ? tell_not_called(out, bundle, stats, error) : 0;
}

void changes_tell_failed(const struct change_options *options) {
    struct str text = {0};
    for (size_t i = 0; i < options->sets.count; i++)
        str_printf(&text, " --set %s", options->sets.items[i]);
    if (options->iterations != NULL && !iterations_are_if_long(options->iterations))
        str_printf(&text, " --iterations %s", options->iterations);
    if (text.length > 0)
        note("note: the run was changed by%s; the same change of the source may fail as well",
             str_text(&text));
    str_dispose(&text);
}
