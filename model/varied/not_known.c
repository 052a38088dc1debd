/* SPDX-License-Identifier: Apache-2.0 */
#include "model/varied/not_known.h"

#include "base/vec.h"
#include "base/words.h"
#include "model/varied/varied.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- Varied pair ---- */

/*
 * Whether two numbers varied only together; see not_known.h.
 * The pairs of profiled runs are followed by least squares, in numbers and in
 * their logarithms.
 */

/* Of what goes on as before: sizes are rounded to whole numbers. */
#define ROUNDING 0.02
#define SCATTER 2 /* times what profiled pairs scatter by */

struct varied_numbers {
    double x, y;
};

typedef VEC(struct varied_numbers) pairs;

/* Each pair once; false: a run has no such numbers. */
static bool take_pairs(pairs *out, const struct varied *varied, const char *one,
                       const char *other) {
    for (size_t i = 0; i < varied->run_count; i++) {
        const struct varied_word *x = varied_word_find(&varied->runs[i], one);
        const struct varied_word *y = varied_word_find(&varied->runs[i], other);
        if (x == NULL || y == NULL || isnan(x->number) || isnan(y->number))
            return false;
        size_t k = 0;
        while (k < out->count && (out->items[k].x != x->number || out->items[k].y != y->number))
            k++;
        if (k == out->count)
            vec_push(out, (struct varied_numbers){x->number, y->number});
    }
    return out->count >= 2;
}

static bool is_one_of(const pairs *all, struct varied_numbers pair) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].x == pair.x && all->items[i].y == pair.y)
            return true;
    return false;
}

/* Each number of one with one of the other, all in the same order, or all in the opposite one. */
static bool are_in_order(const pairs *all) {
    int rising = 0, falling = 0, cases = 0;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < i; k++) {
            double product =
                (all->items[i].x - all->items[k].x) * (all->items[i].y - all->items[k].y);
            rising += product > 0;
            falling += product < 0;
            cases++;
        }
    return rising == cases || falling == cases;
}

static struct varied_numbers transformed(struct varied_numbers pair, bool in_logarithms) {
    return in_logarithms ? (struct varied_numbers){log(pair.x), log(pair.y)} : pair;
}

/* NAN: there is no logarithm. */
static double miss(const pairs *all, struct varied_numbers pair, bool in_logarithms) {
    struct varied_numbers mean = {0, 0}, at = transformed(pair, in_logarithms);
    double xx = 0, xy = 0, largest = 0, n = (double)all->count;
    for (size_t i = 0; i < all->count; i++) {
        struct varied_numbers p = transformed(all->items[i], in_logarithms);
        mean = (struct varied_numbers){mean.x + p.x / n, mean.y + p.y / n};
    }
    for (size_t i = 0; i < all->count; i++) {
        struct varied_numbers p = transformed(all->items[i], in_logarithms);
        xx += (p.x - mean.x) * (p.x - mean.x);
        xy += (p.x - mean.x) * (p.y - mean.y);
    }
    for (size_t i = 0; i < all->count; i++) {
        struct varied_numbers p = transformed(all->items[i], in_logarithms);
        largest = fmax(largest, fabs(p.y - mean.y - xy / xx * (p.x - mean.x)));
    }
    double size = in_logarithms ? 1 : fabs(at.y);
    double off = fabs(at.y - mean.y - xy / xx * (at.x - mean.x));
    return off - fmax(SCATTER * largest, ROUNDING * size);
}

/* Whether they did, and the pair of this run is none that goes on as those of the profiled ones. */
static bool varied_pair_is_new(const struct varied *varied, const struct varied_word *one,
                               const struct varied_word *other) {
    pairs all = {0};
    struct varied_numbers here = {one->number, other->number};
    bool is_new = take_pairs(&all, varied, one->name, other->name) && !is_one_of(&all, here) &&
                  are_in_order(&all) && !(miss(&all, here, true) <= 0) &&
                  !(miss(&all, here, false) <= 0);
    vec_dispose(&all);
    return is_new;
}

/* ---- Not known ---- */

struct finder {
    struct arena *arena;
    const struct not_known_question *question;
    struct varied_run here;
    VEC(struct not_known) items;
};

/* ---- Which value ---- */

/* `other`: of what varied together; NULL: there is none. NULL: no value may go by it. */
static const struct region *find_value(const struct finder *finder, const char *name,
                                       const char *other) {
    const struct not_known_question *question = finder->question;
    const struct region *found = NULL;
    for (size_t i = 0; i < question->varied->value_count; i++) {
        const struct varied_value *value = &question->varied->values[i];
        if (value->region >= question->regions->count)
            continue;
        const struct region *region = &question->regions->items[value->region];
        bool is_said =
            region->hint != NULL || (question->is_set != NULL && question->is_set[value->region]);
        if (is_said || region->value == VALUE_NONE ||
            words_contain(value->unaffected, value->count, name) ||
            (other != NULL && words_contain(value->unaffected, value->count, other)))
            continue;
        if (found == NULL || (found->value != VALUE_TRIPS && region->value == VALUE_TRIPS))
            found = region;
    }
    return found;
}

