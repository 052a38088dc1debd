/* SPDX-License-Identifier: Apache-2.0
 *
 * See plan_checks.h. A size is told by the product of the numbers that vary. New ones are made of
 * the largest size by a common factor on these numbers, then on each of them alone. Factors are
 * sixteenths, so that what divides another number, or is a multiple of the ranks, mostly does so
 * still. What the program refuses is told by a simulation of the skeleton.
 */
#include "cli/plan/plan_checks.h"

#include "base/file.h"
#include "base/str.h"
#include "simulator/guard/guard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What more ranks change shows at any size, and two tell it from chance. */
#define SIZES_ON_MORE_RANKS 2
#define PARTS 16
/* The least number is the largest size's divided by that, where there is only one size. */
#define BELOW 8
#define TRIED_MOST 12    /* sizes that are simulated for one that is wanted */
#define SEARCH_MOST_S 60 /* processor time of all simulations */

struct sizes_search {
    const struct plan_checks_question *question;
    struct arena *arena;
    const char *model_file; /* of trials */
    const int *ranks;
    size_t rank_count;
    struct words *sizes; /* those that are there, and behind them those that were made */
    size_t count;
    struct words base; /* the largest */
    struct bsim_argument *numbers;
    size_t number_count;
    unsigned long long varied;
    struct words *refused;
    size_t refused_count;
    double spent_s; /* processor time */
    struct error *error;
};

static double number_at(const struct words *words, int position) {
    double number = (size_t)position < words->count ? atof(words->items[position]) : 0;
    return number > 0 ? number : 1;
}

static double size_of(const struct sizes_search *search, const struct words *words) {
    double product = 1;
    for (size_t i = 0; i < search->number_count; i++)
        if ((search->varied & 1ULL << i) != 0)
            product *= number_at(words, search->numbers[i].word);
    return product;
}

static void find_varied(struct sizes_search *search) {
    const struct words *target = &search->question->target;
    search->number_count = vary_find(&search->numbers, search->arena, search->base);
    for (size_t i = 0; i < search->number_count && i < 64; i++) {
        double own = number_at(&search->base, search->numbers[i].word);
        bool differs = search->count == 1 && number_at(target, search->numbers[i].word) != own;
        for (size_t k = 0; k < search->count; k++)
            differs = differs || number_at(&search->sizes[k], search->numbers[i].word) != own;
        if (differs)
            search->varied |= 1ULL << i;
    }
    if (search->varied == 0 && search->number_count > 0)
        search->varied = 1;
}

static void take_largest(struct sizes_search *search) {
    search->base = search->sizes[0];
    for (size_t k = 1; k < search->count; k++)
        if (size_of(search, &search->sizes[k]) > size_of(search, &search->base))
            search->base = search->sizes[k];
    search->number_count = vary_find(&search->numbers, search->arena, search->base);
}

/* How far, as a logarithm, the nearest of all sizes is. */
static double distance(const struct sizes_search *search, const struct words *size) {
    double nearest = INFINITY, own = log(size_of(search, size));
    for (size_t k = 0; k < search->count; k++)
        nearest = fmin(nearest, fabs(log(size_of(search, &search->sizes[k])) - own));
    return nearest;
}

static double least_size(const struct sizes_search *search) {
    double least = INFINITY;
    for (size_t k = 0; k < search->count; k++)
        least = fmin(least, size_of(search, &search->sizes[k]));
    return least < size_of(search, &search->base) ? least : size_of(search, &search->base) / BELOW;
}

/* ---- Which size ---- */

static bool is_refused(const struct sizes_search *search, const struct words *size) {
    for (size_t i = 0; i < search->refused_count; i++)
        if (words_equal(search->refused[i], *size))
            return true;
    return false;
}

/* *out becomes the farthest from all sizes of those with these numbers scaled, if one is farther
 * than `farthest`, which is returned then. */
static double take_farthest(struct words *out, const struct sizes_search *search,
                            unsigned long long which, double farthest) {
    double least = least_size(search);
    for (int part = PARTS - 1; part > 0; part--) {
        struct words size = vary_scale(search->arena, search->base, search->numbers,
                                       search->number_count, which, (double)part / PARTS);
        double far = distance(search, &size);
        if (size_of(search, &size) < least || far <= farthest || is_refused(search, &size))
            continue;
        *out = size;
        farthest = far;
    }
    return farthest;
}

