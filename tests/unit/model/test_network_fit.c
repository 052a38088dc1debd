/* SPDX-License-Identifier: Apache-2.0
 *
 * Factors that SMPI can use, of transfers without a latency and of such without a bandwidth.
 */
#include "support.h"

#include "base/str.h"
#include "model/network/network_fit.h"

#include <stdio.h>

/* Round trips of base_s + per_byte_s for each byte, SMPI's envelope included. */
static void fit_trips(struct network_fit *out, double base_s, double per_byte_s) {
    static const int sizes[] = {1000, 2000, 4000, 8000, 16000, 32000, 131072, 262144, 524288};
    struct str text = {0};
    struct messages messages;
    struct error error = {0};
    str_add(&text, "threshold within 65536\n");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double trip_s = base_s + per_byte_s * (sizes[i] + SMPI_ENVELOPE_BYTES);
        str_printf(&text, "point within pingpong %d %.17g %.17g %.17g 100\n", sizes[i], trip_s,
                   trip_s, trip_s);
    }
    str_add(&text, "end\n");
    if (messages_parse(&messages, text.text, &error) != 0 ||
        network_fit(out, &messages, &error) != 0)
        fail_msg("%s", error.text);
    messages_dispose(&messages);
    str_dispose(&text);
}

TEST(a_latency_of_nothing_is_a_millionth) {
    struct network_fit fit;
    struct str factors = {0};
    fit_trips(&fit, 0, 1e-9);
    network_fit_latency_factor(&factors, &fit);
    assert_contains(factors.text, "0:1e-06");
    str_dispose(&factors);
    network_fit_dispose(&fit);
}

TEST(bytes_that_take_nothing_have_a_million_times_the_bandwidth) {
    struct network_fit fit;
    struct str factors = {0};
    fit_trips(&fit, 1e-5, 0);
    network_fit_bandwidth_factor(&factors, &fit);
    assert_contains(factors.text, "0:1e+06");
    str_dispose(&factors);
    network_fit_dispose(&fit);
}