static void add(struct finder *finder, const char *name, const char *other, const char *text) {
    const struct region *value = find_value(finder, name, other);
    const char *names = other == NULL ? arena_strdup(finder->arena, name)
                                      : arena_printf(finder->arena, "%s and %s", name, other);
    if (value != NULL)
        vec_push(&finder->items, (struct not_known){.names = names,
                                                    .text = text,
                                                    .value = value,
                                                    .is_waited_for = value->value == VALUE_TRIPS});
}

/* ---- One argument ---- */

/* What profiled runs had under a name. */
struct not_known_seen {
    const struct varied_word *first; /* NULL: none had it */
    size_t had, different, numbers;  /* runs; words, each once; numbers among these */
    bool has_this;
};

static bool came_before(const struct varied *varied, size_t run, const struct varied_word *word) {
    for (size_t i = 0; i < run; i++) {
        const struct varied_word *other = varied_word_find(&varied->runs[i], word->name);
        if (other != NULL && varied_word_equal(other, word))
            return true;
    }
    return false;
}

static struct not_known_seen see(const struct varied *varied, const char *name,
                                 const struct varied_word *here) {
    struct not_known_seen out = {0};
    for (size_t i = 0; i < varied->run_count; i++) {
        const struct varied_word *word = varied_word_find(&varied->runs[i], name);
        if (word == NULL)
            continue;
        bool is_first = !came_before(varied, i, word);
        out.first = out.first != NULL ? out.first : word;
        out.had++;
        out.different += is_first;
        out.numbers += is_first && !isnan(word->number);
        out.has_this = out.has_this || (here != NULL && varied_word_equal(word, here));
    }
    return out;
}

static const char *shown(const struct finder *finder, const struct varied_word *word) {
    return word->text[0] != '\0' ? arena_printf(finder->arena, "%s is %s", word->name, word->text)
                                 : arena_printf(finder->arena, "%s is given", word->name);
}

static void judge_given(struct finder *finder, const struct varied_word *word) {
    const struct varied *varied = finder->question->varied;
    struct not_known_seen seen = see(varied, word->name, word);
    const char *text = NULL, *here = shown(finder, word);
    if (seen.has_this || (seen.numbers > 1 && !isnan(word->number)))
        return; /* sizes are what formulas and the guard are for */
    if (seen.had == varied->run_count && seen.different == 1)
        text = arena_printf(finder->arena, "%s here and was %s in all profiled runs", here,
                            seen.first->text);
    else
        text = arena_printf(finder->arena, "%s here and was in no profiled run%s", here,
                            seen.had > 0 ? " what it is here" : "");
    add(finder, word->name, NULL, text);
}

static void judge_left_out(struct finder *finder, const struct varied_word *word) {
    const struct varied *varied = finder->question->varied;
    struct not_known_seen seen = see(varied, word->name, NULL);
    if (varied_word_find(&finder->here, word->name) != NULL || seen.had < varied->run_count)
        return;
    const char *was = seen.different > 1         ? "given"
                      : seen.first->text[0] == 0 ? "given"
                                                 : seen.first->text;
    add(finder, word->name, NULL,
        arena_printf(finder->arena, "%s is left out here and was %s in all profiled runs",
                     word->name, was));
}

static void judge_pair(struct finder *finder, const struct varied_word *one,
                       const struct varied_word *other) {
    if (!varied_pair_is_new(finder->question->varied, one, other))
        return;
    add(finder, one->name, other->name,
        arena_printf(finder->arena,
                     "%s is %s and %s is %s here: in profiled runs these two varied only together",
                     one->name, one->text, other->name, other->text));
}

/* How often loops iterate goes by the ranks wherever these share what is computed. Ranks are a size
 * and often profiled on one number only, so that this is told and not refused. */
static void judge_ranks(struct finder *finder) {
    const struct not_known_question *question = finder->question;
    const struct varied *varied = question->varied;
    const struct region *value = find_value(finder, VARIED_RANKS, NULL);
    for (size_t i = 0; i < varied->run_count; i++)
        if (varied->runs[i].ranks == question->ranks ||
            varied->runs[i].ranks != varied->runs[0].ranks)
            return;
    if (question->ranks > 0 && value != NULL && value->value == VALUE_TRIPS)
        vec_push(
            &finder->items,
            (struct not_known){.names = VARIED_RANKS,
                               .text = arena_printf(finder->arena,
                                                    VARIED_RANKS " is %zu here and was %zu in all "
                                                                 "profiled runs",
                                                    question->ranks, varied->runs[0].ranks),
                               .value = value});
}

/* ---- The run that would tell ---- */

static bool is_named(const struct finder *finder, const char *name) {
    for (size_t i = 0; i < finder->items.count; i++)
        if (strcmp(finder->items.items[i].names, name) == 0)
            return true;
    return false;
}

