/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's `target` as Clang compiles it, before libomptarget and libomp (LLVM,
 * openmp/libomptarget, omptarget.h and interface.cpp, 14 to 19).
 *
 * A construct with maps is made in three parts that can be timed: its data are mapped, the kernel
 * finds them there, they are unmapped. That is what libomptarget does itself. What it copies
 * follows from the map types and from what was there before.
 *
 * A task of `nowait` is made at once, as `if(0)` has it.
 */
#include "runtime/record/recorder_targets.h"

#include <stdlib.h>

/* ---- libomptarget's and libomp's ---- */

enum {
    MAP_TO = 1,
    MAP_FROM = 2,
    MAP_ALWAYS = 4,
    MAP_NO_DATA = 0x180, /* private, or a number */
    DEPEND_WRITES = ~1   /* of the flags of a dependency: all but `in` */
};

/* Items of a construct, as its functions have them as arguments. */
struct maps {
    int32_t count;
    void **bases, **begins;
    int64_t *sizes, *types;
    void **names, **mappers;
};

#define MAPS                                                                                       \
    int32_t count, void **bases, void **begins, int64_t *sizes, int64_t *types, void **names,      \
        void **mappers
#define MAPS_GIVEN count, bases, begins, sizes, types, names, mappers
#define MAPS_OF(maps)                                                                              \
    (maps)->count, (maps)->bases, (maps)->begins, (maps)->sizes, (maps)->types, (maps)->names,     \
        (maps)->mappers

/* The first members, in all versions. */
struct kernel_arguments {
    uint32_t version, count;
    void **bases, **begins;
    int64_t *sizes, *types;
    void **names, **mappers;
};

struct dependency {
    const void *address;
    size_t bytes;
    uint8_t flags;
};

struct task {
    void *shared;
    int32_t (*routine)(int32_t thread, void *task);
};

struct offload_entry {
    void *address;
    char *name;
    size_t bytes;
    int32_t flags, reserved;
};

struct offload_library {
    int32_t image_count;
    void *images;
    struct offload_entry *begin, *end;
};

void __tgt_register_lib(struct offload_library *library);
int __tgt_target_mapper(void *place, int64_t device, void *kernel, MAPS);
int __tgt_target_nowait_mapper(void *place, int64_t device, void *kernel, MAPS);
int __tgt_target_teams_mapper(void *place, int64_t device, void *kernel, MAPS, int32_t teams,
                              int32_t threads);
int __tgt_target_teams_nowait_mapper(void *place, int64_t device, void *kernel, MAPS, int32_t teams,
                                     int32_t threads);
int __tgt_target_kernel(void *place, int64_t device, int32_t teams, int32_t threads, void *kernel,
                        struct kernel_arguments *arguments);
int __tgt_target_kernel_nowait(void *place, int64_t device, int32_t teams, int32_t threads,
                               void *kernel, struct kernel_arguments *arguments);
void __tgt_target_data_begin_mapper(void *place, int64_t device, MAPS);
void __tgt_target_data_begin_nowait_mapper(void *place, int64_t device, MAPS);
void __tgt_target_data_end_mapper(void *place, int64_t device, MAPS);
void __tgt_target_data_end_nowait_mapper(void *place, int64_t device, MAPS);
void __tgt_target_data_update_mapper(void *place, int64_t device, MAPS);
void __tgt_target_data_update_nowait_mapper(void *place, int64_t device, MAPS);
int omp_target_is_present(const void *address, int device);
int omp_get_default_device(void);
int omp_in_parallel(void);

void *__kmpc_omp_task_alloc(void *place, int32_t thread, int32_t flags, size_t bytes,
                            size_t shared_bytes, int32_t (*routine)(int32_t, void *));
void *__kmpc_omp_target_task_alloc(void *place, int32_t thread, int32_t flags, size_t bytes,
                                   size_t shared_bytes, int32_t (*routine)(int32_t, void *),
                                   int64_t device);
