/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas in all styles, and lines of model.bsim that are read back.
 */
#include "support.h"

#include "model/eval/eval_latency.h"
#include "model/latency/latency.h"

#include <string.h>

static const struct feature features[] = {{"n1", "", "", false}, {"n_x", "", "", false}};
static const struct region region = {
    .index = 3, .id = "r-1", .summary = "", .features = features, .feature_count = 2};

static const char lines[] = "region 3 r-1 features 2 terms 3 range 1 100 2 200\n"
                            "term 1.2499999999999999e-07 0 0\n"
                            "term 3e-09 1 0.5\n"
                            "term 2 0 2 logs 2 1\n"
                            "step 0 16 64 3.5\n";

static struct arena arena;

static struct latency_model read_model(const char *text) {
    struct latency_model model = {.region = 3, .feature_count = 2, .note = ""};
    assert_int_equal(latency_read_lines(&model, &arena, text), 0);
    return model;
}

static void assert_formula(const char *text, enum formula_style style, const char *wanted) {
    struct latency_model model = read_model(text);
    struct str out = {0};
    latency_formula(&out, &model, &region, style);
    assert_string_equal(str_text(&out), wanted);
    str_dispose(&out);
}

TEST(formulas_have_four_styles) {
    assert_formula(lines, FORMULA_TEXT,
                   "(1.25e-07 + 3e-09*n1*n_x^0.5 + 2*log2(n1)^2*n_x^2*log2(n_x)) * "
                   "step(n1, 16, 64, 3.5)");
    assert_formula(lines, FORMULA_LATEX,
                   "(1.25 \\cdot 10^{-7} + 3 \\cdot 10^{-9} \\, n_{1} \\, \\mathit{n\\_x}^{0.5} + "
                   "2 \\, \\log_2^{2} n_{1} \\, \\mathit{n\\_x}^{2} \\, \\log_2 \\mathit{n\\_x}) "
                   "\\cdot \\mathrm{step}(n_{1}, 16, 64, 3.5)");
    assert_formula(lines, FORMULA_C,
                   "(1.25e-07 + 3e-09*n1*pow(n_x, 0.5) + "
                   "2*pow(log2(fmax(n1, 1)), 2)*pow(n_x, 2)*log2(fmax(n_x, 1))) * "
                   "pow(3.5, fmin(log2(fmax(n1, 16) / 16) / 2, 1))");
    assert_formula(lines, FORMULA_PYTHON,
                   "(1.25e-07 + 3e-09*n1*n_x**0.5 + "
                   "2*math.log2(max(n1, 1))**2*n_x**2*math.log2(max(n_x, 1))) * "
                   "3.5**min(math.log2(max(n1, 16) / 16) / 2, 1)");
}

TEST(numbers_to_compute_with_are_exact) {
    static const char text[] = "region 3 r features 2 terms 1 range 1 1 1 1\n"
                               "term 3.3333333333333335e-09 0.33333333333333331 0\n";
    assert_formula(text, FORMULA_C, "3.3333333333333334e-09*pow(n1, 0.3333333333333333)");
    assert_formula(text, FORMULA_TEXT, "3.333e-09*n1^0.3333");
}

TEST(no_terms_are_zero) {
    for (int style = 0; style < FORMULA_STYLE_COUNT; style++)
        assert_formula("region 3 r features 2 terms 0 range 1 1 1 1\n", (enum formula_style)style,
                       "0");
}

TEST(lines_come_back_as_they_were) {
    struct latency_model model = read_model(lines);
    model.lines = NULL;
    latency_write_lines(&model, &arena, &region);
    assert_string_equal(model.lines, lines);
    assert_true(model.min[1] == 2 && model.max[1] == 200);
}

TEST(lines_of_others_are_let_be) {
    char text[sizeof lines + 32];
    strcpy(text, lines);
    strcat(text, "later 0.5 0.25\n");
    struct latency_model model = read_model(text);
    assert_string_equal(model.lines, text);
    assert_int_equal(model.step_count, 1);
}

TEST(damaged_lines_are_refused) {
    const char *const damaged[] = {"",
                                   "region",
                                   "region 2 r features 2 terms 0 range 1 1 1 1\n",
                                   "region 3 r features 1 terms 0 range 1 1\n",
                                   "region 3 r features 2 terms 1 range 1 1 1 1\n",
                                   "region 3 r features 2 terms 0 range 1 1 1 1\nstep 0 1 1 1\n",
                                   "region 3 r features 2 terms 0 range 1 1 1 1\nspread 1 2\n",
                                   "region 3 r features 2 terms 0 range 1 1 1 1\n\n",
                                   "value 3 r integer\n"};
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct latency_model model = {.region = 3, .feature_count = 2};
        assert_int_equal(latency_read_lines(&model, &arena, damaged[i]), -1);
    }
    struct latency_model value = {.region = 3, .feature_count = 2, .value_formula = "n1"};
    assert_int_equal(latency_read_lines(&value, &arena, lines), -1);
    assert_int_equal(latency_read_lines(&value, &arena, "value 3 r integer\n"), 0);
}

static int setup(void **state) {
    arena_init(&arena);
    return 0;
}

static int teardown(void **state) {
    arena_dispose(&arena);
    return 0;
}

FIXTURE(setup, teardown)
