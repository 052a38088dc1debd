/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the program's calls of OpenCL, and the slice. Out: plan.operations.
 *
 * Not handled: kernels whose name is no literal; clCreateKernelsInProgram, which names none.
 */
#include "skeletonizer/plan/device_operations.h"

#include "base/str.h"
#include "skeletonizer/text/scan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define ARGUMENTS_MOST 16 /* as in runtime/operations/asked_operation.h */

/* A function of OpenCL, by its name: clFinish, but not clear. */
static bool operations_is_opencl(const char *name) {
    return name != NULL && text_has_prefix(name, "cl") && isupper((unsigned char)name[2]);
}

bool operations_take_time(const struct call *call) {
    const char *name = call->library != NULL ? call->library->name : "";
    return text_has_prefix(name, "clEnqueue") || strcmp(name, "clFinish") == 0 ||
           strcmp(name, "clWaitForEvents") == 0;
}

static bool is_live(const struct call *call) {
    return call->node->function == NULL || call->node->function->is_live;
}

/* Calls of instances of a function are at the same place. */
static bool is_first_at_place(const struct program *program, size_t index) {
    const struct range range = program->calls.items[index]->ast->range;
    for (size_t i = 0; i < index; i++) {
        const struct range other = program->calls.items[i]->ast->range;
        if (other.file == range.file && other.begin == range.begin)
            return false;
    }
    return true;
}

/* ---- What is refused ---- */

static void refuse(struct program *program, size_t index, const char *text) {
    if (is_first_at_place(program, index))
        program_report(program, program->calls.items[index]->ast->range, "error", "%s", text);
}

static void check_call(struct plan *plan, size_t index) {
    struct program *program = plan->slice->program;
    const struct call *call = program->calls.items[index];
    if (call->library == NULL)
        refuse(program, index,
               arena_printf(&program->arena,
                            "'%s' of OpenCL is not simulated; see docs/explanation/devices.md for "
                            "what is",
                            call->name));
    else if (slice_keeps_device(plan->slice, call))
        refuse(
            program, index,
            arena_printf(&program->arena,
                         "what '%s' brings from a device decides communication, and a skeleton "
                         "has no device; --assume no-abnormal-exit leaves out what decides about "
                         "an exit with an error only, --assume cuts has the number that decides "
                         "given by a model, where it can",
                         call->name));
}

/* ---- Regions ---- */

static void add(struct plan *plan, const char *name, const struct call *call) {
    for (size_t i = 0; i < plan->operations.count; i++)
        if (strcmp(plan->operations.items[i].name, name) == 0)
            return;
    vec_push(&plan->operations, ((struct operation_region){name, call}));
}

static const char *kernel_name(const struct call *call) {
    const struct ast *name = call->arguments.count > 1 ? program_argument(call, 1) : NULL;
    name = name != NULL ? ast_without_casts(name) : NULL;
    return name != NULL && name->kind == AST_STRING && name->name != NULL && name->name[0] == '"'
               ? name->name
               : NULL;
}

static void add_kernel(struct plan *plan, size_t index) {
    static const char *const of_kernel[] = {"kernel", "first enqueue", "first launch"};
    struct program *program = plan->slice->program;
    const struct call *call = program->calls.items[index];
    const char *name = kernel_name(call);
    if (name == NULL)
        refuse(program, index,
               "the name of this kernel is no text here; name it in the call, so that its model "
               "can be found");
    else
        for (size_t i = 0; i < sizeof of_kernel / sizeof *of_kernel; i++)
            add(plan,
                arena_printf(&program->arena, "%s %.*s", of_kernel[i], (int)strcspn(name + 1, "\""),
                             name + 1),
                call);
}