void __kmpc_omp_task_begin_if0(void *place, int32_t thread, void *task);
void __kmpc_omp_task_complete_if0(void *place, int32_t thread, void *task);
int32_t __kmpc_omp_task(void *place, int32_t thread, void *task);
int32_t __kmpc_omp_task_with_deps(void *place, int32_t thread, void *task, int32_t count,
                                  struct dependency *dependencies, int32_t other_count,
                                  struct dependency *others);
void __kmpc_omp_wait_deps(void *place, int32_t thread, int32_t count,
                          struct dependency *dependencies, int32_t other_count,
                          struct dependency *others);
void __kmpc_omp_taskwait_deps_51(void *place, int32_t thread, int32_t count,
                                 struct dependency *dependencies, int32_t other_count,
                                 struct dependency *others, int32_t has_no_wait);
int32_t __kmpc_omp_taskwait(void *place, int32_t thread);
void __kmpc_end_taskgroup(void *place, int32_t thread);
void __kmpc_barrier(void *place, int32_t thread);

/* ---- Kernels ---- */

static struct named_kernel {
    const void *address;
    const char *name;
} *kernels;
static size_t kernel_count;

/* "main_l12" of "__omp_offloading_fd00_1f2b_main_l12": behind the file's device and number. */
static const char *short_name(const char *name) {
    static const char prefix[] = "__omp_offloading_";
    if (strncmp(name, prefix, strlen(prefix)) != 0)
        return name;
    for (int i = 0; i < 4 && name != NULL; i++) {
        name += strspn(name, "_");
        name = strchr(name, '_');
    }
    return name != NULL && name[1] != '\0' ? name + 1 : "target";
}

/* LLVM 20 has other entries, which begin with 0: kernels are named by their place. */
void __tgt_register_lib(struct offload_library *library) {
    bool is_known = library->end > library->begin && library->begin->address != NULL;
    size_t count = is_known ? (size_t)(library->end - library->begin) : 0;
    struct named_kernel *grown = realloc(kernels, (kernel_count + count + 1) * sizeof *grown);
    for (size_t i = 0; i < count && grown != NULL; i++)
        if (library->begin[i].address != NULL && library->begin[i].bytes == 0) /* no variable */
            grown[kernel_count++] = (struct named_kernel){library->begin[i].address,
                                                          short_name(library->begin[i].name)};
    kernels = grown != NULL ? grown : kernels;
    NEXT(__tgt_register_lib, library);
}

static const char *kernel_name(const void *kernel) {
    for (size_t i = 0; i < kernel_count; i++)
        if (kernels[i].address == kernel)
            return kernels[i].name;
    return bsim__record_place((uint64_t)(uintptr_t)kernel);
}

/* ---- What is copied ---- */

static bool is_there(const struct maps *maps, int32_t i, int64_t device) {
    int number = device >= 0 ? (int)device : NEXT(omp_get_default_device);
    return NEXT(omp_target_is_present, maps->begins[i], number) != 0;
}

/* Of items in that direction that are there, or are not; of those that are copied always: whether
 * they count. */
static double bytes_of(const struct maps *maps, int64_t device, int64_t direction, bool there,
                       bool always) {
    double bytes = 0;
    for (int32_t i = 0; i < maps->count; i++) {
        int64_t type = maps->types[i];
        if ((type & direction) != 0 && (type & MAP_NO_DATA) == 0 &&
            ((type & MAP_ALWAYS) != 0 ? always : is_there(maps, i, device) == there))
            bytes += (double)maps->sizes[i];
    }
    return bytes;
}

static bool has_always(const struct maps *maps) {
    for (int32_t i = 0; i < maps->count; i++)
        if ((maps->types[i] & MAP_ALWAYS) != 0)
            return true;
    return false;
}

/* Without bytes it is the host's part, but others may depend on a `nowait`. */
static void copied(const char *function, enum bsim__operation_kind kind, double bytes,
                   int64_t begin_ns) {
    const struct bsim__operation operation = {
        .function = function, .kind = kind, .kernel = "", .features = {bytes}, .feature_count = 1};
    if (bytes == 0 && !bsim__targets_is_nowait())
        return;
    bsim__targets_operation(&operation, begin_ns, bsim__record_now_ns());
    bsim__record_computation_begins();
}