/* How many words a profiled run shares with this one. */
static size_t count_shared(const struct finder *finder, const struct varied_run *run) {
    size_t count = 0;
    for (size_t i = 1; i < run->count; i++) {
        const struct varied_word *here = varied_word_find(&finder->here, run->items[i].name);
        count += here != NULL && varied_word_equal(here, &run->items[i]);
    }
    return count;
}

static const struct varied_run *find_nearest(const struct finder *finder) {
    const struct varied *varied = finder->question->varied;
    const struct varied_run *best = &varied->runs[0];
    for (size_t i = 1; i < varied->run_count; i++) {
        size_t shared = count_shared(finder, &varied->runs[i]), most = count_shared(finder, best);
        if (shared > most || (shared == most && varied->runs[i].ranks > best->ranks))
            best = &varied->runs[i];
    }
    return best;
}

/* The arguments of this run, with the sizes of a profiled one. */
static struct words with_sizes_of(const struct finder *finder, const struct varied_run *run) {
    struct words words = finder->here.words;
    const char **items = ARENA_ARRAY(finder->arena, const char *, words.count + 1);
    for (size_t i = 0; i < words.count; i++)
        items[i] = words.items[i];
    for (size_t i = 1; i < finder->here.count; i++) {
        const struct varied_word *here = &finder->here.items[i];
        const struct varied_word *there = varied_word_find(run, here->name);
        int prefix = (int)(here->text - words.items[here->word]);
        if (there != NULL && here->text[0] != '\0' && !is_named(finder, here->name))
            items[here->word] =
                arena_printf(finder->arena, "%.*s%s", prefix, words.items[here->word], there->text);
    }
    return (struct words){items, words.count};
}

static void add_run(struct not_known_list *out, const struct finder *finder,
                    const struct varied_run *run) {
    struct words words = with_sizes_of(finder, run);
    bool is_of_ranks = finder->items.count == 1 && is_named(finder, VARIED_RANKS);
    size_t ranks = is_of_ranks ? 2 * run->ranks : run->ranks;
    for (size_t i = 0; i < out->run_count; i++)
        if (words_equal(out->runs[i].words, words))
            return;
    if (out->run_count < NOT_KNOWN_RUNS)
        out->runs[out->run_count++] = (struct varied_run){.ranks = ranks, .words = words};
}

static void find_runs(struct not_known_list *out, const struct finder *finder) {
    const struct varied *varied = finder->question->varied;
    const struct varied_run *nearest = find_nearest(finder);
    out->runs = ARENA_ARRAY(finder->arena, struct varied_run, NOT_KNOWN_RUNS);
    add_run(out, finder, nearest);
    for (size_t i = 0; i < varied->run_count; i++)
        if (varied->runs[i].ranks == nearest->ranks)
            add_run(out, finder, &varied->runs[i]);
}

/* ---- All of it ---- */

void not_known_find(struct not_known_list *out, struct arena *arena,
                    const struct not_known_question *question) {
    struct finder finder = {.arena = arena, .question = question};
    const struct varied *varied = question->varied;
    *out = (struct not_known_list){0};
    if (varied->run_count == 0)
        return;
    varied_run_make(&finder.here, arena, question->ranks, question->words);
    for (size_t i = 1; i < finder.here.count; i++)
        judge_given(&finder, &finder.here.items[i]);
    for (size_t i = 1; i < varied->runs[0].count; i++)
        judge_left_out(&finder, &varied->runs[0].items[i]);
    judge_ranks(&finder);
    for (size_t i = 0; i < finder.here.count; i++)
        for (size_t k = question->ranks > 0 ? 0 : 1; k < i; k++)
            judge_pair(&finder, &finder.here.items[k], &finder.here.items[i]);
    if (finder.items.count > 0)
        find_runs(out, &finder);
    out->items = ARENA_ARRAY(arena, struct not_known, finder.items.count + 1);
    for (size_t i = 0; i < finder.items.count; i++)
        out->items[out->count++] = finder.items.items[i];
    vec_dispose(&finder.items);
}

void not_known_add_names(struct str *out, const struct not_known_list *list) {
    for (size_t i = 0; i < list->count; i++)
        str_printf(out, "%s%s", i > 0 ? ", " : "", list->items[i].names);
}

/* A value is named once, behind all that it may go by. */
void not_known_add_text(struct str *out, const struct not_known_list *list) {
    for (size_t i = 0, first = 0; i < list->count; i++) {
        const struct region *value = list->items[i].value;
        str_printf(out, "%s%s", i > 0 ? "; " : "", list->items[i].text);
        if (i + 1 < list->count && list->items[i + 1].value == value)
            continue;
        str_printf(out, ", and %s:%d (%s) may depend on %s", value->file, value->line, value->text,
                   first < i ? "them" : "it");
        first = i + 1;
    }
}

bool not_known_is_waited_for(const struct not_known_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].is_waited_for)
            return true;
    return false;
}