/* As in runtime/operations/opencl_functions.h. */
static bool sets_up(const char *name) {
    static const char *const names[] = {"clGetPlatformIDs",
                                        "clGetDeviceIDs",
                                        "clCreateContext",
                                        "clCreateContextFromType",
                                        "clBuildProgram",
                                        "clCreateCommandQueue",
                                        "clCreateCommandQueueWithProperties",
                                        "clCreateBuffer",
                                        "clCreateKernel",
                                        NULL};
    return text_is_one_of(name, names);
}

static const struct {
    const char *part, *name;
} copies[] = {{"clEnqueueWriteBuffer", "copy to"},
              {"clEnqueueReadBuffer", "copy from"},
              {"clEnqueueCopyBuffer", "copy within"},
              {"clEnqueueFillBuffer", "fill"}};

static void add_of_call(struct plan *plan, size_t index) {
    static const char *const host_parts[] = {"enqueue", "launch", "gap", "wake", "long wake"};
    const struct call *call = plan->slice->program->calls.items[index];
    if (strcmp(call->name, "clCreateKernel") == 0)
        add_kernel(plan, index);
    if (sets_up(call->name))
        add(plan, arena_printf(&plan->slice->program->arena, "set-up %s", call->name), call);
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (text_has_prefix(call->name, copies[i].part))
            add(plan, copies[i].name, call);
    for (size_t i = 0;
         text_has_prefix(call->name, "clEnqueue") && i < sizeof host_parts / sizeof *host_parts;
         i++)
        add(plan, host_parts[i], call);
}

int operations_find(struct plan *plan) {
    struct program *program = plan->slice->program;
    int errors = program->error_count;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (!operations_is_opencl(call->name) || call->mpi != NULL || call->ast->range.file < 0 ||
            program_function(program, call->name) != NULL || !is_live(call))
            continue;
        check_call(plan, i);
        add_of_call(plan, i);
    }
    return program->error_count > errors ? -1 : 0;
}

/* So many that some kernel is given them; where a number is not constant, as many as there may be.
 */
static int argument_count(const struct program *program) {
    int count = 0;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->library == NULL || strcmp(call->library->name, "clSetKernelArg") != 0)
            continue;
        const struct ast *index = ast_without_casts(program_argument(call, 1));
        if (!index->has_value || index->value < 0 || index->value >= ARGUMENTS_MOST)
            return ARGUMENTS_MOST;
        count = index->value >= count ? (int)index->value + 1 : count;
    }
    return count;
}

const char *const *operation_features(struct program *program,
                                      const struct operation_region *operation) {
    static const char *const of_kernel[] = {"items", "n1", "n2", "n3", "group"};
    const size_t fixed = sizeof of_kernel / sizeof *of_kernel;
    const char **names = ARENA_ARRAY(&program->arena, const char *, fixed + ARGUMENTS_MOST + 1);
    memset(names, 0, (fixed + ARGUMENTS_MOST + 1) * sizeof *names);
    if (text_has_prefix(operation->name, "copy ") || strcmp(operation->name, "fill") == 0)
        names[0] = "bytes";
    if (!text_has_prefix(operation->name, "kernel "))
        return names;
    memcpy(names, of_kernel, sizeof of_kernel);
    for (int i = 0; i < argument_count(program); i++)
        names[fixed + (size_t)i] = arena_printf(&program->arena, "a%d", i);
    return names;
}

static int feature_count(struct program *program, const struct operation_region *operation) {
    const char *const *names = operation_features(program, operation);
    int count = 0;
    while (names[count] != NULL)
        count++;
    return count;
}

char *operations_text(struct arena *arena, const struct plan *plan) {
    struct str out = {0};
    for (size_t i = 0; i < plan->operations.count; i++) {
        struct program *program = plan->slice->program;
        const struct operation_region *one = &plan->operations.items[i];
        const char *path = program->files.items[one->call->ast->range.file]->path;
        str_printf(&out, "%zu %d %d %s\t%s\n", plan->regions.count + i, feature_count(program, one),
                   one->call->ast->line, program_relative(program, path), one->name);
    }
    return str_into(arena, &out);
}
