/* SPDX-License-Identifier: Apache-2.0 */
#include "model/findings/unexplained.h"

#include "base/file.h"
#include "base/str.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_NAMED 4

static const char remedy[] = "predictions lack that time, and their intervals are wider for it; a "
                             "row in the hints that says "
                             "what a function reads and writes lets regions measure it";

static void add_run(struct unexplained *out, const struct run *run) {
    const struct kept_time *kept = &run->kept;
    if (!(run->elapsed_s > 0) || kept->seconds < 0 || run_is_counted(run))
        return;
    if (kept->site.name != NULL && (out->site == NULL || kept->site.kept_s > out->site->kept_s))
        out->site = &kept->site;
    out->seconds += fmin(kept->seconds, run->elapsed_s);
    out->elapsed_s += run->elapsed_s;
    out->share = out->seconds / out->elapsed_s;
}

void unexplained_add_runs(struct unexplained *out, const struct samples *samples) {
    for (int i = 0; i < samples->run_count; i++)
        add_run(out, &samples->runs[i]);
}

bool unexplained_matters(const struct unexplained *unexplained) {
    return unexplained->share > UNEXPLAINED_FROM && unexplained->seconds > UNEXPLAINED_LEAST_S;
}

/* ---- Text ---- */

/* Small before the site in its file; then behind it, since loops come back; then other files. All
 * that is known comes behind what is not: that may take any time. */
static long distance(const struct kept_call *call, const struct call_count *site) {
    long lines = call->line <= site->line ? site->line - call->line : (long)INT_MAX + call->line;
    if (strcmp(call->file, site->file) != 0)
        lines = 3L * INT_MAX;
    return call->is_unknown ? lines : lines + 4L * INT_MAX;
}

static const struct kept_call *next_of(const struct regions *regions, const bool *named,
                                       const struct call_count *site) {
    const struct kept_call *next = NULL;
    for (size_t i = 0; i < regions->kept_call_count; i++)
        if (!named[i] &&
            (next == NULL || distance(&regions->kept_calls[i], site) < distance(next, site)))
            next = &regions->kept_calls[i];
    return next;
}

static void add_calls(struct str *out, struct arena *arena, const struct regions *regions,
                      const struct call_count *site) {
    bool *named = ARENA_ARRAY(arena, bool, regions->kept_call_count + 1);
    const struct kept_call *call;
    for (int i = 0; i < CALLS_NAMED && (call = next_of(regions, named, site)) != NULL; i++) {
        named[call - regions->kept_calls] = true;
        str_printf(out, "%s%s:%d %s", i == 0 ? "; calls that stay: " : ", ", call->file, call->line,
                   call->function);
    }
    if (regions->kept_call_count > CALLS_NAMED)
        str_printf(out, " and %zu more", regions->kept_call_count - CALLS_NAMED);
}

void unexplained_add_finding(struct findings *out, const struct unexplained *unexplained,
                             const struct regions *regions) {
    struct str calls = {0};
    if (!unexplained_matters(unexplained))
        return;
    struct call_count site = *unexplained->site;
    if (site.file[0] == '/' && regions->root != NULL && regions->root[0] == '/')
        site.file = path_relative(&out->arena, regions->root, site.file);
    add_calls(&calls, &out->arena, regions, &site);
    findings_add(out, "unexplained", unexplained->share, remedy,
                 "regions and MPI calls explain only %.0f %% of the profiled time: %.3g of %.3g s "
                 "are in code that is kept and takes no time in a prediction, most before %s:%d "
                 "%s%s",
                 100 * (1 - unexplained->share), unexplained->seconds, unexplained->elapsed_s,
                 site.file, site.line, site.name, str_text(&calls));
    findings_put_first(out);
    str_dispose(&calls);
}
