/* SPDX-License-Identifier: Apache-2.0
 *
 * See fit_dump.h. Times have four digits, so that dumps of two machines' samples can be compared by
 * eye.
 */
#include "model/fit_dump.h"

#include "model/fit_terms.h"

#include <math.h>

static void print_place(FILE *out, const char *stage, const struct region *region) {
    fprintf(out, "%s %d %s %s:%d", stage, region->index, region->id, region->file, region->line);
    if (region->end_line > region->line)
        fprintf(out, " to line %d", region->end_line);
    fprintf(out, " in %s", region->function);
}

static void print_features(FILE *out, const struct region *region, const double *features) {
    for (int i = 0; i < region->feature_count; i++)
        fprintf(out, " %s=%g", region->features[i].name, features[i]);
}

/* ---- Latencies ---- */

void fit_dump_design(FILE *out, const char *what, const struct design *design,
                     const struct region *region) {
    print_place(out, "design", region);
    fprintf(out, ": %s, %zu points of %d runs, %d configurations", what, design->rows,
            design->points->run_count, design->fold_count);
    if (design->noise > 0)
        fprintf(out, ", noise %.2g%%", 100 * design->noise);
    fputc('\n', out);
    for (size_t i = 0; i < design->rows; i++) {
        const struct point *point = &design->points->items[i];
        fprintf(out, "  point run %d", point->run);
        print_features(out, region, point->features);
        fprintf(out, ": %.4g s, weight %.4g, configuration %d%s\n", point->latency_s,
                design->weight[i], design->fold[i],
                design->has_held_out && design->held_out[i] ? ", held out as large" : "");
    }
}

static void print_form(FILE *out, const char *what, const struct candidate *candidate,
                       const struct design *design, const struct region *region) {
    struct arena arena;
    struct str formula = {0};
    term_list terms = {0};
    arena_init(&arena);
    terms_add(&terms, &arena, candidate, design->dictionary);
    const struct latency_model model = {.feature_count = region->feature_count,
                                        .term_count = (int)terms.count,
                                        .terms = terms.items,
                                        .step_count = candidate->has_step,
                                        .steps = &candidate->step};
    latency_formula(&formula, &model, region, FORMULA_TEXT);
    fprintf(out, "  %s error %.3g%%", what, 100 * candidate->error);
    if (candidate->extrapolation < INFINITY)
        fprintf(out, ", extrapolated %.3g%%", 100 * candidate->extrapolation);
    fprintf(out, ", cost %d: %s\n", candidate->cost, str_text(&formula));
    vec_dispose(&terms);
    str_dispose(&formula);
    arena_dispose(&arena);
}

void fit_dump_choice(FILE *out, const char *what, const struct design *design,
                     const struct region *region, const candidate_list *all,
                     const struct candidate *chosen) {
    print_place(out, "choice", region);
    fprintf(out, ": %s, %zu forms\n", what, all->count);
    print_form(out, "chosen", chosen, design, region);
    for (size_t i = 0; i < all->count; i++)
        print_form(out, "tried ", &all->items[i], design, region);
}

/* ---- Given values ---- */

void fit_dump_value(FILE *out, const struct latency_model *model, const struct region *region,
                    const struct sample *samples, size_t count) {
    print_place(out, "value", region);
    fprintf(out, ": %s `%s`\n", value_kind_name(region->value), region->text);
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &samples[i];
        fprintf(out, "  seen run %d rank %d", sample->run, sample->rank);
        print_features(out, region, sample->features);
        fprintf(out, ": %g times, from %g to %g, mean %.6g", sample->count, sample->min,
                sample->max, sample->timed > 0 ? sample->seconds / sample->timed : 0);
        for (size_t k = 0; k < sample->repeat_count; k++)
            fprintf(out, "%s%g x%g", k == 0 ? "; in order " : " ", sample->sequence[k].number,
                    sample->sequence[k].times);
        fputc('\n', out);
    }
    fprintf(out, "  model %s", model->value_formula != NULL ? model->value_formula : "none");
    if (model->fitted)
        fprintf(out, "; error %.3g%%, by %s left out", 100 * model->error,
                validation_name(model->validation));
    fprintf(out, "%s%s\n", model->note[0] != '\0' ? "; " : "", model->note);
}
