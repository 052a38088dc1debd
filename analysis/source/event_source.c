/* SPDX-License-Identifier: Apache-2.0
 *
 * What all sources of events have in common.
 */
#include "analysis/source/event_source.h"

void event_source_close(struct event_source *source) {
    if (source != NULL)
        source->close(source);
}

const char *event_type_name(enum event_type type) {
    static const char *const names[] = {"int", "float", "string"};
    return names[type];
}