/* A device is made ready by the first call that names it, which is the host's part. */
static void begin(int64_t device) {
    NEXT(__tgt_target_data_begin_mapper, NULL, device, 0, NULL, NULL, NULL, NULL, NULL, NULL);
    bsim__record_timed_begin();
}

/* ---- Constructs that execute ---- */

struct target_launch {
    const char *function;
    void *place, *kernel;
    int64_t device;
    struct maps maps;
    int32_t teams, threads;
    struct kernel_arguments *arguments; /* NULL: of LLVM 14 */
};

static int call(const struct target_launch *launch) {
    if (launch->arguments != NULL)
        return NEXT(__tgt_target_kernel, launch->place, launch->device, launch->teams,
                    launch->threads, launch->kernel, launch->arguments);
    if (strstr(launch->function, "teams") != NULL)
        return NEXT(__tgt_target_teams_mapper, launch->place, launch->device, launch->kernel,
                    MAPS_OF(&launch->maps), launch->teams, launch->threads);
    return NEXT(__tgt_target_mapper, launch->place, launch->device, launch->kernel,
                MAPS_OF(&launch->maps));
}

/* False: the host executes it instead, behind this. */
static bool executes(const struct target_launch *launch) {
    const struct bsim__operation operation = {
        .function = launch->function, .kind = BSIM__KERNEL, .kernel = kernel_name(launch->kernel)};
    int64_t begin_ns = bsim__record_now_ns();
    if (call(launch) != 0)
        return false;
    bsim__targets_operation(&operation, begin_ns, bsim__record_now_ns());
    bsim__record_computation_begins();
    return true;
}

static bool executes_in_parts(const struct target_launch *launch, double to, double from) {
    int64_t begin_ns = bsim__record_now_ns();
    NEXT(__tgt_target_data_begin_mapper, launch->place, launch->device, MAPS_OF(&launch->maps));
    if (to > 0)
        copied(launch->function, BSIM__COPY_TO, to, begin_ns);
    bool result = executes(launch);
    begin_ns = bsim__record_now_ns();
    NEXT(__tgt_target_data_end_mapper, launch->place, launch->device, MAPS_OF(&launch->maps));
    if (from > 0 && result)
        copied(launch->function, BSIM__COPY_FROM, from, begin_ns);
    return result;
}

static int execute(const struct target_launch *launch) {
    if (!bsim__targets_are_recorded())
        return call(launch);
    begin(launch->device);
    double to = bytes_of(&launch->maps, launch->device, MAP_TO, false, true);
    double from = bytes_of(&launch->maps, launch->device, MAP_FROM, false, true);
    bool is_whole = (to == 0 && from == 0) || has_always(&launch->maps);
    return (is_whole ? executes(launch) : executes_in_parts(launch, to, from)) ? 0 : -1;
}

int __tgt_target_mapper(void *place, int64_t device, void *kernel, MAPS) {
    return execute(
        &(struct target_launch){__func__, place, kernel, device, {MAPS_GIVEN}, 0, 0, NULL});
}

/* What such a one waits for its task has waited for. */
int __tgt_target_nowait_mapper(void *place, int64_t device, void *kernel, MAPS) {
    return __tgt_target_mapper(place, device, kernel, MAPS_GIVEN);
}

int __tgt_target_teams_mapper(void *place, int64_t device, void *kernel, MAPS, int32_t teams,
                              int32_t threads) {
    return execute(&(struct target_launch){
        __func__, place, kernel, device, {MAPS_GIVEN}, teams, threads, NULL});
}

int __tgt_target_teams_nowait_mapper(void *place, int64_t device, void *kernel, MAPS, int32_t teams,
                                     int32_t threads) {
    return __tgt_target_teams_mapper(place, device, kernel, MAPS_GIVEN, teams, threads);
}