/* false: there is none left. */
static bool find_size(struct words *out, const struct sizes_search *search) {
    double farthest = take_farthest(out, search, search->varied, 0);
    for (size_t i = 0; i < search->number_count && farthest == 0; i++)
        if ((search->varied & 1ULL << i) != 0)
            farthest = take_farthest(out, search, 1ULL << i, farthest);
    return farthest > 0;
}

static int is_accepted(bool *out, struct sizes_search *search, const struct words *size) {
    *out = true;
    for (size_t i = 0; i < search->rank_count && *out; i++) {
        struct trial trial;
        struct configuration configuration = {(size_t)search->ranks[i], *size};
        if (trial_run(&trial, search->arena, search->question->bundle, search->model_file,
                      &configuration, TRIAL_MOST_S, false, search->error) != 0)
            return -1;
        search->spent_s += trial.processor_s;
        *out = trial.fine;
    }
    return 0;
}

/* *out_made: one was put behind the others. */
static int make_size(bool *out_made, struct sizes_search *search) {
    struct words size;
    *out_made = false;
    search->refused = ARENA_ARRAY(search->arena, struct words, TRIED_MOST);
    search->refused_count = 0;
    while (!*out_made && search->refused_count < TRIED_MOST && search->spent_s < SEARCH_MOST_S &&
           find_size(&size, search)) {
        if (is_accepted(out_made, search, &size) != 0)
            return -1;
        if (*out_made)
            search->sizes[search->count++] = size;
        else
            search->refused[search->refused_count++] = size;
    }
    return 0;
}

/* Those that have the arguments of an earlier run, and came from a directory of its own. */
static size_t count_by_directory(const struct samples *samples) {
    size_t count = 0;
    for (int i = 0; i < samples->run_count; i++) {
        const struct run *run = &samples->runs[i];
        bool is_known = false, has_arguments = false;
        for (int k = 0; k < i; k++) {
            const struct run *other = &samples->runs[k];
            has_arguments = has_arguments || strcmp(other->arguments, run->arguments) == 0;
            is_known = is_known || run_has_input_of(other, run->arguments, run->directory);
        }
        count += has_arguments && !is_known;
    }
    return count;
}

static size_t count_lacking(const struct sizes_search *search) {
    size_t known = search->count + count_by_directory(search->question->samples);
    return search->count == 0 || known >= GUARD_SIZES_MIN ? 0 : GUARD_SIZES_MIN - known;
}

/* Sizes that lack, behind the `count` that are there. */
static int make_sizes(struct sizes_search *search) {
    bool is_made = true;
    if (count_lacking(search) == 0)
        return 0;
    search->base = search->sizes[0];
    find_varied(search);
    take_largest(search);
    while (is_made && search->varied != 0 && count_lacking(search) > 0)
        if (make_size(&is_made, search) != 0)
            return -1;
    return 0;
}

/* ---- What there is ---- */

static bool same_size(const struct configuration *one, const struct configuration *other) {
    return words_equal(one->words, other->words);
}

static bool same_ranks(const struct configuration *one, const struct configuration *other) {
    return one->ranks == other->ranks;
}

/* The first of those that are the same, in order; room for `count`. */
static size_t take_first(const struct configuration **out, const struct configuration *all,
                         size_t count,
                         bool (*same)(const struct configuration *, const struct configuration *)) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t known = 0;
        while (known < found && !same(out[known], &all[i]))
            known++;
        if (known == found)
            out[found++] = &all[i];
    }
    return found;
}

static size_t take_sizes(struct words *out, struct arena *arena, const struct configuration *all,
                         size_t count) {
    const struct configuration **first =
        ARENA_ARRAY(arena, const struct configuration *, count + 1);
    size_t found = take_first(first, all, count, same_size);
    for (size_t i = 0; i < found; i++)
        out[i] = first[i]->words;
    return found;
}

static size_t take_ranks(int *out, struct arena *arena, const struct configuration *all,
                         size_t count) {
    const struct configuration **first =
        ARENA_ARRAY(arena, const struct configuration *, count + 1);
    size_t found = take_first(first, all, count, same_ranks);
    for (size_t i = 0; i < found; i++)
        out[i] = (int)first[i]->ranks;
    return found;
}

