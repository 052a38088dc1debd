/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks take the stage's result as the next one finds it.
 */
#include "skeletonizer/stage_done.h"

#include "base/error.h"
#include "base/status_line.h"
#include "frontend/program/program_check.h"
#include "skeletonizer/dump/dump.h"
#include "skeletonizer/plan/plan_check.h"
#include "skeletonizer/pointsto/pointsto_check.h"
#include "skeletonizer/slice/slice.h"
#include "skeletonizer/text/edits_check.h"

static void check(struct generation *g, enum generate_stage stage) {
    struct error error = {0};
    switch (stage) {
    case STAGE_PROGRAM:
        invariant_require("program_check", program_check(&g->program, &error), &error);
        return;
    case STAGE_POINTSTO:
        invariant_require("points_to_check", points_to_check(&g->points_to, &error), &error);
        invariant_require("program_check", program_check(&g->program, &error), &error);
        return;
    case STAGE_SLICE:
    case STAGE_CUT:
    case STAGE_PLAN:
        invariant_require("slice_check", slice_check(&g->slice, &error), &error);
        return;
    case STAGE_EDITS: /* regions have all of their names by now */
        invariant_require("plan_check", plan_check(&g->plan, &error), &error);
        invariant_require("edits_check", edits_check(&g->profile, &g->program, &error), &error);
        invariant_require("edits_check", edits_check(&g->skeleton, &g->program, &error), &error);
        return;
    case STAGE_COUNT:
        return;
    }
}

static void dump(struct generation *g, enum generate_stage stage) {
    status_line_hide();
    switch (stage) {
    case STAGE_PROGRAM:
        dump_program(stdout, &g->program);
        return;
    case STAGE_POINTSTO:
        dump_pointsto(stdout, &g->points_to);
        return;
    case STAGE_SLICE:
        dump_slice(stdout, &g->slice);
        return;
    case STAGE_CUT:
        dump_cut(stdout, &g->program, &g->cut);
        return;
    case STAGE_PLAN:
        dump_plan(stdout, &g->plan);
        return;
    case STAGE_EDITS:
        dump_edits(stdout, &g->program, &g->skeleton, "skeleton");
        dump_edits(stdout, &g->program, &g->profile, "profile");
        return;
    case STAGE_COUNT:
        return;
    }
}

void stage_done(struct generation *g, enum generate_stage stage) {
    if (invariants_are_checked())
        check(g, stage);
    if ((g->options->dumps >> stage & 1) != 0)
        dump(g, stage);
}
