/* SPDX-License-Identifier: Apache-2.0
 *
 * See verdict_print.h; docs/reference/json.md says what the members mean.
 */
#include "cli/print/verdict_print.h"

#include "base/words.h"

static const struct report_field check_fields[] = {
    {"check", REPORT_AT(struct verdict_row, check)},
    {"result", REPORT_AT(struct verdict_row, result)},
    {"ranks", REPORT_AT(struct verdict_row, ranks)},
    {"arguments", REPORT_ITEMS_AT(struct verdict_row, arguments, argument_count)},
    {"percent", REPORT_AT(struct verdict_row, percent)},
    {"allowed_percent", REPORT_AT(struct verdict_row, allowed_percent)},
    {"what", REPORT_AT(struct verdict_row, what)},
    {"rank", REPORT_AT(struct verdict_row, rank)},
    {"rank_percent", REPORT_AT(struct verdict_row, rank_percent)},
    {"rank_what", REPORT_AT(struct verdict_row, rank_what)},
    {"why", REPORT_AT(struct verdict_row, why)},
    {0},
};

const struct report_field verdict_fields[] = {
    {"state", REPORT_AT(struct verdict_report, state)},
    {"text", REPORT_AT(struct verdict_report, text)},
    {"checks", REPORT_LIST_AT(struct verdict_report, rows, row_count, check_fields)},
    {0},
};

void verdict_report_make(struct verdict_report *out, struct arena *arena,
                         const struct verdict *verdict) {
    static const struct verdict none = {.state = VERDICT_NONE};
    struct str text = {0};
    verdict = verdict != NULL ? verdict : &none;
    verdict_add_text(&text, verdict);
    *out = (struct verdict_report){
        .state = verdict_state_name(verdict->state),
        .text = arena_strdup(arena, str_text(&text)),
        .rows = ARENA_ARRAY(arena, struct verdict_row, verdict->checks.count + 1),
        .row_count = verdict->checks.count};
    for (size_t i = 0; i < out->row_count; i++) {
        const struct verdict_check *check = &verdict->checks.items[i];
        out->rows[i] = (struct verdict_row){.check = check_kind_name(check->kind),
                                            .result = check_result_name(check->result),
                                            .ranks = check->ranks,
                                            .what = check->all.what,
                                            .why = check->why,
                                            .percent = check->all.percent,
                                            .allowed_percent = check->allowed_percent,
                                            .rank_what = check->of_rank.what,
                                            .rank = check->rank,
                                            .rank_percent = check->of_rank.percent};
        out->rows[i].arguments =
            words_of_json(&out->rows[i].argument_count, arena, check->arguments);
    }
    str_dispose(&text);
}
