/* SPDX-License-Identifier: Apache-2.0
 *
 * See guard.h. The limits were measured on twelve codes (docs/explanation/cuts.md): 3 % of own runs
 * catches eight of eleven cuts that are wrong at other sizes, 4 % of a size that is left out the
 * other three, where four sizes or more are left; with fewer it refuses right ones.
 */
#include "simulator/guard/guard.h"

#include "base/file.h"
#include "base/str.h"
#include "simulator/guard/answers.h"
#include "simulator/guard/blame.h"
#include "simulator/guard/guard_models.h"
#include "simulator/guard/profiled.h"
#include "simulator/guard/simulated.h"
#include "simulator/run/standard_input.h"

#include <math.h>
#include <time.h>

#define OWN_RUN_PERCENT 3
#define LEFT_OUT_PERCENT 4
/* An own run is ended when it has taken so many times the program's time and calls, and some more:
 * what loads and starts a simulation, and calls that the profile does not count. */
#define TIMES_AS_LONG 5
#define MORE_SECONDS 5
#define TIMES_AS_MANY 3
#define MORE_CALLS 10000
/* Of one simulation: what takes longer is left unchecked, or fit would take as long as users wait
 * for nothing. */
#define SIMULATION_MOST_S 60
/* More that do not end tell nothing new, and each takes as long as its limit. */
#define ENDLESS_MOST 2
#define ERROR_OF_A_LAW 0.0005 /* on what was left out: `fit` prints 0.0 % */

struct guard_work {
    const struct guard *guard;
    struct verdict *verdict;
    struct arena arena;
    const char *directory, *without_file; /* models of fewer runs */
    struct guard_networks networks;
    struct profiled_runs runs;
    double spent_s;
    int endless;
    bool gives_values;
    enum { NOT_LOOKED_FOR, IS_THERE, IS_MISSING } original; /* to build it is tried once */
    const struct profiled *first_wrong; /* the run of the first check that failed; NULL: none */
};