int __tgt_target_kernel(void *place, int64_t device, int32_t teams, int32_t threads, void *kernel,
                        struct kernel_arguments *arguments) {
    const struct maps maps = {(int32_t)arguments->count, arguments->bases, arguments->begins,
                              arguments->sizes,          arguments->types, arguments->names,
                              arguments->mappers};
    return execute(
        &(struct target_launch){__func__, place, kernel, device, maps, teams, threads, arguments});
}

int __tgt_target_kernel_nowait(void *place, int64_t device, int32_t teams, int32_t threads,
                               void *kernel, struct kernel_arguments *arguments) {
    return __tgt_target_kernel(place, device, teams, threads, kernel, arguments);
}

/* ---- Constructs that copy ---- */

void __tgt_target_data_begin_mapper(void *place, int64_t device, MAPS) {
    const struct maps maps = {MAPS_GIVEN};
    if (!bsim__targets_are_recorded()) {
        NEXT(__tgt_target_data_begin_mapper, place, device, MAPS_GIVEN);
        return;
    }
    begin(device);
    double bytes = bytes_of(&maps, device, MAP_TO, false, true);
    int64_t begin_ns = bsim__record_now_ns();
    NEXT(__tgt_target_data_begin_mapper, place, device, MAPS_GIVEN);
    copied(__func__, BSIM__COPY_TO, bytes, begin_ns);
}

void __tgt_target_data_end_mapper(void *place, int64_t device, MAPS) {
    const struct maps maps = {MAPS_GIVEN};
    if (!bsim__targets_are_recorded()) {
        NEXT(__tgt_target_data_end_mapper, place, device, MAPS_GIVEN);
        return;
    }
    begin(device);
    double before = bytes_of(&maps, device, MAP_FROM, true, true);
    int64_t begin_ns = bsim__record_now_ns();
    NEXT(__tgt_target_data_end_mapper, place, device, MAPS_GIVEN);
    double left = bytes_of(&maps, device, MAP_FROM, true, false);
    copied(__func__, BSIM__COPY_FROM, before - left, begin_ns);
}

/* One in both directions counts as that with more. */
void __tgt_target_data_update_mapper(void *place, int64_t device, MAPS) {
    const struct maps maps = {MAPS_GIVEN};
    if (!bsim__targets_are_recorded()) {
        NEXT(__tgt_target_data_update_mapper, place, device, MAPS_GIVEN);
        return;
    }
    begin(device);
    double to = bytes_of(&maps, device, MAP_TO, true, true);
    double from = bytes_of(&maps, device, MAP_FROM, true, true);
    int64_t begin_ns = bsim__record_now_ns();
    NEXT(__tgt_target_data_update_mapper, place, device, MAPS_GIVEN);
    copied(__func__, to > from ? BSIM__COPY_TO : BSIM__COPY_FROM, to + from, begin_ns);
}

void __tgt_target_data_begin_nowait_mapper(void *place, int64_t device, MAPS) {
    __tgt_target_data_begin_mapper(place, device, MAPS_GIVEN);
}

void __tgt_target_data_end_nowait_mapper(void *place, int64_t device, MAPS) {
    __tgt_target_data_end_mapper(place, device, MAPS_GIVEN);
}

void __tgt_target_data_update_nowait_mapper(void *place, int64_t device, MAPS) {
    __tgt_target_data_update_mapper(place, device, MAPS_GIVEN);
}

/* ---- Tasks ---- */

static __thread void *target_task; /* that was allocated last */

/* A task of its own thread, which can be made at once. */
void *__kmpc_omp_target_task_alloc(void *place, int32_t thread, int32_t flags, size_t bytes,
                                   size_t shared_bytes, int32_t (*routine)(int32_t, void *),
                                   int64_t device) {
    if (!bsim__targets_are_recorded())
        return NEXT(__kmpc_omp_target_task_alloc, place, thread, flags, bytes, shared_bytes,
                    routine, device);
    return target_task =
               NEXT(__kmpc_omp_task_alloc, place, thread, flags, bytes, shared_bytes, routine);
}

static bool writes(const struct dependency *dependency) {
    return (dependency->flags & DEPEND_WRITES) != 0;
}

