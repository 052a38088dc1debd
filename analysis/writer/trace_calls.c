/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/writer/trace_calls.h"

const struct trace_calls *bsim_trace_calls_4(void) {
    static const struct trace_calls calls = {
#define TRACE_CALLS_VALUE(name) .name = name,
        TRACE_CALLS(TRACE_CALLS_VALUE)
#undef TRACE_CALLS_VALUE
    };
    return &calls;
}