static double processor_s(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool has_time(const struct guard_work *work) {
    return work->spent_s < work->guard->budget_s && work->endless < ENDLESS_MOST;
}

/* ---- One check ---- */

/* A skeleton that computes all may take as long as it likes, but not here. */
static struct simulation_limits limits_of(const struct guard_work *work,
                                          const struct profiled *run) {
    double own_s = MORE_SECONDS + TIMES_AS_LONG * run->elapsed_s * run->ranks;
    double left_s = fmax(work->guard->budget_s - work->spent_s, 1);
    double most_s = work->gives_values ? own_s : left_s;
    struct simulation_limits limits = {.processor_s = fmin(most_s, SIMULATION_MOST_S)};
    for (size_t i = 0; i < run->run_count; i++)
        if (!run->sums[i].polls)
            limits.calls =
                fmax(limits.calls, MORE_CALLS + TIMES_AS_MANY * run->sums[i].all.of[SUM_CALLS]);
    return limits;
}

/* What ends early may miss a file that the profiled run had, and what takes long may compute,
 * unless values are given, which may have sent it there. */
static void judge_end(struct verdict_check *check, const struct guard_work *work,
                      const struct simulated *simulated) {
    if (simulated->end == SIMULATED_TOO_LONG && simulated->seconds >= SIMULATION_MOST_S) {
        check->why = "not simulated within a minute of processor time";
        check->result = CHECK_NOT_MADE;
        return;
    }
    bool is_open = simulated->end == SIMULATED_EARLY_END || simulated->end == SIMULATED_TOO_LONG;
    bool is_wrong = simulated->end == SIMULATED_WITHOUT_END || (is_open && work->gives_values);
    check->why = simulated->why;
    check->result = is_wrong ? CHECK_WRONG : CHECK_NOT_MADE;
}

static void judge(struct verdict_check *check, const struct guard_work *work,
                  const struct profiled *run, const struct simulated *simulated) {
    if (simulated->end != SIMULATED_TO_THE_END) {
        judge_end(check, work, simulated);
        return;
    }
    struct call_difference difference;
    profiled_compare(&difference, run, &simulated->sums);
    check->all.percent = difference.percent;
    check->all.what = difference.what;
    check->of_rank.percent = difference.rank_percent;
    check->of_rank.what = difference.rank_what;
    check->rank = difference.rank;
    bool is_wrong = call_difference_percent(&difference) > check->allowed_percent;
    check->result = is_wrong ? CHECK_WRONG : CHECK_RIGHT;
}

static struct verdict_check check_of(const struct profiled *run, enum check_kind kind) {
    double own = fmax(OWN_RUN_PERCENT, run->chance_percent);
    double left_out = fmax(fmax(LEFT_OUT_PERCENT, run->iteration_percent), run->chance_percent);
    return (struct verdict_check){.kind = kind,
                                  .ranks = run->ranks,
                                  .arguments = run->arguments,
                                  .result = CHECK_NOT_MADE,
                                  .allowed_percent = kind == CHECK_OWN_RUN ? own : left_out,
                                  .all = {.what = ""},
                                  .of_rank = {.what = ""},
                                  .why = "there was no time"};
}

static int simulate(struct verdict_check *check, struct call_sums *out_sums,
                    struct guard_work *work, const struct profiled *run, const char *model_file,
                    bool by_smpi, struct error *error) {
    struct simulated simulated;
    struct guard_simulation simulation = {.networks = &work->networks,
                                          .bundle = work->guard->bundle,
                                          .model_file = model_file,
                                          .run = run,
                                          .limits = limits_of(work, run),
                                          .by_smpi = by_smpi};
    if (guard_simulate(&simulated, &work->arena, &simulation, error) != 0)
        return -1;
    work->spent_s += simulated.seconds;
    if (by_smpi || simulated.seconds >= SIMULATION_MOST_S)
        work->endless +=
            simulated.end == SIMULATED_WITHOUT_END || simulated.end == SIMULATED_TOO_LONG;
    *out_sums = simulated.sums;
    check->why = "";
    judge(check, work, run, &simulated);
    return 0;
}

/* What its compiler says is told. */
static bool has_original(struct guard_work *work) {
    const struct bundle *bundle = work->guard->bundle;
    struct error ignored = {0};
    if (work->original == NOT_LOOKED_FOR)
        work->original =
            bundle_check_program(bundle, bundle->original, &ignored) == 0 ? IS_THERE : IS_MISSING;
    return work->original == IS_THERE;
}

/* A program that goes by time or chance makes other calls in each run. Where nothing is given, what
 * it makes in simulation is what the skeleton has to make. */
static int compare_with_original(struct verdict_check *check, struct guard_work *work,
                                 const struct profiled *run, const struct call_sums *skeleton,
                                 struct error *error) {
    struct simulated original;
    struct call_difference difference;
    struct guard_simulation simulation = {.networks = &work->networks,
                                          .bundle = work->guard->bundle,
                                          .original = true,
                                          .run = run,
                                          .limits = limits_of(work, run),
                                          .by_smpi = true};
    if (guard_simulate(&original, &work->arena, &simulation, error) != 0)
        return -1;
    work->spent_s += original.seconds;
    call_sums_compare(&difference, skeleton, &original.sums);
    if (original.end != SIMULATED_TO_THE_END || call_difference_percent(&difference) > 0)
        return 0;
    check->result = CHECK_NOT_MADE;
    check->why =
        "the program itself makes other calls in simulation, and the skeleton makes these: "
        "it depends on time or chance, or the runs were of another version of it";
    return 0;
}

/* Most are right, and the engine is fast; what it does not find right SMPI judges. */
static int check_run(struct guard_work *work, const struct profiled *run, enum check_kind kind,
                     const char *model_file, struct error *error) {
    struct verdict_check check = check_of(run, kind);
    struct call_sums sums;
    if (simulate(&check, &sums, work, run, model_file, false, error) != 0 ||
        (check.result != CHECK_RIGHT &&
         simulate(&check, &sums, work, run, model_file, true, error) != 0))
        return -1;
    bool is_other = check.result == CHECK_WRONG && check.why[0] == '\0' && !work->gives_values;
    if (is_other && has_original(work) &&
        compare_with_original(&check, work, run, &sums, error) != 0)
        return -1;
    if (check.result == CHECK_WRONG && work->first_wrong == NULL)
        work->first_wrong = run;
    verdict_add(work->verdict, &check);
    return 0;
}

static void leave_unchecked(struct guard_work *work, const struct profiled *run,
                            enum check_kind kind, enum check_result result) {
    struct verdict_check check = check_of(run, kind);
    check.result = result;
    check.why = result == CHECK_RIGHT ? "" : check.why;
    verdict_add(work->verdict, &check);
}

/* ---- Own runs ---- */

static int check_own_runs(struct guard_work *work, struct error *error) {
    for (size_t i = 0; i < work->runs.count; i++) {
        const struct profiled *run = &work->runs.items[i];
        if (i > 0 && !has_time(work))
            leave_unchecked(work, run, CHECK_OWN_RUN, CHECK_NOT_MADE);
        else if (check_run(work, run, CHECK_OWN_RUN, work->guard->model_file, error) != 0)
            return -1;
    }
    return 0;
}

/* ---- Some runs left out ---- */

static int write_without(struct guard_work *work, const struct profiled *size, int ranks,
                         struct error *error) {
    const struct guard *guard = work->guard;
    struct guard_models models = {guard->samples, &guard->bundle->regions, guard->models};
    double begin_s = processor_s();
    int result = guard_models_write(&models, work->without_file, size, ranks, error);
    work->spent_s += processor_s() - begin_s;
    return result;
}

/* What it does with these models is known: it was checked by itself, in the order of the runs, and
 * answers are the same. */
static bool is_known(const struct guard_work *work, const struct guard_answers *answers,
                     const struct profiled *run) {
    const struct verdict_check *own = &work->verdict->checks.items[run - work->runs.items];
    return own->result == CHECK_RIGHT && own->all.percent == 0 && own->of_rank.percent == 0 &&
           guard_answers_are_alike(answers, run);
}

static int check_without(struct guard_work *work, const struct profiled *runs, size_t count,
                         enum check_kind kind, struct error *error) {
    const struct guard *guard = work->guard;
    struct guard_answers answers;
    int result = 0;
    guard_answers_open(&answers, guard->samples, &guard->bundle->regions, guard->model_file,
                       work->without_file);
    for (size_t i = 0; i < count && result == 0; i++) {
        if (!has_time(work))
            leave_unchecked(work, &runs[i], kind, CHECK_NOT_MADE);
        else if (is_known(work, &answers, &runs[i]))
            leave_unchecked(work, &runs[i], kind, CHECK_RIGHT);
        else
            result = check_run(work, &runs[i], kind, work->without_file, error);
    }
    guard_answers_close(&answers);
    return result;
}

static size_t runs_of_size(const struct profiled *runs, size_t count) {
    size_t same = 0;
    while (same < count && runs[same].size == runs[0].size)
        same++;
    return same;
}

static size_t count_sizes(const struct profiled_runs *runs) {
    size_t sizes = 0;
    for (size_t i = 0; i < runs->count; i += runs_of_size(&runs->items[i], runs->count - i))
        sizes++;
    return sizes;
}

/* They are sorted by size, so that the last ones are the largest. The smallest is not left out:
 * what is predicted is larger. */
static int check_without_sizes(struct guard_work *work, struct error *error) {
    size_t smallest = runs_of_size(work->runs.items, work->runs.count);
    for (size_t end = work->runs.count; end > smallest;) {
        size_t begin = end - 1;
        while (begin > 0 && work->runs.items[begin - 1].size == work->runs.items[end - 1].size)
            begin--;
        const struct profiled *runs = &work->runs.items[begin];
        if (has_time(work) && write_without(work, runs, 0, error) != 0)
            return -1;
        if (check_without(work, runs, end - begin, CHECK_WITHOUT_SIZE, error) != 0)
            return -1;
        end = begin;
    }
    return 0;
}

static int check_without_ranks(struct guard_work *work, struct error *error) {
    int largest = 0;
    for (size_t i = 0; i < work->runs.count; i++)
        largest = work->runs.items[i].ranks > largest ? work->runs.items[i].ranks : largest;
    if (!has_time(work))
        return 0;
    if (write_without(work, NULL, largest, error) != 0)
        return -1;
    for (size_t i = work->runs.count; i-- > 0;)
        if (work->runs.items[i].ranks == largest &&
            check_without(work, &work->runs.items[i], 1, CHECK_WITHOUT_RANKS, error) != 0)
            return -1;
    return 0;
}

/* ---- What lacks for that ---- */

/* What formulas tell that missed something: nobody knows how far off it is with other sizes. */
static void add_unchecked_values(struct str *out, const struct guard *guard) {
    const char *separator = "; uncertain until then: ";
    for (int i = 0; i < guard->models->count; i++) {
        const struct region *region = &guard->bundle->regions.items[i];
        const struct latency_model *model = &guard->models->items[i];
        bool is_law = model->validation != VALIDATION_NONE && model->error < ERROR_OF_A_LAW;
        if (region->value != VALUE_NONE && region->hint == NULL && model->fitted && !is_law) {
            str_printf(out, "%s%s:%d", separator, region->file, region->line);
            separator = ", ";
        }
    }
}

static const char *why_no_size(const struct guard_work *work) {
    static const char *const numbers[] = {"no", "one", "two", "three", "four", "five"};
    size_t sizes = count_sizes(&work->runs), more = GUARD_SIZES_MIN - sizes;
    struct str text = {0};
    if (sizes < GUARD_SIZES_MIN) {
        str_printf(&text, "cannot be checked: profile %s more size%s (mpiskel plan)", numbers[more],
                   text_plural(more));
        add_unchecked_values(&text, work->guard);
    }
    return str_into(&work->verdict->arena, &text);
}

static const char *why_no_ranks(struct guard_work *work) {
    int *ranks = ARENA_ARRAY(&work->arena, int, work->runs.count + 1), more[GUARD_RANKS_MIN];
    struct str text = {0};
    for (size_t i = 0; i < work->runs.count; i++)
        ranks[i] = work->runs.items[i].ranks;
    size_t count = guard_ranks_lacking(more, ranks, work->runs.count);
    for (size_t i = 0; i < count; i++)
        str_printf(&text, "%s%d", i > 0 ? " and " : "cannot be checked: profile on ", more[i]);
    if (count > 0)
        str_add(&text, " ranks as well (mpiskel plan)");
    return str_into(&work->verdict->arena, &text);
}

static int check_left_out(struct guard_work *work, struct error *error) {
    struct verdict *verdict = work->verdict;
    verdict->why = why_no_size(work);
    verdict->why_no_ranks = why_no_ranks(work);
    if (verdict->why[0] == '\0' && check_without_sizes(work, error) != 0)
        return -1;
    return verdict->why_no_ranks[0] == '\0' ? check_without_ranks(work, error) : 0;
}

/* ---- Whose fault it is ---- */

/* A failed check that is quick to repeat: own runs come first, and small ones. */
static const struct verdict_check *failed_check(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->checks.count; i++)
        if (verdict->checks.items[i].result == CHECK_WRONG)
            return &verdict->checks.items[i];
    return NULL;
}

