/* SPDX-License-Identifier: Apache-2.0
 *
 * Points-to sets, by what holds the pointers.
 */
#include "skeletonizer/dump/dump.h"

static void print_location(FILE *out, struct points_to *p, int location) {
    const struct location *where = &p->locations.items[location];
    fputs(dump_object(p->program, p->program->objects.items[where->object]), out);
    if (where->offset_bytes != 0)
        fprintf(out, "+%lld", where->offset_bytes);
    if (where->stride_bytes == 1)
        fputs(" anywhere", out);
    else if (where->stride_bytes > 1)
        fprintf(out, " every %lld", where->stride_bytes);
}

static void print_set(FILE *out, struct points_to *p, const int_list *locations) {
    for (size_t i = 0; i < locations->count; i++) {
        fputs(i == 0 ? " -> " : ", ", out);
        print_location(out, p, locations->items[i]);
    }
    fputc('\n', out);
}

static void print_stored(FILE *out, struct points_to *p, const struct object *object) {
    int_list stored = {0};
    points_to_stored(p, object->id, &stored);
    if (stored.count > 0) {
        fputs("object ", out);
        if (object->function != NULL)
            fprintf(out, "%s.", object->function->name);
        fputs(dump_object(p->program, object), out);
        print_set(out, p, &stored);
    }
    vec_dispose(&stored);
}

void dump_pointsto(FILE *out, struct points_to *p) {
    struct program *program = p->program;
    for (size_t i = 0; i < program->objects.count; i++)
        print_stored(out, p, program->objects.items[i]);
    for (int i = 0; i < program->variable_count; i++) {
        const int_list *targets = points_to_targets(p, i);
        if (targets == NULL || targets->count == 0)
            continue;
        fprintf(out, "pointer p%d", i);
        print_set(out, p, targets);
    }
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->callee < 0)
            continue;
        fprintf(out, "call through a pointer %s", dump_place(program, call->ast->range));
        for (size_t k = 0; k < call->targets.count; k++)
            fprintf(out, "%s%s", k == 0 ? " -> " : ", ", call->targets.items[k]->name);
        fputs(call->never_made ? " (never made)\n" : "\n", out);
    }
    for (size_t i = 0; i < program->functions.count; i++)
        if (!program->functions.items[i]->is_live)
            fprintf(out, "function %s is not reached from main\n",
                    program->functions.items[i]->name);
}
