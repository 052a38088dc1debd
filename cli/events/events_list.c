/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints names as a program writes them.
 */
#include "cli/events/events_list.h"

#include <stdio.h>

static void print_kind(const struct source_kind *kind) {
    printf("%s\n", kind->name);
    for (size_t i = 0; i < kind->field_count; i++) {
        const struct event_field *field = &kind->fields[i];
        printf("  %-6s %s.%s%s%s\n", event_type_name(field->type), kind->name, field->name,
               field->unit != NULL ? "  " : "", field->unit != NULL ? field->unit : "");
    }
}

static void print_constant(const struct event_constant *constant) {
    const char *unit = constant->unit != NULL ? constant->unit : "";
    printf("  %-6s %s = ", event_type_name(constant->type), constant->name);
    if (constant->type == EVENT_STRING)
        printf("\"%s\"\n", constant->value.s);
    else if (constant->type == EVENT_FLOAT)
        printf("%.9g %s\n", constant->value.f, unit);
    else
        printf("%lld%s%s\n", constant->value.i, *unit != '\0' ? " " : "", unit);
}

void events_list_print(const struct event_source *source) {
    puts("Events and their fields, besides START and END:");
    for (size_t i = 0; i < source->kind_count; i++)
        print_kind(&source->kinds[i]);
    if (source->constant_count > 0)
        puts("Constants:");
    for (size_t i = 0; i < source->constant_count; i++)
        print_constant(&source->constants[i]);
}
