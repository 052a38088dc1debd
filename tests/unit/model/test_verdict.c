/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of checks: the worst of them, and how far all are off together and on one rank.
 */
#include "support.h"

#include "model/verdict/verdict.h"

static struct verdict_check check_of(enum check_kind kind, enum check_result result, double all,
                                     double of_rank) {
    return (struct verdict_check){.kind = kind,
                                  .result = result,
                                  .ranks = 4,
                                  .arguments = "[]",
                                  .all = {all, "calls"},
                                  .of_rank = {of_rank, "calls"},
                                  .rank = 2};
}

static void assert_text(const struct verdict *verdict, const char *wanted) {
    struct str text = {0};
    verdict_add_text(&text, verdict);
    assert_string_equal(str_text(&text), wanted);
    str_dispose(&text);
}

TEST(the_worst_check_differs_most) {
    struct verdict verdict = {.why = "", .why_no_ranks = ""};
    assert_null(verdict_worst(&verdict, CHECK_WRONG));
    for (int i = 0; i < 8; i++) {
        struct verdict_check check = check_of(CHECK_OWN_RUN, CHECK_WRONG, i == 3 ? 9 : 1, i);
        verdict_add(&verdict, &check);
    }
    assert_ptr_equal(verdict_worst(&verdict, CHECK_WRONG), &verdict.checks.items[3]);
    assert_null(verdict_worst(&verdict, CHECK_NOT_MADE));
    verdict_dispose(&verdict);
}

TEST(a_rank_is_named_where_it_is_further_off) {
    struct verdict verdict = {.why = "", .why_no_ranks = ""};
    struct verdict_check own = check_of(CHECK_OWN_RUN, CHECK_RIGHT, 0, 0);
    struct verdict_check size = check_of(CHECK_WITHOUT_SIZE, CHECK_RIGHT, 0.5, 0.5);
    struct verdict_check other = check_of(CHECK_WITHOUT_SIZE, CHECK_RIGHT, 0.5, 3);
    verdict_add(&verdict, &own);
    verdict_add(&verdict, &size);
    assert_text(&verdict, "calls as in 1 of 1 profiled runs; sizes left out: within 0.5 %");
    verdict_add(&verdict, &other);
    assert_text(&verdict,
                "calls as in 1 of 1 profiled runs; sizes left out: within 0.5 %, on one rank 3 %");
    verdict_dispose(&verdict);
}
