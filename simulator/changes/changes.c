/* SPDX-License-Identifier: Apache-2.0
 *
 * From options to the runtime's environment; see changes.h. What came of them is in
 * changes_tell.c.
 */
#include "simulator/changes/changes.h"

#include "base/str.h"
#include "model/eval/arithmetic.h"
#include "simulator/changes/loop_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ITERATIONS 4
#define MOST_ITERATIONS 1e9

/* Of if-long:SECONDS; 0: that is no time. */
static double seconds_of(const char *text) {
    char *end;
    double seconds = strtod(text, &end);
    bool is_decimal = strspn(text, "0123456789.e+-") == strlen(text); /* none of 0x1p3, inf */
    return is_decimal && *end == '\0' && isfinite(seconds) ? seconds : 0;
}

bool iterations_are_if_long(const char *iterations) {
    size_t length = strlen(ITERATIONS_IF_LONG);
    if (strncmp(iterations, ITERATIONS_IF_LONG, length) != 0)
        return false;
    const char *seconds = iterations + length;
    return seconds[0] == '\0' || (seconds[0] == ':' && seconds_of(seconds + 1) > 0);
}

bool change_options_given(const struct change_options *options) {
    return options->sets.count > 0 || options->iterations != NULL;
}

void change_options_dispose(struct change_options *options) {
    vec_dispose(&options->sets);
    vec_dispose(&options->values);
}

/* ---- --set ---- */

struct changes_set {
    const char *place, *expression;
    const struct loop_info *loop; /* NULL: a feature */
    const struct region *region;
    int feature;
};

struct preparation {
    const struct bundle *bundle;
    struct loop_list loops;
    struct arena *arena;
    struct changes_set *sets;
    size_t count;
};

/* FILE:LINE:FEATURE of a region around the line. */
static bool find_feature(struct changes_set *out, const struct preparation *p) {
    const char *last = strrchr(out->place, ':'), *line = last;
    while (line != NULL && line > out->place && *--line != ':')
        ;
    if (last == NULL || line == NULL || line == out->place)
        return false;
    long wanted = strtol(line + 1, NULL, 10);
    for (int i = 0; i < p->bundle->regions.count; i++) {
        const struct region *region = &p->bundle->regions.items[i];
        if (region->value != VALUE_NONE || wanted < region->line || wanted > region->end_line ||
            !loops_is_file(region->file, out->place, (size_t)(line - out->place)))
            continue;
        for (int k = 0; k < region->feature_count; k++)
            if (strcmp(region->features[k].name, last + 1) == 0) {
                out->region = region;
                out->feature = k;
                return true;
            }
    }
    return false;
}

static int check_expression(const struct changes_set *set, struct error *error) {
    static const char *const of_loop[] = {"trips", "ranks", NULL};
    static const char *const of_feature[] = {"value", "ranks", NULL};
    struct bsim_arithmetic arithmetic;
    char text[256];
    if (bsim_arithmetic_read(&arithmetic, set->expression, set->loop != NULL ? of_loop : of_feature,
                             text, sizeof text) != 0)
        return error_set(error, "--set %s=%s: %s", set->place, set->expression, text);
    if (set->loop != NULL && set->loop->stays && set->loop->left[0] == '\0' &&
        bsim_arithmetic_uses(&arithmetic, 0))
        return error_set(error,
                         "--set %s=%s: how often this loop iterates is not known when it is "
                         "entered, so `trips` has no value; give the most iterations as a number",
                         set->place, set->expression);
    return 0;
}

static int read_set(struct changes_set *out, const struct preparation *p, const char *text,
                    struct error *error) {
    const char *equals = strchr(text, '=');
    out->place = arena_strndup(p->arena, text, (size_t)(equals - text));
    out->expression = equals + 1;
    if (strpbrk(out->place, "\t\n") != NULL || strpbrk(out->expression, "\t\n") != NULL)
        return error_set(error, "--set: no tabs and line ends, please");
    if (find_feature(out, p))
        return check_expression(out, error);
    out->loop = loops_find(&p->loops, out->place, error);
    if (out->loop == NULL)
        return -1;
    if (out->loop->obstacle[0] != '\0')
        return error_set(error, "--set %s: this loop cannot be set: %s", out->place,
                         out->loop->obstacle);
    return check_expression(out, error);
}

static const struct changes_set *set_of(const struct preparation *p, int loop) {
    for (size_t i = 0; i < p->count; i++)
        if (p->sets[i].loop != NULL && p->sets[i].loop->number == loop)
            return &p->sets[i];
    return NULL;
}

