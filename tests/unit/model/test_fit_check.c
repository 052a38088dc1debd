/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of models hold for a fit, and what breaks one of them is noticed.
 */
#include "support.h"

#include "model/fit.h"
#include "model/fit_check.h"

#include <math.h>
#include <string.h>

static const double sizes[] = {10, 20, 40, 80};
static struct models models;

static int fit(void **state) {
    static const struct feature n = {"n1", "", "", false};
    struct region region = {
        .id = "r", .file = "f.c", .summary = "", .features = &n, .feature_count = 1};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = &region, .count = 1};
    struct sample items[4];
    for (int run = 0; run < 4; run++)
        items[run] = (struct sample){.run = run,
                                     .features = &sizes[run],
                                     .feature_count = 1,
                                     .count = 5,
                                     .timed = 5,
                                     .seconds = 5e-6 * sizes[run]};
    struct samples samples = {.items = items, .count = 4, .run_count = 4};
    models_fit(&models, &samples, &regions, "default");
    return 0;
}

static int dispose(void **state) {
    models_dispose(&models);
    return 0;
}

static void expect(const char *text) {
    struct error error = {0};
    assert_int_equal(fit_check(&models, &error), text == NULL ? 0 : -1);
    if (text != NULL && strstr(error.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, text);
}

TEST_WITH(a_fit_holds, fit, dispose) {
    expect(NULL);
}

TEST_WITH(a_negative_coefficient_is_noticed, fit, dispose) {
    ((struct term *)models.items[0].terms)[0].coefficient_s = -1e-9;
    expect("the coefficient of term 0");
}

TEST_WITH(lines_of_another_model_are_noticed, fit, dispose) {
    ((struct term *)models.items[0].terms)[0].coefficient_s *= 1 + 1e-9;
    expect("when it is read back");
}

TEST_WITH(shares_that_are_no_whole_are_noticed, fit, dispose) {
    models.items[0].share = 0.9;
    expect("sum up to 0.9");
}

TEST_WITH(no_number_is_noticed, fit, dispose) {
    models.items[0].total_s = NAN;
    expect("took nan s");
}
