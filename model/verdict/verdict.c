/* SPDX-License-Identifier: Apache-2.0
 *
 * See verdict.h. A verdict is wrong if one of its checks is, and right if none is and at least one
 * was made.
 */
#include "model/verdict/verdict.h"

#include "base/json.h"
#include "base/str.h"

#include <math.h>
#include <string.h>

#define PERCENT_SHOWN 999 /* what is more than that is wrong in any case */

static const char *const kind_names[CHECK_KINDS] = {"own run", "size left out", "ranks left out"};
static const char *const result_names[CHECK_RESULTS] = {"right", "wrong", "not made", "uncertain"};

static const char *const state_names[VERDICT_STATES] = {"none",  "changed",   "right",
                                                        "wrong", "unchecked", "not known"};

const char *verdict_state_name(enum verdict_state state) {
    return state_names[state];
}

const char *check_kind_name(enum check_kind kind) {
    return kind_names[kind];
}

const char *check_result_name(enum check_result result) {
    return result_names[result];
}

struct verdict_counts {
    int of[CHECK_RESULTS], all;
    double percent, rank_percent; /* of those that ended */
    bool ends;                    /* each of them */
};

static struct verdict_counts count(const struct verdict *verdict, enum check_kind kind) {
    struct verdict_counts out = {.ends = true};
    for (size_t i = 0; i < verdict->checks.count; i++) {
        const struct verdict_check *check = &verdict->checks.items[i];
        if (check->kind != kind)
            continue;
        out.of[check->result]++;
        out.all++;
        out.percent = fmax(out.percent, check->all.percent);
        out.rank_percent = fmax(out.rank_percent, check->of_rank.percent);
        out.ends = out.ends && (check->result != CHECK_WRONG || check->why[0] == '\0');
    }
    return out;
}

static void judge(struct verdict *verdict) {
    int made = 0, wrong = 0;
    for (size_t i = 0; i < verdict->checks.count; i++) {
        made += verdict->checks.items[i].result != CHECK_NOT_MADE;
        wrong += verdict->checks.items[i].result == CHECK_WRONG;
    }
    verdict->state = wrong > 0 ? VERDICT_WRONG : made > 0 ? VERDICT_RIGHT : VERDICT_UNCHECKED;
}

static const char *copy_of(struct verdict *verdict, const char *text) {
    return arena_strdup(&verdict->arena, text != NULL ? text : "");
}

void verdict_add(struct verdict *verdict, const struct verdict_check *check) {
    struct verdict_check copy = *check;
    copy.arguments = copy_of(verdict, check->arguments);
    copy.all.what = copy_of(verdict, check->all.what);
    copy.of_rank.what = copy_of(verdict, check->of_rank.what);
    copy.why = copy_of(verdict, check->why);
    vec_push(&verdict->checks, copy);
    judge(verdict);
}

void verdict_make_uncertain(struct verdict *verdict) {
    for (size_t i = 0; i < verdict->checks.count; i++)
        if (verdict->checks.items[i].result == CHECK_WRONG)
            verdict->checks.items[i].result = CHECK_UNCERTAIN;
    judge(verdict);
}

void verdict_add_blame(struct verdict *verdict, const struct verdict_blame *blame) {
    struct verdict_blame copy = {.file = arena_strdup(&verdict->arena, blame->file),
                                 .function = arena_strdup(&verdict->arena, blame->function),
                                 .text = arena_strdup(&verdict->arena, blame->text),
                                 .line = blame->line};
    vec_push(&verdict->blame, copy);
}

/* INFINITY of one that did not end. */
static double percent_of(const struct verdict_check *check) {
    return check->why[0] != '\0' ? INFINITY : fmax(check->all.percent, check->of_rank.percent);
}

const struct verdict_check *verdict_worst(const struct verdict *verdict, enum check_result result) {
    const struct verdict_check *worst = NULL;
    for (size_t i = 0; i < verdict->checks.count; i++) {
        const struct verdict_check *check = &verdict->checks.items[i];
        if (check->result != result)
            continue;
        if (worst == NULL || percent_of(check) > percent_of(worst))
            worst = check;
    }
    return worst;
}

/* ---- Text ---- */

static void add_arguments(struct str *out, const char *arguments) {
    json_t *list = json_loads(arguments, 0, NULL);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        str_printf(out, "%s%s", i > 0 ? " " : "", word != NULL ? word : "?");
    }
    json_decref(list);
}

static const char *in_left_out[CHECK_KINDS] = {"", ", with that size left out",
                                               ", with those ranks left out"};

/* `rank` -1: of all together. */
static void add_difference(struct str *out, const struct check_difference *difference, int rank) {
    str_add(out, difference->what);
    if (rank >= 0)
        str_printf(out, " of rank %d", rank);
    if (difference->percent >= VERDICT_PERCENT_MAX)
        str_add(out, " where the program has none");
    else
        str_printf(out, " %.3g %% off", difference->percent);
}