/* Loops that are one feature are all set, to the same. */
static int check_together(const struct preparation *p, const struct changes_set *set,
                          struct error *error) {
    const struct loop_info *loop = set->loop;
    for (size_t i = 0; loop != NULL && i < loop->together_count; i++) {
        const struct changes_set *other = set_of(p, loop->together[i]);
        const struct loop_info *partner = loops_of_number(&p->loops, loop->together[i]);
        if (partner == NULL || (other != NULL && strcmp(other->expression, set->expression) == 0))
            continue;
        return error_set(error,
                         "--set %s: the loop at %s iterates as often, and what each of them takes "
                         "was not measured apart; set both: --set %s=%s --set %s=%s",
                         set->place, loops_label(&p->loops, partner, p->arena), set->place,
                         set->expression, loops_label(&p->loops, partner, p->arena),
                         set->expression);
    }
    return 0;
}

static int check_twice(const struct preparation *p, const struct changes_set *set,
                       struct error *error) {
    for (const struct changes_set *other = p->sets; other < set; other++)
        if ((set->loop != NULL && other->loop == set->loop) ||
            (set->loop == NULL && other->region == set->region && other->feature == set->feature))
            return error_set(error, "--set %s: it is set twice", set->place);
    return 0;
}

static const char *text_of_sets(const struct preparation *p) {
    struct str text = {0};
    for (size_t i = 0; i < p->count; i++) {
        const struct changes_set *set = &p->sets[i];
        if (set->loop != NULL)
            str_printf(&text, "loop\t%d\t%s\t%s\t%s\n", set->loop->number, set->place,
                       set->loop->no_longer, set->expression);
        else
            str_printf(&text, "feature\t%d\t%d\t%s\t%s\n", set->region->index, set->feature,
                       set->place, set->expression);
    }
    return str_into(p->arena, &text);
}

static int prepare_sets(struct launch *launch, struct preparation *p,
                        const struct change_options *options, struct error *error) {
    p->sets = ARENA_ARRAY(p->arena, struct changes_set, options->sets.count + 1);
    for (; p->count < options->sets.count; p->count++)
        if (read_set(&p->sets[p->count], p, options->sets.items[p->count], error) != 0)
            return -1;
    for (size_t i = 0; i < p->count; i++)
        if (check_twice(p, &p->sets[i], error) != 0 || check_together(p, &p->sets[i], error) != 0)
            return -1;
    launch->loop_changes = text_of_sets(p);
    return 0;
}

/* ---- --iterations ---- */

static bool is_word(const char *iterations) {
    return strcmp(iterations, ITERATIONS_AUTO) == 0 || iterations_are_if_long(iterations);
}

static int parse_counts(double *out_first, double *out_total, const char *text,
                        struct error *error) {
    char *end = NULL;
    *out_first = strtod(text, &end);
    *out_total = 0;
    bool good = text[0] >= '0' && text[0] <= '9';
    if (good && *end == '/') {
        const char *total = end + 1;
        *out_total = strtod(total, &end);
        good = total[0] >= '1' && total[0] <= '9';
    }
    if (!good || *end != '\0' || *out_first > MOST_ITERATIONS || *out_total > MOST_ITERATIONS ||
        *out_first < LEAST_ITERATIONS || floor(*out_first) != *out_first ||
        floor(*out_total) != *out_total)
        return error_set(error,
                         "--iterations takes how many iterations to simulate (at least %d), such "
                         "as 20, solver.c:45=20 or solver.c:45=20/2000, not '%s'",
                         LEAST_ITERATIONS, text);
    return 0;
}

static void add_candidate(struct str *out, const struct preparation *p,
                          const struct loop_info *loop) {
    str_printf(out, "%d\t%s\n", loop->number, loops_label(&p->loops, loop, p->arena));
}

static int check_total(const struct preparation *p, const struct loop_info *loop,
                       const char *iterations, double total, struct error *error) {
    const char *sooner = loops_ends_sooner(loop, p->arena);
    if (total > 0 || loops_tells_trips(loop, p->arena))
        return 0;
    return error_set(error,
                     "--iterations %s: how many iterations there are is not known when this "
                     "loop is entered (%s): say it, --iterations %s/N",
                     iterations, loop->left[0] == '\0' ? "its condition does not tell" : sooner,
                     iterations);
}

