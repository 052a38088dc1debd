/* SPDX-License-Identifier: Apache-2.0
 *
 * One form of a value fitted to points: which exponents a power law gets.
 */
#include "support.h"

#include "model/values/value_form.h"

#include <math.h>

/* Of points that follow this power exactly. */
static double exponent_of(double power) {
    static const double x[] = {1, 2, 4, 8, 16, 32};
    const struct form form = {
        .is_power_law = true, .variables = {0}, .variable_count = 1, .term_count = 1};
    value_points points = {0};
    struct form_fit fit;
    for (int i = 0; i < 6; i++)
        vec_push(&points,
                 ((struct value_point){
                     .x = &x[i], .configuration = i, .value = pow(x[i], power), .weight = 1}));
    assert_true(form_fit(&fit, &form, &points, -1));
    vec_dispose(&points);
    return fit.exponents[0][0];
}

/* What is within 0.03 of a half or a third is meant to be one. */
TEST(exponents_near_a_half_or_a_third_become_one) {
    assert_true(exponent_of(1.022) == 1);
    assert_true(exponent_of(0.478) == 0.5);
    assert_true(exponent_of(1.0 / 3 + 0.022) == 1.0 / 3);
    assert_float_equal(exponent_of(1.042), 1.042, 1e-9);
    assert_float_equal(exponent_of(1.0 / 3 + 0.042), 1.0 / 3 + 0.042, 1e-9);
}
