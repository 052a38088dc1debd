# SPDX-License-Identifier: Apache-2.0
"""What `mpiskel generate`, `fit` and `run` print of small programs with `--dump`."""
import json
import os
import re

from support import Failure

STAGES = ("program", "pointsto", "slice", "cut", "plan", "edits")

PROGRAM = r"""#include <mpi.h>
#include <stdlib.h>
static int *chosen, other;
static double sum(const double *x, int n) {
    double total = 0;
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}
static void unused(void) {
    other = 1;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]);
    chosen = &n;
    double *x = calloc(n, sizeof *x), all;
    double mine = sum(x, n);
    MPI_Allreduce(&mine, &all, *chosen, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (argc < 0)
        unused();
    return 0;
}
"""

# A region that takes 1 ns per element, and a number of iterations that is given.
SOLVER = r"""#include <mpi.h>
#include <stdlib.h>
static double work(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] = x[i] * 0.5 + i;
    return sum;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]);
    double error = 1, all, *x = calloc(n, sizeof *x);
    while (error > 1e-3) {
        double mine = work(x, n);
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        error *= 0.5 + 0.1 / (1 + all);
    }
    MPI_Finalize();
    return 0;
}
"""

FITTED = {
    "design": """\
design 0 main-ID app.c:14 in main: whole times, 3 points of 3 runs, 3 configurations
  point run 0 n1=1000: 1e-06 s, weight 0.378, configuration 0
  point run 1 n1=2000: 2e-06 s, weight 0.5345, configuration 1
  point run 2 n1=4000: 4e-06 s, weight 0.7559, configuration 2
""",
    "values": """\
value 1 main-ID app.c:13 in main: trips `while (error > 1e-3)`
  seen run 0 rank 0 n1=1000: 11 times, from 0 to 1, mean 0.909091; in order 1 x10 0 x1
  seen run 0 rank 1 n1=1000: 11 times, from 0 to 1, mean 0.909091; in order 1 x10 0 x1
  seen run 1 rank 0 n1=2000: 11 times, from 0 to 1, mean 0.909091; in order 1 x10 0 x1
  seen run 1 rank 1 n1=2000: 11 times, from 0 to 1, mean 0.909091; in order 1 x10 0 x1
  seen run 2 rank 0 n1=4000: 11 times, from 0 to 1, mean 0.909091; in order 1 x10 0 x1
  seen run 2 rank 1 n1=4000: 11 times, from 0 to 1, mean 0.909091; in order 1 x10 0 x1
  model 10, once for all ranks; error 0%, by runs left out
""",
}

NETWORK = """\
network switch: switch: 2 hosts, 12.5 GB/s and 1 us per link
  topology = switch
  hosts = 2
  cores = 1
  speed = 1e+09f
  prefix = node-
  bandwidth = 1.25e+10Bps
  latency = 1e-06s
  duplex = full
  memory-bandwidth = 1e+10Bps
  memory-latency = 5e-07s
  acknowledgements = none
  connections = shared
  placement = block
engine smpi: SMPI was asked for
collectives bcast=arrival_scatter
  smpi/allgather:rdb
  smpi/allreduce:rdb
  smpi/barrier:ompi_recursivedoubling
  smpi/bcast:binomial_tree
  smpi/gather:ompi_binomial
  smpi/reduce:binomial
  smpi/scatter:ompi_binomial
  replaced: bcast=arrival_scatter delivers wrong data or crashes: binomial_tree is taken
rank 0 node-0
rank 1 node-1
way node-0 to node-0: 1 link, 0.5 us, 10 GB/s
way node-0 to node-1: 2 links, 2 us, 12.5 GB/s
"""

