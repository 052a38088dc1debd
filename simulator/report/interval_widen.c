/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/report/interval_widen.h"

#include <math.h>

void interval_widen(struct interval *interval, const struct unexplained *unexplained) {
    if (unexplained_matters(unexplained))
        interval->high_s /= fmax(1 - unexplained->share, EXPLAINED_LEAST);
}