static int write_models_of(const char **out, struct guard_work *work,
                           const struct verdict_check *check, struct error *error) {
    *out = check->kind == CHECK_OWN_RUN ? work->guard->model_file : work->without_file;
    if (check->kind == CHECK_OWN_RUN)
        return 0;
    return write_without(work, check->kind == CHECK_WITHOUT_SIZE ? work->first_wrong : NULL,
                         check->ranks, error);
}

static void take_blame(struct guard_work *work, const struct blame *blame) {
    const struct regions *regions = &work->guard->bundle->regions;
    for (size_t i = 0; i < blame->count; i++) {
        const struct region *region = &regions->items[blame->values[i]];
        verdict_add_blame(work->verdict, &(struct verdict_blame){.file = region->file,
                                                                 .function = region->function,
                                                                 .text = region->text,
                                                                 .line = region->line});
    }
    if (blame->count == 0)
        work->verdict->why = arena_strdup(&work->verdict->arena, blame->why);
}

/* Off by so much a formula says little more than a mean (as `fit` warns of). */
#define UNCERTAIN_PERCENT 30

static bool is_only_off(const struct verdict_check *check) {
    double percent = fmax(check->all.percent, check->of_rank.percent);
    return check->kind == CHECK_WITHOUT_SIZE && check->why[0] == '\0' &&
           percent <= UNCERTAIN_PERCENT;
}