LINES = {
    "program": (r"function sum app\.c:4:1", r"  \d+ declare app\.c:15:\d+ `int n = atoi\(argv\[1\]\)`; .*writes n"),
    "pointsto": (r"object chosen -> n", r"object sum\.x -> heap of app\.c:17:17"),
    "slice": (r"\d+ call app\.c:19 `MPI_Allreduce\(.*\)`: is an MPI call",
              r"\d+ contents app\.c:15 `the contents of n` for \d+: .+"),
    "plan": (r"function main app\.c:13:1", r"  keeps app\.c:16:5 `chosen = &n`", r"region 0 main-[0-9a-f]+ app\.c:1[78]:\d+ .*"),
    "edits": (r"skeleton app\.c:1[78]:\d+ `.*` becomes `.*BSIM_ADD_TIME.*`.*", r"profile app\.c:1[78]:\d+ .*"),
}


def dump(session, stages):
    session.program(("app.c", PROGRAM))
    session.fine("generate", "--dump=" + stages, "--no-progress")
    return session.out


def case_each_stage_tells_what_it_made(session):
    for stage, patterns in LINES.items():
        text = dump(session, stage)
        for pattern in patterns:
            if not re.search("^" + pattern, text, re.MULTILINE):
                raise Failure(f"--dump={stage} has no line {pattern}:\n{text}")
        if dump(session, stage) != text:
            raise Failure(f"--dump={stage} is not the same the second time")


def expect(session, made):
    printed = re.sub(r"main-[0-9a-f]{8}", "main-ID", session.out)
    if printed != made:
        raise Failure(f"not what is expected:\n{printed}")


def solver(session):
    session.program(("app.c", SOLVER))
    session.fine("generate", "--no-compile", "--assume=cuts", "-o", "app.skel")
    for number, n in enumerate((1000, 2000, 4000)):
        name = session.write_run("app.skel", number, 2, [str(n)], lambda region, n=n: (
            [n], *((11, 10) if "value" in region else (10, 1e-8 * n))))
        lines = [json.loads(line) for line in session.read(name).splitlines()]
        for line in lines:
            if line.get("region") == 1:
                line.update(max=1, squares=10, sequence=[1, 10, 0, 1])
        session.write(name, "".join(json.dumps(line) + "\n" for line in lines))


def case_fit_prints_points_and_what_was_seen_of_values(session):
    solver(session)
    for stage, made in FITTED.items():
        session.fine("fit", "app.skel", "--dump=" + stage)
        expect(session, made)


def case_fit_prints_the_forms_that_it_tried(session):
    solver(session)
    session.fine("fit", "app.skel", "--dump=choice")
    head, chosen, *tried = session.out.splitlines()
    if re.fullmatch(r"choice 0 main-\w+ app\.c:14 in main: whole times, \d+ forms", head) is None:
        raise Failure(head)
    if re.fullmatch(r"  chosen error [\d.e-]+%, cost 2: 1e-09\*n1", chosen) is None:
        raise Failure(chosen)
    if len(tried) != int(head.split()[-2]) or not any(re.search(r"cost \d+: [\d.e-]+\*n1\^2$", line) for line in tried):
        raise Failure("forms that were tried are missing:\n" + session.out)


def case_fit_keeps_no_model(session):
    solver(session)
    session.fine("fit", "app.skel", "--dump=design,choice,values")
    if os.path.exists(session.path("app.skel/model.bsim")):
        raise Failure("there is a model")
    session.refused("fit", "app.skel", "--dump=design", "--only-check", code=64, says="leave out --only-check")


def case_run_prints_the_network_and_simulates_nothing(session):
    session.bundle()
    session.fine("run", "app.skel", "-np", "2", "--network", "switch", "--collectives", "bcast=arrival_scatter",
                 "--engine", "smpi", "--dump=network", "--", "deadlock")
    expect(session, NETWORK)


def case_no_bundle_is_made(session):
    dump(session, ",".join(STAGES))
    if sorted(os.listdir(session.directory)) != ["app.c", "compile_commands.json"]:
        raise Failure("there is more than before: " + " ".join(os.listdir(session.directory)))


def case_a_stage_that_there_is_not_is_refused(session):
    session.program(("app.c", PROGRAM))
    session.run("generate", "--dump=slices")
    if session.code == 0 or "--dump takes program, pointsto, slice, cut, plan or edits, not 'slices'" not in session.err:
        raise Failure(f"{session.code}: {session.err}")