void verdict_add_check_text(struct str *out, const struct verdict_check *check) {
    if (check->why[0] != '\0')
        str_printf(out, "%s", check->why);
    else if (check->all.percent > check->allowed_percent)
        add_difference(out, &check->all, -1);
    else
        add_difference(out, &check->of_rank, check->rank);
    str_printf(out, " on %d rank%s", check->ranks, text_plural(check->ranks));
    if (strcmp(check->arguments, "[]") != 0) {
        str_add(out, " with `");
        add_arguments(out, check->arguments);
        str_addc(out, '`');
    }
    str_add(out, in_left_out[check->kind]);
}

static void add_percent(struct str *out, double percent) {
    str_printf(out, percent < 100 ? "%.2g %%" : "%.0f %%", fmin(percent, PERCENT_SHOWN));
}

/* "off by 14 %", "within 0.4 %, on one rank 3 %", "a run does not end". */
static void add_left_out(struct str *out, const char *name, const struct verdict_counts *counts) {
    if (counts->all == counts->of[CHECK_NOT_MADE])
        return;
    str_printf(out, "; %s: ", name);
    if (!counts->ends) {
        str_add(out, "a run does not end");
        return;
    }
    bool is_off = counts->of[CHECK_WRONG] + counts->of[CHECK_UNCERTAIN] > 0;
    str_add(out, is_off ? "off by " : "within ");
    add_percent(out, counts->percent);
    if (counts->rank_percent > counts->percent) {
        str_add(out, ", on one rank ");
        add_percent(out, counts->rank_percent);
    }
}

/* The first own run that was not checked tells. */
static const char *why_not_made(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->checks.count; i++)
        if (verdict->checks.items[i].result == CHECK_NOT_MADE)
            return verdict->checks.items[i].why;
    return "";
}

static void add_uncertain(struct str *out, const struct verdict *verdict) {
    str_add(out, ": sizes that were not profiled are uncertain");
    for (size_t i = 0; i < verdict->blame.count; i++)
        str_printf(out, "%s%s:%d", i > 0 ? ", " : " (", verdict->blame.items[i].file,
                   verdict->blame.items[i].line);
    if (verdict->blame.count > 0)
        str_addc(out, ')');
}

static void add_checks(struct str *out, const struct verdict *verdict) {
    struct verdict_counts own = count(verdict, CHECK_OWN_RUN);
    struct verdict_counts sizes = count(verdict, CHECK_WITHOUT_SIZE);
    struct verdict_counts ranks = count(verdict, CHECK_WITHOUT_RANKS);
    int made = own.all - own.of[CHECK_NOT_MADE];
    if (made == 0)
        str_add(out, "calls are not checked");
    else
        str_printf(out, "calls as in %d of %d profiled runs", own.of[CHECK_RIGHT], made);
    if (made > 0 && made < own.all)
        str_printf(out, "; %d more are not checked", own.all - made);
    if (made < own.all)
        str_printf(out, ": %s", why_not_made(verdict));
    add_left_out(out, "sizes left out", &sizes);
    if (sizes.of[CHECK_UNCERTAIN] > 0)
        add_uncertain(out, verdict);
    add_left_out(out, "most ranks left out", &ranks);
    if (verdict->is_exact)
        str_add(out, "; nothing is given by models");
    else if (verdict->state == VERDICT_WRONG && verdict->why[0] != '\0')
        str_printf(out, "; %s", verdict->why);
    else if (verdict->why[0] != '\0')
        str_printf(out, "%s%s", made > 0 ? "; sizes left out: " : ": ", verdict->why);
    if (verdict->why_no_ranks[0] != '\0' && verdict->state == VERDICT_RIGHT)
        str_printf(out, "; more ranks: %s", verdict->why_no_ranks);
}

void verdict_set_not_known(struct verdict *verdict, const char *names) {
    struct str text = {0};
    if (verdict->not_known == NULL) {
        verdict_add_text(&text, verdict);
        verdict->profiled = arena_strdup(&verdict->arena, str_text(&text));
        verdict->state = verdict->state == VERDICT_WRONG ? VERDICT_WRONG : VERDICT_NOT_KNOWN;
    }
    verdict->not_known = arena_strdup(&verdict->arena, names);
    str_dispose(&text);
}

void verdict_add_text(struct str *out, const struct verdict *verdict) {
    if (verdict->not_known != NULL)
        str_printf(out, "not known for %s; for arguments that were profiled: %s",
                   verdict->not_known, verdict->profiled);
    else if (verdict->state == VERDICT_NONE)
        str_add(out, "calls are not checked: `mpiskel fit` does that");
    else if (verdict->state == VERDICT_CHANGED)
        str_add(out, "calls are not checked: model.bsim was changed since `mpiskel fit` did that");
    else
        add_checks(out, verdict);
}

void verdict_dispose(struct verdict *verdict) {
    vec_dispose(&verdict->checks);
    vec_dispose(&verdict->blame);
    arena_dispose(&verdict->arena);
    *verdict = (struct verdict){0};
}
