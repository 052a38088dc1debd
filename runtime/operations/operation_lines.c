/* SPDX-License-Identifier: Apache-2.0
 *
 * An operation as a line of the record of calls (docs/reference/run-files.md). There are no
 * addresses in it: kernels are named, queues and events numbered.
 */
#include "runtime/calls/call.h"
#include "runtime/operations/asked_operation.h"

static void text_features(struct bsim__record *record, const struct bsim__operation *operation) {
    if (operation->kind != BSIM__KERNEL && operation->feature_count > 0)
        bsim__text(record, " bytes=%.17g", operation->features[0]);
    if (operation->kind != BSIM__KERNEL)
        return;
    bsim__text(record, " kernel=%s global=%.17g,%.17g,%.17g local=%.17g", operation->kernel,
               operation->features[1], operation->features[2], operation->features[3],
               operation->features[4]);
    for (int i = 5; i < operation->feature_count; i++)
        bsim__text(record, "%s%.17g", i == 5 ? " arguments=" : ",", operation->features[i]);
}

void bsim__operation_line(struct bsim__record *record, const struct bsim__operation *operation) {
    bsim__text(record, "device:0 %s", operation->function);
    if (operation->queue != NULL)
        bsim__text(record, " queue=%d", bsim__queue_number(operation->queue));
    text_features(record, operation);
    if (operation->is_blocking)
        bsim__text(record, " blocking=1");
    for (uint32_t i = 0; i < operation->wait_count; i++)
        bsim__text(record, "%s%d", i == 0 ? " after=" : ",",
                   bsim__event_number(operation->wait_for[i]));
    bsim__text(record, "\n");
    record->calls++;
    record->complete_length = record->text_length;
}
