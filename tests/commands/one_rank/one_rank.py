# SPDX-License-Identifier: Apache-2.0
"""Programs without MPI calls, built by a plain compiler: each is one of one rank."""
import json
import os
import subprocess

from support import ENVIRONMENT, expect

HERE = os.path.dirname(os.path.abspath(__file__))

# The loop takes a time for each item and turn; with 2 arguments main ends by exit(), with 3 it falls off its end.
PROGRAM = """#include <stdio.h>
#include <stdlib.h>
static double work(int items, int turns) {
    double sum = 0;
    for (int t = 0; t < turns; t++)
        for (int i = 0; i < items; i++)
            sum += 1.0 / (i + t + 1);
    return sum;
}
int main(int argc, char **argv) {
    if (argc < 2)
        return 3;
    printf("sum %g\\n", work(atoi(argv[1]), 20));
    if (argc == 3)
        exit(0);
}
"""


# A device that the context is asked for: what decides how much is enqueued.
ON_DEVICE = """#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    cl_context context;
    cl_uint devices = 0, references = 0;
    cl_device_id *device;
    cl_command_queue queue;
    cl_mem buffer;
    size_t bytes = 0, items = argc > 1 ? atoi(argv[1]) : 1000;
    double *numbers = calloc(items, sizeof *numbers);
    cl_platform_id platform;
    clGetPlatformIDs(1, &platform, NULL);
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    context = clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, NULL);
    if (clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes) != CL_SUCCESS)
        return 5;
    device = malloc(bytes);
    if (clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes - 1, device, NULL) != CL_INVALID_VALUE)
        return 6;
    clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, device, NULL);
    clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof devices, &devices, NULL);
    clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL);
    if (bytes != devices * sizeof *device || references != 1)
        return 7;
    for (cl_uint d = 0; d < devices; d++) {
        queue = clCreateCommandQueue(context, device[d], 0, NULL);
        buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof *numbers, NULL, NULL);
        clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, items * sizeof *numbers, numbers, 0, NULL, NULL);
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, items * sizeof *numbers, numbers, 0, NULL, NULL);
        clFinish(queue);
    }
    printf("%g\\n", numbers[items - 1]);
    return 0;
}
"""


def build(session, name, text, compiler, *options):
    session.write(name, text)
    session.refused("generate", "-o", "app.skel", "--", compiler, name, code=64, says=["mpiskel capture -- make"])
    session.fine("capture", "--", compiler, "-O1", *options, "-o", "app", name)
    session.fine("generate", "-o", "app.skel")


def start(session, *words):
    return subprocess.run(words, cwd=session.directory, env=ENVIRONMENT, capture_output=True, text=True, timeout=600)


def samples(session):
    folder = session.path("app.skel/samples")
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def case_a_program_without_mpi_is_predicted(session):
    build(session, "app.c", PROGRAM, "gcc")
    expect("the program makes no MPI call: it is predicted as a program of one rank" in session.err, session.err)
    session.prints("next: mpiskel verify app.skel -- ARGUMENTS")
    for arguments in (["1000"], ["1000", "exit"], ["1000", "falls", "off"], []):
        session.fine("verify", "app.skel", "--real", "--", *arguments)
        session.prints("identical: 2 calls on 1 ranks")
        session.prints("real run: identical to the original: 2 calls")
    session.fine("generate", "-o", "app.skel", "--assume=cuts")
    expect("--scout '{} ARGUMENTS' counts" in session.err, session.told("one rank is counted on four"))
    session.fine("explain", "app.skel")
    for refused in (("fit", "app.skel"), ("run", "app.skel", "--", "1000")):
        session.refused(*refused, says=["app.skel/profile ARG"])
        expect("mpirun" not in session.err, session.told("one rank is told to begin on two"))
    for items in (100000, 200000, 400000):
        for _ in range(2):
            done = start(session, session.path("app.skel/profile"), str(items), "exit")
            expect(done.returncode == 0 and "sum" in done.stdout, f"the profiling build fails: {done.stderr}")
    session.fine("fit", "app.skel")
    expect("on one rank" not in session.err, f"more ranks are asked for: {session.err}")
    predicted_s = []
    for words in (["400000"], ["800000"], ["800000", "--engine=smpi"]):
        session.fine("run", "app.skel", "--format=json", "--no-jitter", *words[1:], "--", words[0])
        told = json.loads(session.out)
        predicted_s.append(told["predicted_s"])
        expect(told["ranks"] == 1, f"{told['ranks']} ranks")
    expect(1.8 < predicted_s[1] / predicted_s[0] < 2.2 and predicted_s[1] == predicted_s[2], f"{predicted_s}")
    session.write("bin/mpirun", "#!/bin/sh\necho no mpirun is needed >&2\nexit 1\n")
    os.chmod(session.path("bin/mpirun"), 0o755)
    no_mpirun = {**ENVIRONMENT, "PATH": session.path("bin") + ":" + ENVIRONMENT["PATH"]}
    session.fine("validate", "app.skel", "--repeat", "1", "--", "400000", environment=no_mpirun)
    session.fine("verify", "app.skel", "--real", "--", "1000", environment=no_mpirun)
    session.prints("real run: identical to the original: 2 calls")


