# SPDX-License-Identifier: Apache-2.0
"""Programs with OpenMP's `target`, whose kernels sleep (targets.c): elapsed time is the truth.

Clang's runtime has the processor as a device of its own, whose `nowait` other threads execute; GCC's has no device
here, and executes them on the host. Sleeping takes long enough that a busy machine adds little to it, and the shortest
of some runs counts."""
import json
import os
import re
import shutil
import subprocess

from support import ENVIRONMENT, expect

HERE = os.path.dirname(os.path.abspath(__file__))

RUNS_MOST = 12
TOLERANCE = 0.05
CLANG = ["-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "-Wl,-rpath,/usr/lib/llvm-14/lib"]
COMPILERS = {"clang-14": CLANG, "gcc": ["-fopenmp"]}


def build(session, compiler):
    subprocess.run(["mpicc", "-O1", *COMPILERS[compiler], "-o", "targets", os.path.join(HERE, "targets.c")],
                   cwd=session.directory, env={**ENVIRONMENT, "OMPI_CC": compiler}, check=True)


def words(steps, us, size):
    return ["mpirun", "--oversubscribe", "-np", "2", "./targets", str(steps), str(us), str(size)]


def named(steps, us, size):
    return [f"steps={steps}", f"us={us}", f"bytes={size}"]


def real_s(session, expected_s, steps, us, size):
    """The least of some runs, of more where that is longer than expected."""
    least_s = float("inf")
    for run in range(RUNS_MOST):
        if run >= 2 and expected_s / least_s > 1 - TOLERANCE:
            break
        done = subprocess.run(words(steps, us, size), cwd=session.directory, env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=600)
        expect(done.returncode == 0 and "wrong" not in done.stdout, f"targets failed: {done.stdout}{done.stderr}")
        least_s = min(least_s, float(re.search(r"loop (\S+)", done.stdout).group(1)))
    return least_s


def record(session):
    directories = []
    for i, run in enumerate(((2, 80000, 100000), (3, 120000, 200000), (3, 180000, 150000), (2, 140000, 300000))):
        directories.append(f"run{i}")
        sets = [word for value in named(*run) for word in ("--set", value)]
        session.fine("record", "-o", directories[-1], *sets, "--", *words(*run))
        expect("wrong" not in session.out, session.told("the recorded program computes something else"))
        expect("does not have" not in session.err, session.told("something is named that is not there"))
    return directories


def predicted_s(session, directories, *arguments):
    session.fine("synthesize", "-o", "app.synth", *directories)
    session.fine("fit", "app.synth")
    times = []
    for engine in ("own", "smpi"):
        session.fine("run", "app.synth", "-np", "2", "--no-jitter", "--format=json", "--engine", engine, "--", *arguments,
                     environment={"MPISKEL_CHECK": "1"})
        times.append(json.loads(session.out)["predicted_s"])
    expect(abs(times[0] - times[1]) < 1e-9, f"{times} s")
    return times[0]


def check_recorded(session, compiler, sleeps_a_step):
    """At a size that was not recorded, within 5 % of the real time."""
    build(session, compiler)
    directories = record(session)
    run = (2, 400000, 250000)
    predicted = predicted_s(session, directories, *named(*run))
    real = real_s(session, predicted, *run)
    print(compiler, real, predicted)
    expect(abs(predicted / real - 1) < TOLERANCE, f"predicted {predicted} s, real {real} s")
    expect(abs(predicted / (run[0] * run[1] * 1e-6 * sleeps_a_step) - 1) < 0.2, f"predicted {predicted} s: it does not sleep so")
    return directories


def case_recorded_targets_are_predicted_as_a_device_executes_them(session):
    check_recorded(session, "clang-14", 3)


def case_recorded_targets_without_a_device_are_predicted_as_the_hosts(session):
    check_recorded(session, "gcc", 4)


# Of the device of each rank in three steps, without what sets up: kernels, copies to it, copies from it.
OPERATIONS = {0: {"kernel start_two_l13": 3, "kernel start_two_l18": 3, "copy to": 1, "copy from": 4},
              1: {"kernel sleep_twice_l26": 3, "copy to": 3, "copy from": 3}}


def case_what_targets_do_is_recorded(session):
    """Data are copied where they are not there yet; all of the array each time. What sets up copies them twice."""
    build(session, "clang-14")
    session.fine("record", "-o", "r", "--", *words(3, 1000, 100000))
    expect("omptarget" not in session.err, session.told("a library is named"))
    session.fine("trace", "convert", "r", "-o", "t.json")
    with open(session.path("t.json"), encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    found = {0: {}, 1: {}}
    for event in events:
        if event["ph"] == "X" and "of_rank" in event.get("args", {}):
            names = found[event["args"]["of_rank"]]
            names[event["name"]] = names.get(event["name"], 0) + 1
            if event["name"].startswith("copy"):
                expect(event["args"]["bytes"] == 100000, f"{event}")
    for rank, counts in OPERATIONS.items():
        setting_up = {"kernel start_two_l13": 1, "kernel start_two_l18": 1, "copy to": 2, "copy from": 2}
        wanted = {name: counts.get(name, 0) + setting_up.get(name, 0) for name in {**counts, **setting_up}}
        expect(found[rank] == wanted, f"rank {rank}: {found[rank]}, wanted {wanted}")


# As Clang calls it since LLVM 15, and a library in which it sleeps.
LIBRARY = r"""
#include <unistd.h>
int __tgt_target_kernel(void *place, long device, int teams, int threads, void *kernel, void *arguments) {
    usleep(20000);
    return 0;
}
int __tgt_target_kernel_nowait(void *place, long device, int teams, int threads, void *kernel, void *arguments, int count,
                               void *dependencies, int other_count, void *others) {
    usleep(20000);
    return 0;
}
void __tgt_target_data_begin_mapper(void *place, long device, int count, void **bases, void **begins, long *sizes,
                                    long *types, void **names, void **mappers) { }
void __tgt_target_data_end_mapper(void *place, long device, int count, void **bases, void **begins, long *sizes,
                                  long *types, void **names, void **mappers) { usleep(10000); }
void __tgt_register_lib(void *library) { }
int omp_target_is_present(const void *address, int device) { return 0; }
int omp_get_default_device(void) { return 0; }
"""
CALLS = r"""
#include <mpi.h>
#include <stdlib.h>
struct entry { void *address; char *name; size_t bytes; int flags, reserved; };
struct later_entry { long reserved; short version, kind; int flags; void *address; char *name; long bytes, data; void *more; };
ENTRY entries[4];
struct { int images; void *image; ENTRY *begin, *end; } library = {0, NULL, entries, entries + 4};
struct { unsigned version, count; void **bases, **begins; long *sizes, *types; void **names, **mappers; long rest[16]; } arguments;
void __tgt_register_lib(void *library);
int __tgt_target_kernel(void *place, long device, int teams, int threads, void *kernel, void *arguments);
int __tgt_target_kernel_nowait(void *place, long device, int teams, int threads, void *kernel, void *arguments, int count,
                               void *dependencies, int other_count, void *others);
int main(int argc, char **argv) {
    char data[5000], id;
    void *items[] = {data, data};
    long sizes[] = {sizeof data, 8}, types[] = {0x22, 0xa1};
    entries[0] = entries[1] = FIRST;
    __tgt_register_lib(&library);
    arguments.version = 2, arguments.count = 2, arguments.bases = arguments.begins = items;
    arguments.sizes = sizes, arguments.types = types;
    MPI_Init(&argc, &argv);
    int code = CALL;
    MPI_Finalize();
    return code;
}
"""


AT_ONCE = "__tgt_target_kernel(NULL, -1, 0, 0, &id, &arguments)"
NOWAIT = "__tgt_target_kernel_nowait(NULL, -1, 0, 0, &id, &arguments, 0, NULL, 0, NULL)"


def record_later(session, entry, first, call=AT_ONCE):
    shutil.rmtree(session.path("r"), ignore_errors=True)
    session.write("library.c", LIBRARY)
    session.write("calls.c", CALLS.replace("ENTRY", entry).replace("FIRST", first).replace("CALL", call))
    for command in (["gcc", "-w", "-shared", "-fPIC", "-o", "libomptarget.so.19.1", "library.c"],
                    ["mpicc", "-w", "-o", "calls", "calls.c", "-L.", "-l:libomptarget.so.19.1", "-Wl,-rpath," + session.directory]):
        subprocess.run(command, cwd=session.directory, check=True)
    session.fine("record", "-o", "r", "--", "mpirun", "--oversubscribe", "-np", "1", "./calls")
    session.fine("trace", "convert", "r", "-o", "t.json")
    with open(session.path("t.json"), encoding="utf-8") as file:
        events = [event for event in json.load(file)["traceEvents"] if "of_rank" in event.get("args", {})]
    expect(len(events) == 2 and events[0]["name"].startswith("kernel ") and events[1]["name"] == "copy from", f"{events}")
    expect(events[1]["args"]["bytes"] == 5000 and events[0]["dur"] >= 20000 and events[1]["dur"] >= 10000, f"{events}")
    return events[0]["name"]


def case_kernels_of_later_llvm_are_recorded(session):
    """By the layout of its arguments: the real library of LLVM 19 is not installed beside that of 14. Names of kernels are
    laid out differently since LLVM 20, and not read."""
    name = '"__omp_offloading_fd00_1f2b_sweep_all_l12"'
    kernel = record_later(session, "struct entry", "(struct entry){&id, %s, 0, 0, 0}" % name)
    expect(kernel == "kernel sweep_all_l12", kernel)
    kernel = record_later(session, "struct entry", "(struct entry){&id, %s, 0, 0, 0}" % name, NOWAIT)
    expect(kernel == "kernel sweep_all_l12", kernel)
    kernel = record_later(session, "struct later_entry", "(struct later_entry){0, 1, 1, 0, &id, %s, 0, 5, NULL}" % name)
    expect("sweep" not in kernel, kernel)


UNTOLD = r"""
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int x = 0, y = 0, z = 0, host = omp_get_initial_device();
    MPI_Init(&argc, &argv);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 2; i++) {
        if (omp_get_thread_num() == 1) {
#pragma omp target map(tofrom : z)
            z++;
        } else {
#pragma omp target nowait depend(out : x) map(tofrom : x)
            x++;
#pragma omp task depend(in : x) shared(x, y)
            y += x;
#pragma omp taskwait
        }
    }
    int *there = omp_target_alloc(sizeof x, 0);
    omp_target_memcpy(there, &x, sizeof x, 0, 0, 0, host);
    printf("x %d y %d z %d\n", x, y, z);
    MPI_Finalize();
    return 0;
}
"""


def case_what_recordings_of_targets_do_not_have_is_named(session):
    """Once each; recordings of other cases name none of it."""
    session.write("untold.c", UNTOLD)
    subprocess.run(["mpicc", "-O1", *CLANG, "-o", "untold", "untold.c"], cwd=session.directory,
                   env={**ENVIRONMENT, "OMPI_CC": "clang-14"}, check=True)
    session.fine("record", "-o", "r", "--", "mpirun", "--oversubscribe", "-np", "1", "./untold")
    session.prints("x 2 y 3 z 2")
    for text in ("a `target` of another thread than MPI_Init's", "that the end of a parallel region waits for a `target`",
                 "that a task of the host depends on a `target`", "what omp_target_memcpy and the like copy"):
        expect(session.err.count(f"the recording does not have {text}: ") == 1, session.told(f"'{text}' is not named once"))


OTHER_THREADS = r"""
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int x = 0, y = 0;
    MPI_Init(&argc, &argv);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp target nowait depend(out : x) map(tofrom : x)
            x++;
        }
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
#pragma omp target nowait depend(out : x) map(tofrom : x)
            x++;
        }
        while (__atomic_load_n(&x, __ATOMIC_ACQUIRE) < 2)
            ;
        if (omp_get_thread_num() == 1) {
#pragma omp task depend(out : x) shared(x, y)
            y = x;
#pragma omp taskwait depend(in : x)
        }
    }
    printf("x %d y %d\n", x, y);
    MPI_Finalize();
    return 0;
}
"""


def case_what_other_threads_wait_for_is_no_target(session):
    """Barriers and tasks of a thread without constructs are not named, nor looked at beside the recorded thread's."""
    session.write("others.c", OTHER_THREADS)
    subprocess.run(["mpicc", "-O1", *CLANG, "-o", "others", "others.c"], cwd=session.directory,
                   env={**ENVIRONMENT, "OMPI_CC": "clang-14"}, check=True)
    session.fine("record", "-o", "r", "--", "mpirun", "--oversubscribe", "-np", "1", "./others")
    session.prints("x 2 y 2")
    for text in ("another thread", "a task of the host"):
        expect(text not in session.err, session.told(f"'{text}' is named"))


PLUGIN = r"""
int add(void) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp barrier
        sum++;
    }
    return sum;
}
"""
LOADS = r"""
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int (*add)(void) = (int (*)(void))dlsym(dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL), "add");
    printf("sum %d\n", add());
    MPI_Finalize();
    return 0;
}
"""


def case_plugins_may_bring_their_runtime_along(session):
    """The recorder stands before a runtime that is not in the program's scope."""
    session.write("plugin.c", PLUGIN)
    session.write("loads.c", LOADS)
    subprocess.run(["mpicc", "-w", "-o", "loads", "loads.c", "-ldl"], cwd=session.directory, check=True)
    for compiler in COMPILERS:
        subprocess.run([compiler, "-fopenmp", "-shared", "-fPIC", "-o", "plugin.so", "plugin.c"], cwd=session.directory, check=True)
        shutil.rmtree(session.path("r"), ignore_errors=True)
        session.fine("record", "-o", "r", "--", "mpirun", "--oversubscribe", "-np", "1", "./loads")
        session.prints("sum 2")


def case_builds_for_devices_make_bundles_that_compute_on_the_host(session):
    """With options that this gcc does not know, or for a device that is not here."""
    with open(os.path.join(HERE, "targets.c"), encoding="utf-8") as file:
        session.program(("targets.c", file.read()))
    session.links(targets=["targets.c"])
    options = '"mpicc", "-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda", "-Xopenmp-target", "-march=sm_80"'
    for name in ("compile_commands.json", "link_commands.json"):
        session.write(name, session.read(name).replace('"mpicc"', options))
    session.fine("generate", "-o", "app.skel")
    session.expect(0, "-fopenmp-targets=nvptx64-nvidia-cuda is left out of all programs of the bundle")
    session.fine("verify", "app.skel", "-np", "2", "--real", "--", "2", "1000", "1000")
    session.prints("identical: ")
    session.prints("real run: identical to the original")