/* How often a loop iterates until it converges follows the size by no law. Of sizes that were
 * profiled it is known, on other numbers of ranks as well, so that the skeleton is right there;
 * elsewhere it is off by what reports say, and times by as much. */
static bool is_uncertain(const struct guard_work *work, const struct blame *blame) {
    const struct verdict *verdict = work->verdict;
    for (size_t i = 0; i < verdict->checks.count; i++)
        if (verdict->checks.items[i].result == CHECK_WRONG &&
            !is_only_off(&verdict->checks.items[i]))
            return false;
    for (size_t i = 0; i < blame->count; i++)
        if (work->guard->bundle->regions.items[blame->values[i]].value != VALUE_TRIPS)
            return false;
    return blame->count > 0;
}

static int find_blame(struct guard_work *work, struct error *error) {
    const struct verdict_check *check = failed_check(work->verdict);
    struct blame blame;
    struct blame_question question = {.networks = &work->networks,
                                      .bundle = work->guard->bundle,
                                      .has_original = has_original(work),
                                      .directory = work->directory,
                                      .run = work->first_wrong,
                                      .allowed_percent = check->allowed_percent,
                                      .budget_s = work->guard->budget_s};
    question.limits = limits_of(work, question.run);
    if (write_models_of(&question.model_file, work, check, error) != 0 ||
        guard_blame(&blame, &work->arena, &question, error) != 0)
        return -1;
    take_blame(work, &blame);
    if (is_uncertain(work, &blame))
        verdict_make_uncertain(work->verdict);
    return 0;
}