static int add_named(struct str *out, const struct preparation *p, const char *iterations,
                     const char *place, double total, struct error *error) {
    const struct loop_info *loop = loops_find(&p->loops, place, error);
    if (loop == NULL)
        return -1;
    if (!loop->stays)
        return error_set(error,
                         "--iterations %s: this loop makes no MPI call and is one computation in "
                         "the skeleton; there is nothing to save",
                         place);
    if (loop->obstacle[0] != '\0')
        return error_set(error, "--iterations %s: this loop cannot be left early: %s", place,
                         loop->obstacle);
    add_candidate(out, p, loop);
    return check_total(p, loop, iterations, total, error);
}

/* Those of which it is known how often they iterate. */
static int add_outermost(struct str *out, const struct preparation *p, const char *iterations,
                         struct error *error) {
    const struct loop_info *other = NULL;
    size_t before = out->length;
    for (size_t i = 0; i < p->loops.count; i++) {
        const struct loop_info *loop = &p->loops.items[i];
        if (!loop->outermost || loop->obstacle[0] != '\0')
            continue;
        if (loops_tells_trips(loop, p->arena))
            add_candidate(out, p, loop);
        else
            other = loop;
    }
    if (out->length > before)
        return 0;
    if (other != NULL)
        return error_set(error,
                         "--iterations %s: how many iterations the loop at %s makes is not known "
                         "when it is entered: say it, --iterations %s=%s/N",
                         iterations, loops_label(&p->loops, other, p->arena),
                         loops_label(&p->loops, other, p->arena), iterations);
    return error_set(error, "--iterations: no loop of this program makes MPI calls and can be left "
                            "early; mpiskel loops tells why");
}

static int prepare_iterations(struct launch *launch, struct preparation *p, const char *iterations,
                              struct error *error) {
    const char *equals = strrchr(iterations, '=');
    const char *counts = equals != NULL ? equals + 1 : iterations;
    double first, total;
    struct str text = {0};
    if (parse_counts(&first, &total, counts, error) != 0)
        return -1;
    if (total > 0 && equals == NULL)
        return error_set(error, "--iterations %s: of which loop? Give FILE:LINE=%s", iterations,
                         counts);
    str_printf(&text, "%s %.17g %.17g\n", equals != NULL ? "named" : "auto", first, total);
    const char *place =
        equals != NULL ? arena_strndup(p->arena, iterations, (size_t)(equals - iterations)) : NULL;
    int result = place != NULL ? add_named(&text, p, iterations, place, total, error)
                               : add_outermost(&text, p, iterations, error);
    launch->iterations = str_into(p->arena, &text);
    return result;
}

/* Where no loop is fit for it all is simulated. */
static void prepare_word(struct launch *launch, struct preparation *p, const char *word) {
    struct error why = {0};
    struct str text = {0};
    bool is_if_long = iterations_are_if_long(word);
    double shortest_s = ITERATIONS_LONG_S;
    if (is_if_long && word[strlen(ITERATIONS_IF_LONG)] == ':')
        shortest_s = seconds_of(word + strlen(ITERATIONS_IF_LONG) + 1);
    if (is_if_long)
        str_printf(&text, "long %d 0 %.17g\n", ITERATIONS_USUAL, shortest_s);
    else
        str_printf(&text, "auto %d 0\n", ITERATIONS_USUAL);
    bool is_known = p->loops.count > 0 && !p->loops.items[0].is_old;
    if ((is_known || !is_if_long) && add_outermost(&text, p, word, &why) == 0)
        launch->iterations = arena_strdup(p->arena, str_text(&text));
    else if (!is_if_long)
        note("all iterations are simulated: %s", why.text);
    str_dispose(&text);
}

int changes_prepare(struct launch *launch, const struct bundle *bundle,
                    const struct change_options *options, struct arena *arena,
                    struct error *error) {
    struct preparation p = {.bundle = bundle, .arena = arena};
    struct error no_loops = {0};
    if (!change_options_given(options))
        return 0;
    if (loops_read(&p.loops, bundle, &no_loops) != 0) {
        bool is_needed = options->sets.count > 0 || !iterations_are_if_long(options->iterations);
        return is_needed ? error_set(error, "%s", no_loops.text) : 0;
    }
    int result = options->sets.count > 0 ? prepare_sets(launch, &p, options, error) : 0;
    if (result == 0 && options->iterations != NULL && is_word(options->iterations))
        prepare_word(launch, &p, options->iterations);
    else if (result == 0 && options->iterations != NULL)
        result = prepare_iterations(launch, &p, options->iterations, error);
    loops_dispose(&p.loops);
    return result;
}
