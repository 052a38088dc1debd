/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that a hint draws: an integer between two numbers, both of them possible, all equally
 * likely, the same wherever region and keys are the same, on whatever rank and however often it is
 * asked for. The number is a hash of region and keys (model/eval/splitmix.h), so nothing is kept
 * and nothing has to be sent. Replayed where values are (values_read.c). Linked into skeletons
 * only.
 */
#include "model/eval/splitmix.h"
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define UNIT 0x1p-53 /* of the upper 53 bits: below 1 */

/* values: region, least, largest, keys. */
long long bsim__value_drawn(struct bsim_stub *stub, const double *values) {
    const char *number = bsim__value_replayed(stub, (int)values[0]);
    double least = values[1], largest = values[2];
    if (number != NULL)
        return strtoll(number, NULL, 10);
    if (!(least <= largest))
        bsim__stop(BSIM__STUB_PLACE
                   ": error: a hint draws this value between %.0f and %.0f, where nothing is",
                   stub->file, stub->line, least, largest);
    uint64_t state = bsim_splitmix((uint64_t)values[0]);
    for (int i = 3; i < stub->value_count; i++)
        state = bsim_splitmix(state ^ (uint64_t)(long long)values[i]);
    double drawn = least + floor((double)(state >> 11) * UNIT * (largest - least + 1));
    return (long long)(drawn < largest ? drawn : largest);
}