/* ---- All of them ---- */

/* NULL: they can be checked. */
static const char *why_not(struct guard_work *work) {
    const struct bundle *bundle = work->guard->bundle;
    struct error no_skeleton = {0};
    if (work->runs.count == 0 &&
        !file_exists(path_join(&work->arena, bundle->directory, "profile")))
        return "the bundle has no profiling build; `mpiskel synthesize --check` compares calls of "
               "programs that were recorded";
    if (work->runs.count == 0 && work->runs.without_counts > 0)
        return "no profiled run of this build has counted its calls (those of --with are of other "
               "builds); profile it";
    if (work->runs.count == 0)
        return "no profiled run came to its end";
    if (bundle_check_program(bundle, bundle->skeleton, &no_skeleton) != 0)
        return arena_strdup(&work->arena, no_skeleton.text);
    if (standard_input_is_read(bundle->skeleton))
        return "the program reads standard input, which profiled runs do not keep: compare by "
               "`mpiskel verify APP.skel -np RANKS < FILE`";
    return NULL;
}

static int check_both(struct guard_work *work, struct error *error) {
    struct verdict *verdict = work->verdict;
    if (check_own_runs(work, error) != 0)
        return -1;
    verdict->is_exact = !work->gives_values;
    if (!work->gives_values || verdict->state != VERDICT_RIGHT)
        return 0;
    if (!work->guard->only_own)
        return check_left_out(work, error);
    verdict->why = "not checked (--only-check)";
    return 0;
}

static int check_all(struct guard_work *work, struct error *error) {
    if (check_both(work, error) != 0)
        return -1;
    bool searches = work->gives_values && work->verdict->state == VERDICT_WRONG;
    return searches ? find_blame(work, error) : 0;
}

static int check_in_directory(struct guard_work *work, struct error *error) {
    struct error ignored = {0};
    work->directory = directory_temporary(&work->arena, "mpiskel-guard", error);
    if (work->directory == NULL)
        return -1;
    work->networks = (struct guard_networks){.arena = &work->arena, .directory = work->directory};
    work->without_file = path_join(&work->arena, work->directory, "model.bsim");
    int result = check_all(work, error);
    return directory_remove(work->directory, result == 0 ? error : &ignored) != 0 ? -1 : result;
}

int guard_check(struct verdict *out, const struct guard *guard, struct error *error) {
    struct guard_work work = {.guard = guard,
                              .verdict = out,
                              .gives_values = regions_give_values(&guard->bundle->regions)};
    *out = (struct verdict){.state = VERDICT_UNCHECKED, .why = "", .why_no_ranks = "", .model = ""};
    arena_init(&out->arena);
    arena_init(&work.arena);
    out->model = verdict_hash(&out->arena, guard->model_file);
    profiled_make(&work.runs, &work.arena, guard->samples, &guard->bundle->regions, guard->models);
    const char *why = why_not(&work);
    if (why != NULL)
        out->why = arena_strdup(&out->arena, why);
    int result = why != NULL ? 0 : check_in_directory(&work, error);
    arena_dispose(&work.arena);
    return result;
}
