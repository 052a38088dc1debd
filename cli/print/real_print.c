/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/real_print.h"

#include "cli/print/verify_print.h"

static unsigned long long real_calls(const struct comparison *comparison) {
    unsigned long long calls = 0;
    for (size_t rank = 0; rank < comparison->ranks; rank++)
        calls += comparison->rank_calls[rank].of[1];
    return calls;
}

static const char *but_for(const struct comparison *comparison) {
    bool polls = comparison->empty_polls[0] + comparison->empty_polls[1] > 0;
    return comparison->by_time ? ", but for what only the time of messages decides"
           : polls             ? ", without polls that found nothing"
                               : "";
}

static void print_agreement(FILE *out, const struct real_verdict *verdict, bool sides_agree) {
    const struct comparison *comparison = &verdict->comparison;
    fprintf(out, "real run: identical to the original%s%s: %llu calls under %s%s\n",
            verdict->why != NULL ? " up to MPI_Abort" : "", but_for(comparison),
            real_calls(comparison), verdict->command,
            sides_agree ? "" : "; the difference is the skeleton's");
}

static void print_place(FILE *out, const struct comparison *comparison) {
    fprintf(out, "on %zu of %zu ranks; the lowest is rank %zu, at its call %llu\n",
            comparison->ranks_different, comparison->ranks, comparison->first.rank,
            comparison->first.position);
}

static const char *whose_fault(const struct real_verdict *verdict, bool sides_agree) {
    return sides_agree ? "the simulation is at fault, and the skeleton is right as far as it goes"
           : verdict->is_like_skeleton
               ? "the simulation of the original is at fault, and the skeleton agrees with the run"
               : "the simulation is at fault, whether or not the skeleton is right";
}

static void print_difference(FILE *out, const struct real_verdict *verdict, bool sides_agree,
                             const struct line_map *map) {
    const struct comparison *comparison = &verdict->comparison;
    fprintf(out, "real run: different from the simulated original: %s\n",
            whose_fault(verdict, sides_agree));
    if (comparison->ranks_different > 0) {
        fputs("  different ", out);
        print_place(out, comparison);
        comparison_print_first(out, comparison, map);
    }
    if (verdict->why != NULL)
        fprintf(out, "  the original gets through, but under %s %s\n", verdict->command,
                verdict->why);
}

void real_verdict_print(FILE *out, const struct real_verdict *verdict, bool sides_agree,
                        const struct line_map *map) {
    const struct comparison *comparison = &verdict->comparison;
    switch (verdict->kind) {
    case REAL_NOT_RUN:
        if (verdict->why != NULL)
            note("no real run: %s", verdict->why);
        break;
    case REAL_IDENTICAL:
        print_agreement(out, verdict, sides_agree);
        break;
    case REAL_REORDERED:
        fprintf(out,
                "real run: the original's calls in another order, which the time of messages "
                "decides: %llu calls under %s\n",
                real_calls(comparison), verdict->command);
        break;
    case REAL_BY_TIME:
        fputs(verdict->differs_again
                  ? "real run: run twice, it differs from itself, as by random numbers or clocks, "
                    "so that nothing follows where it differs from the original: "
                  : "real run: identical to the original until time decides what comes next (whose "
                    "message is first, what a clock tells), so that nothing follows from then on: "
                    "it differs ",
              out);
        print_place(out, comparison);
        break;
    case REAL_ELSEWHERE:
        fprintf(
            out,
            "real run: nothing follows from it, for its ranks share hosts otherwise than in the "
            "simulation (MPI_Comm_split_type); --ranks-per-node=%zu places all on one\n",
            comparison->ranks);
        break;
    case REAL_UNFINISHED:
        fprintf(out,
                "real run: not done within %g s (--real-limit), and ended; its %llu calls until "
                "then are the original's\n",
                verdict->limit_s, real_calls(comparison));
        break;
    case REAL_DIFFERENT:
        print_difference(out, verdict, sides_agree, map);
        break;
    }
}

/* ---- JSON ---- */

json_t *real_verdict_json(const struct real_verdict *verdict, const struct line_map *map) {
    static const char *const names[] = {"not run",   "identical",  "reordered", "by time",
                                        "elsewhere", "unfinished", "different"};
    if (verdict->kind == REAL_NOT_RUN)
        return NULL;
    const struct comparison *comparison = &verdict->comparison;
    json_t *out = json_pack("{s:s, s:b, s:s, s:I, s:I}", "verdict", names[verdict->kind],
                            "simulation_at_fault", verdict->kind == REAL_DIFFERENT, "command",
                            verdict->command, "calls", (json_int_t)real_calls(comparison),
                            "ranks_different", (json_int_t)comparison->ranks_different);
    if (verdict->why != NULL)
        json_object_set_new(out, "ending", json_any_text(verdict->why));
    if (comparison->ranks_different > 0)
        json_object_set_new(out, "first",
                            json_pack("{s:I, s:I, s:o, s:o}", "rank",
                                      (json_int_t)comparison->first.rank, "call",
                                      (json_int_t)comparison->first.position, "original",
                                      comparison_call_json(comparison, 0, map), "real",
                                      comparison_call_json(comparison, 1, map)));
    return out;
}