def case_a_crash_of_the_program_is_told_without_mpirun(session):
    build(session, "app.c", PROGRAM.replace("    printf(", "    if (argc > 2)\n        *(volatile int *)0 = 1;\n    printf(", 1), "gcc")
    session.refused("verify", "app.skel", "--", "1000", "crashes", says=[
        "without a simulation it crashes, too (signal 11): ", "app.skel/profile with these arguments; mend that first"])
    expect("mpirun" not in session.err, session.told("one rank is told to begin under mpirun"))


def case_more_ranks_are_refused(session):
    build(session, "app.c", PROGRAM, "gcc")
    for command in ("verify", "run", "validate"):
        session.refused(command, "app.skel", "-np", "2", "--", "1000",
                        says=["-np 2: app makes no MPI call, so that it is a program of one rank", "leave -np out"])
    done = start(session, "mpirun", "--oversubscribe", "-np", "2", session.path("app.skel/profile"), "1000")
    expect(done.returncode != 0 and "start it without mpirun" in done.stderr, f"{done.returncode} {done.stderr}")
    expect(not samples(session), "a run on two ranks leaves samples")


def case_main_in_cxx_begins_and_ends_likewise(session):
    for parameters in ("int argc, char **argv", "", "int argc, char **argv, char **environment", "int argc, char const *argv[]"):
        body = PROGRAM.replace("int argc, char **argv", parameters)
        if parameters == "":
            body = body.replace("int main() {", "int main() {\n    int argc = 3;\n    const char *argv[] = {\"\", \"1000\"};")
        build(session, "app.cpp", body, "g++")
        session.fine("verify", "app.skel", "--real", "--", "1000", "exit")
        session.prints("identical: 2 calls on 1 ranks")
        session.prints("real run: identical to the original: 2 calls")


def case_main_in_other_forms_begins_and_ends_likewise(session):
    """As compilers take it, though it is none of ISO C's."""
    for form in ("void main(int argc, char **argv)", "main(argc, argv)\nint argc;\nconst char **argv;\n",
                 "__attribute__((noreturn)) int main(int argc, char const *const argv[argc])"):
        build(session, "app.c", PROGRAM.replace("int main(int argc, char **argv)", form).replace("return 3;", "exit(3);"), "gcc", "-w")
        session.fine("verify", "app.skel", "--real", "--", "1000", "exit")
        session.prints("identical: 2 calls on 1 ranks")
        session.prints("real run: identical to the original: 2 calls")


AGAIN = """int main(int argc, char **argv);
int again(int argc, char **argv) {
    return main(argc, argv);
}
"""


def case_main_is_called_by_another_unit(session):
    session.write("again.c", AGAIN)
    text = PROGRAM.replace("int main(", "int again(int argc, char **argv);\nint main(")
    build(session, "app.c", text.replace("if (argc == 3)\n", "if (argc > 3)\n        return again(argc - 1, argv + 1);\n    if (argc == 3)\n"),
          "gcc", "again.c")
    session.fine("verify", "app.skel", "--real", "--", "1000", "2000", "3000")
    session.prints("identical: 2 calls on 1 ranks")
    session.prints("real run: identical to the original: 2 calls")


def case_a_plain_compiler_links_what_a_wrapper_compiled(session):
    session.write("app.c", PROGRAM)
    session.fine("capture", "--", "sh", "-c", "mpicc -c app.c && gcc -o app app.o")
    session.fine("generate", "-o", "app.skel")
    session.fine("verify", "app.skel", "--real", "--", "1000")
    session.prints("real run: identical to the original: 2 calls")


def case_a_static_program_is_profiled(session):
    build(session, "app.c", PROGRAM, "gcc", "-static")
    session.fine("verify", "app.skel", "--real", "--", "1000")
    session.prints("real run: identical to the original: 2 calls")


def case_libraries_with_mpi_calls_are_refused(session):
    """They would begin MPI a second time."""
    session.write("other.c", "#include <mpi.h>\nvoid other(void) {\n    MPI_Init(0, 0);\n    MPI_Finalize();\n}\n")
    for words in (["mpicc", "-shared", "-fPIC", "-o", "libother.so", "other.c"],):
        subprocess.run(words, cwd=session.directory, check=True)
    session.write("app.c", "void other(void);\nint main(void) {\n    other();\n    return 0;\n}\n")
    session.fine("capture", "--", "mpicc", "-o", "app", "app.c", "-L.", "-lother", "-Wl,-rpath,.")
    session.refused("generate", "-o", "app.skel", says=["the program makes no MPI call itself, but has", "libother.so"])


def case_a_program_without_mpi_computes_on_a_device(session):
    """The devices of a context are known; what else is asked of devices is not."""
    session.write("app.c", ON_DEVICE)
    session.fine("capture", "--", "gcc", "-O1", "-w", "-o", "app", "app.c", "-lOpenCL")
    session.fine("generate", "-o", "app.skel")
    session.fine("verify", "app.skel", "--no-real", "--", "1000")
    session.prints("identical: ")
    for items in ("100000", "200000", "400000"):
        done = start(session, session.path("app.skel/profile"), items)
        expect(done.returncode == 0, f"the profiling build fails: {done.returncode} {done.stderr}")
    session.fine("fit", "app.skel")
    session.fine("run", "app.skel", "--format=json", "--no-jitter", "--", "400000")
    told = json.loads(session.out)
    expect(told["per_rank"]["device_s"]["mean"] > 1e-5, f"{told['per_rank']}")
