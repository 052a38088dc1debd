/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop over operations; operations.def has what each does.
 */
#include "analysis/events/machine.h"

#include <math.h>
#include <string.h>

#define WRAP(x, operator, y) ((long long)((unsigned long long)(x) operator(unsigned long long)(y)))
#define NOTHING goto jump
#define JUMP goto jump
#define NUMBER(value)                                                                              \
    do {                                                                                           \
        out->f = (value);                                                                          \
        if (isnan(out->f))                                                                         \
            NOTHING;                                                                               \
    } while (0)
#define ARRAY ((struct events_array *)op->object)
#define ACCESS ((struct events_access *)op->object)
#define STATES ((struct aggregate_states *)op->object)
#define LIST ((struct operation_items *)op->object)

#define OPERATION(name, ...)                                                                       \
    case OPERATION_##name: {                                                                       \
        __VA_ARGS__;                                                                               \
        continue;                                                                                  \
    }
#define OVERLOAD1(text, x, result, name, ...) OPERATION(name, __VA_ARGS__)
#define OVERLOAD2(text, x, y, result, name, ...) OPERATION(name, __VA_ARGS__)
#define OVERLOAD4(text, x, y, z, w, result, name, ...)                                             \
    case OPERATION_##name: {                                                                       \
        const union event_value *const *more = op->object, *c = more[0], *d = more[1];             \
        __VA_ARGS__;                                                                               \
        continue;                                                                                  \
    }

void machine_run(struct events_machine *machine, const struct operation *code) {
    size_t now = machine->now;
    for (const struct operation *op = code;; op++) {
        const union event_value *a = op->a, *b = op->b;
        union event_value *out = op->out;
        switch (op->code) {
#include "analysis/events/operations.def"
        }
    jump:
        op = code + op->jump - 1;
    }
}