/* The sizes behind the first `known` on each number of ranks, and some of these on more ranks. */
static void list_runs(struct plan_checks *out, const struct sizes_search *search, size_t known,
                      const int *more, size_t more_count) {
    size_t made = search->count - known;
    *out = (struct plan_checks){
        .sizes_lacking = made + count_lacking(search), .sizes = made, .rank_numbers = more_count};
    out->items =
        ARENA_ARRAY(search->arena, struct configuration,
                    made * search->rank_count + more_count * SIZES_ON_MORE_RANKS + NOT_KNOWN_RUNS);
    for (size_t i = known; i < search->count; i++)
        for (size_t k = 0; k < search->rank_count; k++)
            out->items[out->count++] =
                (struct configuration){(size_t)search->ranks[k], search->sizes[i]};
    for (size_t k = 0; k < more_count; k++)
        for (size_t i = 0; i < known && i < SIZES_ON_MORE_RANKS; i++)
            out->items[out->count++] = (struct configuration){(size_t)more[k], search->sizes[i]};
}

/* Behind the others. */
static void add_unknown(struct plan_checks *out, struct arena *arena,
                        const struct plan_checks_question *question) {
    struct varied varied;
    varied_make(&varied, question->samples, &question->bundle->regions);
    not_known_find(&out->not_known, arena,
                   &(struct not_known_question){.varied = &varied,
                                                .regions = &question->bundle->regions,
                                                .words = question->target});
    for (size_t i = 0; i < out->not_known.run_count; i++)
        out->items[out->count++] =
            (struct configuration){out->not_known.runs[i].ranks, out->not_known.runs[i].words};
    varied_dispose(&varied);
}

static int make(struct plan_checks *out, struct arena *arena,
                const struct plan_checks_question *question, const char *directory,
                struct error *error) {
    int guessed, more[GUARD_RANKS_MIN];
    size_t count = question->count;
    int *ranks = ARENA_ARRAY(arena, int, count + 1);
    struct sizes_search search = {.question = question,
                                  .arena = arena,
                                  .model_file = path_join(arena, directory, "model.bsim"),
                                  .ranks = ranks,
                                  .sizes =
                                      ARENA_ARRAY(arena, struct words, count + GUARD_SIZES_MIN + 1),
                                  .error = error};
    size_t known = search.count = take_sizes(search.sizes, arena, question->all, count);
    search.rank_count = take_ranks(ranks, arena, question->all, count);
    if (trial_write_model(search.model_file, &guessed, question->bundle, error) != 0 ||
        make_sizes(&search) != 0)
        return -1;
    size_t lacking = known > 0 ? guard_ranks_lacking(more, ranks, search.rank_count) : 0;
    list_runs(out, &search, known, more, lacking);
    add_unknown(out, arena, question);
    return 0;
}

int plan_checks_make(struct plan_checks *out, struct arena *arena,
                     const struct plan_checks_question *question, struct error *error) {
    const char *directory = directory_temporary(arena, "mpiskel-plan-checks", error);
    *out = (struct plan_checks){0};
    if (directory == NULL)
        return -1;
    int result = make(out, arena, question, directory, error);
    return directory_remove(directory, error) != 0 ? -1 : result;
}

/* ---- For people ---- */

static const char *const numbers[] = {"no", "one", "two", "three", "four", "five"};

static void tell_sizes(const struct plan_checks *checks) {
    size_t lacking = checks->sizes_lacking, without = lacking - checks->sizes;
    if (lacking > 0)
        note("so that `mpiskel fit` can check given values by leaving out a size, profile %s more "
             "size%s, on each number of ranks",
             numbers[lacking], text_plural(lacking));
    if (without > 0)
        note("for %s of them no numbers were found with which the skeleton comes to its end: make "
             "%s yourself",
             numbers[without], without == 1 ? "it" : "them");
}

static void tell_unknown(const struct plan_checks *checks) {
    struct str text = {0};
    not_known_add_text(&text, &checks->not_known);
    if (checks->not_known.count > 0)
        note(
            "%s: so that `mpiskel fit` learns how, profile the target's with %zu of the sizes that "
            "were profiled",
            text.text, checks->not_known.run_count);
    str_dispose(&text);
}

void plan_checks_tell(const struct plan_checks *checks) {
    tell_sizes(checks);
    if (checks->rank_numbers > 0)
        note("so that `mpiskel fit` can check given values by leaving out the largest number of "
             "ranks, profile on %s more number%s of ranks above one",
             numbers[checks->rank_numbers], text_plural(checks->rank_numbers));
    tell_unknown(checks);
}