static bool conflicts(int32_t count, const struct dependency *dependencies) {
    for (int32_t i = 0; i < count; i++)
        if (bsim__targets_conflict(dependencies[i].address, writes(&dependencies[i])))
            return true;
    return false;
}

static void depend(int32_t count, const struct dependency *dependencies) {
    for (int32_t i = 0; i < count; i++)
        bsim__targets_depend(dependencies[i].address, writes(&dependencies[i]));
}

static void access_all(int32_t count, const struct dependency *dependencies) {
    for (int32_t i = 0; i < count; i++)
        bsim__targets_access(dependencies[i].address, writes(&dependencies[i]));
}

static int32_t make_target(void *place, int32_t thread, struct task *task) {
    static bool was_told;
    if (NEXT(omp_in_parallel))
        bsim__targets_tell(&was_told, "that the end of a parallel region waits for a `target`",
                           "only its barriers, taskwaits and ends of taskgroups do in what is "
                           "learned");
    target_task = NULL;
    NEXT(__kmpc_omp_task_begin_if0, place, thread, task);
    task->routine(thread, task);
    NEXT(__kmpc_omp_task_complete_if0, place, thread, task);
    return 0;
}

int32_t __kmpc_omp_task(void *place, int32_t thread, void *task) {
    if (task != target_task)
        return NEXT(__kmpc_omp_task, place, thread, task);
    bsim__targets_nowait(true);
    int32_t result = make_target(place, thread, task);
    bsim__targets_nowait(false);
    return result;
}

int32_t __kmpc_omp_task_with_deps(void *place, int32_t thread, void *task, int32_t count,
                                  struct dependency *dependencies, int32_t other_count,
                                  struct dependency *others) {
    static bool was_told;
    if (task != target_task) {
        if (bsim__record_takes_operations() &&
            (conflicts(count, dependencies) || conflicts(other_count, others)))
            bsim__targets_tell(&was_told, "that a task of the host depends on a `target`",
                               "it waits for nothing in what is learned");
        return NEXT(__kmpc_omp_task_with_deps, place, thread, task, count, dependencies,
                    other_count, others);
    }
    NEXT(__kmpc_omp_wait_deps, place, thread, count, dependencies, other_count, others);
    bsim__targets_nowait(true);
    depend(count, dependencies);
    depend(other_count, others);
    int32_t result = make_target(place, thread, task);
    access_all(count, dependencies);
    access_all(other_count, others);
    bsim__targets_nowait(false);
    return result;
}

/* ---- Waiting ---- */

static void waits_for_those(const char *function, int32_t count,
                            const struct dependency *dependencies, int32_t other_count,
                            const struct dependency *others) {
    if (!bsim__record_takes_operations())
        return;
    depend(count, dependencies);
    depend(other_count, others);
    bsim__targets_wait_for_those(function);
}

void __kmpc_omp_wait_deps(void *place, int32_t thread, int32_t count,
                          struct dependency *dependencies, int32_t other_count,
                          struct dependency *others) {
    NEXT(__kmpc_omp_wait_deps, place, thread, count, dependencies, other_count, others);
    waits_for_those(__func__, count, dependencies, other_count, others);
}

void __kmpc_omp_taskwait_deps_51(void *place, int32_t thread, int32_t count,
                                 struct dependency *dependencies, int32_t other_count,
                                 struct dependency *others, int32_t has_no_wait) {
    NEXT(__kmpc_omp_taskwait_deps_51, place, thread, count, dependencies, other_count, others,
         has_no_wait);
    waits_for_those(__func__, count, dependencies, other_count, others);
}

int32_t __kmpc_omp_taskwait(void *place, int32_t thread) {
    bsim__targets_wait_for_all(__func__);
    return NEXT(__kmpc_omp_taskwait, place, thread);
}

void __kmpc_end_taskgroup(void *place, int32_t thread) {
    bsim__targets_wait_for_all(__func__);
    NEXT(__kmpc_end_taskgroup, place, thread);
}

void __kmpc_barrier(void *place, int32_t thread) {
    bsim__targets_wait_for_all(__func__);
    NEXT(__kmpc_barrier, place, thread);
}
