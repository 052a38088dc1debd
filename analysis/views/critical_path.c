/* SPDX-License-Identifier: Apache-2.0
 *
 * See critical_path.h. On each rank the walk only goes to earlier events, so that it ends, also
 * where a trace of disagreeing clocks has circles.
 */
#include "analysis/views/critical_path.h"

#include "analysis/views/call_dependencies.h"

#include <stdlib.h>
#include <string.h>

struct path_walk {
    struct critical_path *out;
    const struct run_view *view;
    size_t *left; /* of each rank: events before this position may still be gone to */
    int rank;
    int64_t until_ns; /* what lies behind is told already */
};

static void add_step(struct path_walk *walk, uint32_t site, int64_t begin_ns) {
    struct critical_path *out = walk->out;
    int64_t length_ns = walk->until_ns - begin_ns;
    if (length_ns <= 0)
        return;
    if (site == VIEW_NONE)
        out->outside_ns += length_ns;
    else
        out->sites_ns[site] += length_ns;
    out->ranks_ns[walk->rank] += length_ns;
    struct path_step *before =
        out->steps.count > 0 ? &out->steps.items[out->steps.count - 1] : NULL;
    if (before != NULL && before->rank == walk->rank && before->site == site)
        before->begin_ns = begin_ns;
    else
        vec_push(&out->steps, (struct path_step){walk->rank, site, begin_ns, walk->until_ns});
    walk->until_ns = begin_ns;
}

/* To the rank that this call had to wait for; false: it had not, or the walk was there before. */
static bool jump(struct path_walk *walk, uint32_t event) {
    const struct trace_event *events = walk->view->events.items;
    uint32_t cause = dependency_latest(walk->view, event);
    if (cause == VIEW_NONE || events[cause].begin_ns > walk->until_ns)
        return false;
    uint32_t call = run_view_call_of(walk->view, cause);
    if (call >= walk->left[events[cause].rank])
        return false;
    add_step(walk, events[event].site, events[cause].begin_ns);
    walk->rank = events[cause].rank;
    walk->left[walk->rank] = call;
    return true;
}

static void step_back(struct path_walk *walk) {
    const struct trace_event *events = walk->view->events.items;
    uint32_t at = (uint32_t)--walk->left[walk->rank];
    const struct trace_event *event = &events[at];
    if (event->kind == TRACE_PART || event->begin_ns >= walk->until_ns)
        return;
    if (event->end_ns < walk->until_ns)
        add_step(walk, VIEW_NONE, event->end_ns);
    if (!jump(walk, at))
        add_step(walk, event->site, event->begin_ns);
}

static int last_rank(const struct run_view *view) {
    for (size_t i = 0; i < view->events.count; i++)
        if (view->events.items[i].end_ns == view->end_ns)
            return view->events.items[i].rank;
    return 0;
}

static void reverse(struct critical_path *path) {
    for (size_t i = 0, j = path->steps.count; i + 1 < j; i++) {
        struct path_step swap = path->steps.items[i];
        path->steps.items[i] = path->steps.items[--j];
        path->steps.items[j] = swap;
    }
}

void critical_path_make(struct critical_path *out, const struct run_view *view) {
    size_t ranks = (size_t)view->ranks;
    struct path_walk walk = {.out = out,
                             .view = view,
                             .left = xmalloc((ranks + 1) * sizeof *walk.left),
                             .rank = last_rank(view),
                             .until_ns = view->end_ns};
    *out = (struct critical_path){
        .sites_ns = xcalloc(view->sites.count, sizeof *out->sites_ns),
        .ranks_ns = xcalloc(ranks, sizeof *out->ranks_ns),
    };
    memcpy(walk.left, view->rank_first + 1, ranks * sizeof *walk.left);
    while (ranks > 0 && walk.left[walk.rank] > view->rank_first[walk.rank])
        step_back(&walk);
    if (view->events.count > 0)
        add_step(&walk, VIEW_NONE, view->begin_ns);
    reverse(out);
    free(walk.left);
}

void critical_path_dispose(struct critical_path *path) {
    vec_dispose(&path->steps);
    free(path->sites_ns);
    free(path->ranks_ns);
}
