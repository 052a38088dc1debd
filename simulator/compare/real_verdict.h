/* SPDX-License-Identifier: Apache-2.0
 *
 * What a real run says of a simulated original, and so of the skeleton that is compared with it.
 */
#pragma once

#include "simulator/compare/verify.h"

enum real_verdict_kind {
    REAL_NOT_RUN,
    REAL_IDENTICAL,  /* but for what time decides */
    REAL_REORDERED,  /* the same calls, in an order that time decides */
    REAL_BY_TIME,    /* it differs, and by time or random numbers it may: nothing follows */
    REAL_ELSEWHERE,  /* likewise, since its ranks share hosts otherwise */
    REAL_UNFINISHED, /* it was ended by the limit; what it did until then agrees */
    REAL_DIFFERENT,  /* the simulation is at fault */
};

struct real_verdict {
    enum real_verdict_kind kind;
    const char *command; /* `mpirun -np 4`; NULL: there was none */
    const char *why;     /* it was not run, or how it ended; NULL: it got through */
    bool differs_again;  /* by time: it was run twice, and differs from itself */
    bool is_like_skeleton;
    double limit_s;
    struct comparison comparison; /* with the original; unless it was not run */
};
