/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions of --set: what they are worth, and what is told of those that are none.
 */
#include "model/eval/arithmetic.h"

#include "support.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"trips", "ranks", NULL};

static void expect(const char *text, double wanted) {
    struct bsim_arithmetic arithmetic;
    char error[200];
    const double values[] = {7, 16};
    if (bsim_arithmetic_read(&arithmetic, text, names, error, sizeof error) != 0)
        fail_msg("%s: %s", text, error);
    double value = bsim_arithmetic_value(&arithmetic, values);
    if (!(fabs(value - wanted) < 1e-12))
        fail_msg("%s is %g, not %g", text, value, wanted);
}

static void refuse(const char *text, const char *wanted) {
    struct bsim_arithmetic arithmetic;
    char error[200];
    if (bsim_arithmetic_read(&arithmetic, text, names, error, sizeof error) == 0)
        fail_msg("%s was taken", text);
    if (strstr(error, wanted) == NULL)
        fail_msg("%s: '%s' does not say '%s'", text, error, wanted);
}

TEST(operators_bind_as_in_c) {
    expect("trips", 7);
    expect("trips/2", 3.5);
    expect(" 1 + 2 * trips ", 15);
    expect("(1 + 2) * trips", 21);
    expect("20 - 3 - 2", 15);
    expect("64 / ranks / 2", 2);
    expect("trips % 4", 3);
    expect("-trips + 0.25", -6.75);
    expect("2 - -trips", 9);
    expect("min(trips, 5) + max(1, min(ranks, 3))", 8);
}

TEST(mistakes_are_told) {
    refuse("", "ends early");
    refuse("trips/", "ends early");
    refuse("trips 2", "an operator");
    refuse("(trips", "')'");
    refuse("trip/2", "there are trips, ranks");
    refuse("min(1)", "','");
    refuse("2*#", "a number");
    refuse("((((((((((((((((((1))))))))))))))))))", "too deep");
    refuse("1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1", "too long");
}
