# SPDX-License-Identifier: Apache-2.0
"""`mpiskel machines`, `models` and `plan` on bundles whose samples are written by hand."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

from support import Failure, expect_same as expect

BUNDLE = "0123456789abcdef"


def write_bundle(session, name="a.skel", bundle=BUNDLE):
    """Regions 0 (n1, n2), 1 (never executed) and 2 (n1)."""
    regions = [{"index": index, "id": f"f-{index}", "kind": "computation", "function": "f",
                "file": "heat.c", "line": 10 * index + 10, "end_line": 10 * index + 15,
                "summary": "", "code": f"code{index}",
                "features": [{"name": f"n{i + 1}", "expression": "n", "meaning": f"size {i + 1}"}
                             for i in range(count)]}
               for index, count in enumerate((2, 0, 1))]
    session.write(f"{name}/regions.json", json.dumps(
        {"format": "mpiskel-regions", "version": 3, "bundle": bundle, "program": "heat",
         "root": session.directory, "assumptions": "", "regions": regions, "lines": {}, "files": [],
         "demands": []}))


def write_samples(session, run, ranks, arguments, latency_s, name="a.skel", cpu="cpu", bundle=BUNDLE):
    """latency_s(region, n): of both regions with n1 = arguments[0] / ranks, n2 = 3 n1."""
    n = int(arguments[0]) / ranks
    lines = [{"format": "mpiskel-samples", "version": 1, "bundle": bundle, "run": run, "ranks": ranks,
              "host": "host", "cpu": cpu, "args": arguments, "clock": "cpu", "cache": "as is",
              "timer_overhead_s": 0, "complete": True}]
    for rank in range(ranks):
        for region, features in ((0, [n, 3 * n]), (2, [n])):
            lines.append({"region": region, "rank": rank, "features": features, "count": 10, "timed": 10,
                          "seconds": 10 * latency_s(region, n), "squares": 0, "min": 0, "max": 0})
    lines.append({"end": True, "lines": len(lines) - 1})
    session.write(f"{name}/samples/{run}.samples", "".join(json.dumps(line) + "\n" for line in lines))


def linear(factor):
    return lambda region, n: factor * n * (1e-6 if region == 0 else 1e-7)


def fitted_bundle(session):
    """Machines fast (3 runs) and slow (twice as slow, 4 runs, the last two repeat each other)."""
    write_bundle(session)
    for i, size in enumerate((100, 200, 400)):
        write_samples(session, f"20261120-10000{i}-1", 2, [str(size)], linear(1))
    session.fine("fit", "a.skel", "--machine", "fast")
    for i, size in enumerate((100, 200, 400, 400)):
        write_samples(session, f"20261121-10000{i}-1", 1, [str(size)], linear(3 if i == 3 else 2),
                      cpu="slow cpu")
    session.fine("fit", "a.skel", "--machine", "slow")


def report(session, *arguments):
    session.fine(*arguments, "--format=json")
    return json.loads(session.out)


# ---- machines ----

def case_machines_are_listed(session):
    fitted_bundle(session)
    machines = report(session, "machines", "list", "a.skel")["machines"]
    expect(["fast", "slow"], [machine["name"] for machine in machines])
    fast = machines[0]
    expect((3, 2, 2, 2, ["cpu"], ["host"], ["median"]),
           tuple(fast[key] for key in ("run_count", "ranks_min", "ranks_max", "region_count",
                                       "processors", "hosts", "models")))
    expect(("20261120-100000-1", "20261120-100002-1"), (fast["first_run"], fast["last_run"]))
    expect(round(700 * 10 * 1.1e-6, 12), round(fast["total_s"], 12))
    session.fine("machines", "list", "a.skel")
    session.prints("fast                 3       2       2 of 3     0.0077  2026-11-20 10:00")


def case_a_machine_is_shown_with_its_runs(session):
    fitted_bundle(session)
    session.fine("machines", "show", "a.skel", "slow")
    session.prints("processor: slow cpu")
    session.prints("heat.c:20                           0  no samples")
    machine = report(session, "machines", "show", "a.skel", "slow")["machine"]
    expect([["100"], ["200"], ["400"], ["400"]], [run["args"] for run in machine["runs"]])
    expect([4, 0, 4], [region["samples"] for region in machine["regions"]])
    session.refused("machines", "show", "a.skel", "none", says=["machine 'none'", "only of: fast, slow"])


def case_a_machine_is_carried_to_another_bundle(session):
    fitted_bundle(session)
    write_bundle(session, "b.skel")
    session.fine("machines", "export", "a.skel", "slow", "-o", "slow.machine")
    session.fine("machines", "import", "b.skel", "slow.machine")
    if "4 runs with 8 samples imported" not in session.err:
        raise Failure(session.told("how much was imported is not told"))
    session.fine("machines", "export", "b.skel", "slow", "-o", "again.machine")
    expect(session.read("slow.machine"), session.read("again.machine"))
    session.fine("fit", "b.skel", "--machine", "slow")
    expect(session.out.replace("b.skel", "a.skel"),
           (session.fine("fit", "a.skel", "--machine", "slow"), session.out)[1])


def case_foreign_machine_files_are_refused(session):
    fitted_bundle(session)
    session.fine("machines", "export", "a.skel", "slow", "-o", "slow.machine")
    text = session.read("slow.machine")
    session.write("other.machine", text.replace(BUNDLE, "f" * 16).replace('"code":"', '"code":"x'))
    before = session.contents("a.skel")
    session.refused("machines", "import", "a.skel", "other.machine", says="other.machine:1: error: these runs are "
                                                                         "foreign")
    session.write("half.machine", text[:len(text) // 2])
    session.refused("machines", "import", "a.skel", "half.machine", says=["half.machine:", "truncated"])
    session.refused("machines", "import", "a.skel", "none.machine", says="none.machine")
    session.refused("machines", "import", "a.skel", "slow.machine", "--as", "fast",
                    says=["processor 'slow cpu'", "--as NAME"])
    session.expect_contents("a.skel", before)


def case_machines_and_runs_get_other_names(session):
    fitted_bundle(session)
    session.fine("machines", "rename", "a.skel", "slow", "old")
    session.fine("machines", "label", "a.skel", "20261121-100003-1", "older")
    names = [(machine["name"], machine["run_count"])
             for machine in report(session, "machines", "list", "a.skel")["machines"]]
    expect([("fast", 3), ("old", 3), ("older", 1)], names)
    session.refused("machines", "rename", "a.skel", "old", "fast", says="there is a machine 'fast'")
    session.refused("machines", "rename", "a.skel", "old", "a b", says="a machine's name")
    session.refused("machines", "label", "a.skel", "none", "x", says="no run 'none'")


def case_a_forgotten_run_does_not_come_back(session):
    fitted_bundle(session)
    session.fine("machines", "forget", "a.skel", "20261121-100003-1")
    session.fine("fit", "a.skel", "--machine", "slow")
    expect(3, report(session, "machines", "list", "a.skel")["machines"][1]["run_count"])
    os.rename(session.path("a.skel/samples/20261121-100003-1.samples.forgotten"),
              session.path("a.skel/samples/20261121-100003-1.samples"))
    session.fine("fit", "a.skel", "--machine", "slow")
    expect(4, report(session, "machines", "list", "a.skel")["machines"][1]["run_count"])
    session.refused("machines", "forget", "a.skel", "none", says="no run 'none'")


def case_wrong_use_of_machines_is_told(session):
    write_bundle(session)
    for arguments, says in ((["machines"], "what to do"), (["machines", "lists", "a.skel"], "no action 'lists'"),
                            (["machines", "list"], "usage: mpiskel machines list APP.skel"),
                            (["machines", "export", "a.skel", "m"], "Give -o FILE"),
                            (["machines", "list", "a.skel", "-o", "x"], "-o goes with export"),
                            (["machines", "list", "a.skel", "--as", "x"], "--as goes with import"),
                            (["machines", "list", "a.skel", "--format=csv"], "text or json")):
        session.refused(*arguments, code=64, says=says)
    session.refused("machines", "list", "none.skel", says="there is no bundle none.skel")
    session.refused("machines", "list", "a.skel", says="has no store")
    session.write("a.skel/store.db", "no database at all, whatever its name may be" * 50)
    session.refused("machines", "list", "a.skel", says="a.skel/store.db: error: ")


# ---- the statistic of repeated runs ----

def case_the_statistic_of_repeated_runs_can_be_chosen(session):
    """Three repetitions take 1, 2 and 9 per unit; each is a run of its own."""
    write_bundle(session)
    for i, factor in enumerate((9, 1, 2)):
        for k, size in enumerate((100, 200, 400)):
            write_samples(session, f"r{i}{k}", 1, [str(size)], linear(factor))
    for statistic, factor in (("median", 2), ("minimum", 1), ("mean", 4), (None, 2)):
        options = ["--statistic", statistic] if statistic else []
        fitted = report(session, "fit", "a.skel", *options)
        expect(statistic or "median", fitted["statistic"])
        region = fitted["regions"][0]
        expect((3, 3), (region["points"], region["runs"]))
        total = sum(term["coefficient_s"] * (3 if term["exponents"][1] == 1 else 1) for term in region["terms"])
        if abs(total / (factor * 1e-6) - 1) > 1e-6:
            raise Failure(f"{statistic}: {region['formula']}")
    session.refused("fit", "a.skel", "--statistic", "least", code=64, says="median, minimum or mean")


# ---- models ----

def case_models_are_shown_as_they_were_fitted(session):
    fitted_bundle(session)
    for format in ("text", "json", "csv"):
        session.fine("fit", "a.skel", "--machine", "slow", f"--format={format}")
        wanted = session.out.replace("mpiskel-fit", "mpiskel-models")
        wanted = re.sub(r"next: predict .*\n", "", wanted)
        session.fine("models", "show", "a.skel", "slow", f"--format={format}")
        expect(wanted, session.out)
    session.fine("fit", "a.skel", "--machine", "slow", "--statistic", "minimum")
    expect("minimum", report(session, "models", "show", "a.skel", "slow")["statistic"])
    expect("median", report(session, "models", "show", "a.skel", "slow:median")["statistic"])
    session.fine("models", "show", "a.skel", "slow", "--formulas=latex")
    session.prints("\\cdot")


def case_two_machines_are_compared_at_the_same_work(session):
    """Region 0 is 2 times as slow on slow, 2.5 times at the largest size (runs of 2 and 3 times)."""
    fitted_bundle(session)
    write_samples(session, "small", 2, ["50"], linear(1))
    session.fine("fit", "a.skel", "--machine", "fast")
    found = report(session, "models", "compare", "a.skel", "fast", "slow")
    expect(("fast", "slow"), (found["a"]["machine"], found["b"]["machine"]))
    first, never, last = found["regions"]
    expect((False, False), (never["on_a"], never["on_b"]))
    for region in (first, last):
        if not (2 <= region["ratio"] <= 2.5 and
                region["ratio_min"] * 0.999 <= region["ratio"] <= region["ratio_max"] * 1.001):
            raise Failure(session.told("the ratio is not between 2 and 2.5"))
        expect((5, 1, 2), (region["vectors"], region["outside_a"], region["outside_b"]))
    expect(10, round(first["a_s"] / last["a_s"], 6))
    expect(round(10 / 11, 9), round(first["a_share"], 9))
    back = report(session, "models", "compare", "a.skel", "slow", "fast")
    expect(round(1, 9), round(back["ratio"] * found["ratio"], 9))
    session.fine("models", "compare", "a.skel", "fast", "slow")
    session.prints("1 of 5 feature vectors outside of fast's samples")
    session.fine("models", "compare", "a.skel", "fast", "slow", "--format=csv")
    expect(4, len(session.out.splitlines()))


def case_two_statistics_are_compared(session):
    fitted_bundle(session)
    session.fine("fit", "a.skel", "--machine", "slow", "--statistic", "minimum")
    found = report(session, "models", "compare", "a.skel", "slow:median", "slow:minimum")
    expect(("median", "minimum"), (found["a"]["statistic"], found["b"]["statistic"]))
    expect(1, round(report(session, "models", "compare", "a.skel", "slow", "slow:minimum")["ratio"], 12))
    if not found["ratio"] < 1:
        raise Failure(session.told("the minimum is not less than the median"))


def case_missing_models_are_told(session):
    fitted_bundle(session)
    session.refused("models", "show", "a.skel", says=["no run of machine 'default'", "fast:median, slow:median"])
    session.refused("models", "show", "a.skel", "fast:mean",
                    says="`mpiskel fit a.skel --machine fast --statistic mean` makes them")
    session.refused("models", "show", "a.skel", "fast:x", says="median, minimum or mean, not 'x'")
    session.refused("models", "compare", "a.skel", "fast", "none", says="no run of machine 'none'")
    session.refused("models", "compare", "a.skel", "fast", code=64, says="usage: mpiskel models compare")
    session.refused("models", "list", "a.skel", code=64, says="no action 'list'")
    session.refused("models", code=64, says="what to do")
    session.refused("models", "show", "none.skel", says="there is no bundle none.skel")


# ---- The terminal ----

def on_terminal(session, columns, *arguments):
    """What the command writes to a terminal of so many columns."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([session.mpiskel, *arguments], cwd=session.directory, stdin=its, stdout=its,
                               stderr=its, close_fds=True)
    os.close(its)
    text = b""
    try:
        while chunk := os.read(ours, 65536):
            text += chunk
    except OSError:  # the other side was closed
        pass
    process.wait(timeout=600)
    os.close(ours)
    return text.decode()


def case_tables_and_progress_fit_the_terminal(session):
    fitted_bundle(session)
    session.fine("fit", "a.skel", "--machine", "fast")
    whole = [line for line in session.out.splitlines() if "heat.c:10" in line]
    expect(True, len(whole) == 1 and len(whole[0]) > 60)
    rows = [line for line in on_terminal(session, 60, "fit", "a.skel", "--machine", "fast").split("\r\n")
            if "heat.c:10" in line]
    expect([whole[0][:57] + "..."], rows)
    session.program(("grid.c", GRID))
    shown = on_terminal(session, 24, "generate", "-o", "grid.skel")
    for part in "\r\033[Kparsing 1 of 1 units\r", "\r\033[Kbuilding the profile...\r", "\r\033[Kgrid.skel: 1 unit":
        if part not in shown:
            raise Failure(f"this does not show '{part}':\n{shown!r}")
    if "parsing" in on_terminal(session, 24, "generate", "-o", "grid.skel", "--no-progress"):
        raise Failure("--no-progress shows progress")


# ---- plan ----

# Arguments: cells of all ranks, of one row, steps, and a number that has to be that of the ranks.
GRID = r"""
#include <mpi.h>
#include <stdlib.h>

static double relax(double *x, int rows, int cells) {
    double sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cells; j++)
            sum += x[i * cells + j] = x[i * cells + j] * 0.5 + i - j;
    return sum;
}

int main(int argc, char **argv) {
    int size;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = atoi(argv[1]) / size, cells = atoi(argv[2]), steps = atoi(argv[3]);
    if (rows < 1 || (argc > 4 && atoi(argv[4]) != size))
        MPI_Abort(MPI_COMM_WORLD, 3);
    double *x = calloc((size_t)rows * cells, sizeof *x);
    for (int step = 0; step < steps; step++) {
        sum += relax(x, rows, cells);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
"""


def grid_bundle(session):
    session.program(("grid.c", GRID))
    session.fine("generate", "-o", "grid.skel")


def relax_of(found):
    return found["regions"][0]


def near(wanted, number, factor):
    if not wanted / factor <= number <= wanted * factor:
        raise Failure(f"{number} is not within a factor {factor} of {wanted}")


def case_a_plan_needs_no_samples(session):
    """1,000 rows of 50 cells on each of 16 ranks."""
    grid_bundle(session)
    found = report(session, "plan", "grid.skel", "--target", "-np 16 16000 50 100")
    expect([("arg1", "size"), ("arg2", "size"), ("arg3", "repeats")],
           [(number["name"], number["kind"]) for number in found["numbers"]])
    expect((0, 0), (found["run_count"], relax_of(found)["vectors"]))
    first = found["runs"][0]
    near(1000, int(first["args"][0]) / first["ranks"], 1.01)
    expect(["50", "100"], first["args"][1:])
    expect(f"mpirun --oversubscribe -np {first['ranks']} grid.skel/profile {' '.join(first['args'])}",
           first["command"])
    if len(found["runs"]) < 3:
        raise Failure(session.told("three different runs are needed to tell an error"))
    if not (found["lacking_after"] < 0.2 < 2 < found["lacking_before"] and found["cost_s"] <= 60):
        raise Failure(session.told("the plan does not bring enough, or costs too much"))
    expect(len(found["runs"]), len({(run["ranks"], *run["args"]) for run in found["runs"]}))


def case_a_plan_tells_which_arguments_it_holds_fixed(session):
    """Both numbers of the target are those of all runs, or they vary: what the runs say."""
    grid_bundle(session)
    target = ["plan", "grid.skel", "--target", "-np 16 16000 50 100", "--runs", "3"]
    found = report(session, *target)
    values = [{run["args"][i] for run in found["runs"]} for i in range(3)]
    same = [f"arg{i + 1}" for i in range(3) if len(values[i]) == 1]
    expect(same, [number["name"] for number in found["fixed"]])
    if "arg3" not in same:
        raise Failure(session.told("the steps are not held fixed, so this case tells nothing"))
    session.fine(*target)
    session.prints("arg3 at 100 (as in the target)")
    session.profile("grid.skel", "400", "50", "5")
    session.fine("fit", "grid.skel")
    if "arg3" in [number["name"] for number in report(session, *target)["fixed"]]:
        raise Failure(session.told("a run that was made with other steps is not counted"))


def case_planned_runs_are_made(session):
    grid_bundle(session)
    target = ["plan", "grid.skel", "--target", "-np 16 16000 50 20"]
    session.fine(*target, "--run", "--runs", "3")
    if "run 3 of 3: mpirun" not in session.err or "now `mpiskel fit grid.skel`" not in session.err:
        raise Failure(session.told("what is done is not told"))
    expect(3, len(os.listdir(session.path("grid.skel/samples"))))
    session.fine("fit", "grid.skel")
    found = report(session, *target)
    expect(3, found["run_count"])
    expect(1, relax_of(found)["outside"])
    if not relax_of(found)["distance"] < 0.1:
        raise Failure(session.told("the runs were not made where they should"))
    session.fine(*target)
    session.prints("  inside")


def case_a_plan_tells_of_samples_that_it_does_not_see(session):
    grid_bundle(session)
    target = ["plan", "grid.skel", "--target", "-np 4 4000 50 5", "--simulations", "5"]
    session.fine(*target)
    if "note:" in session.err:
        raise Failure(session.told("there is nothing to be noted"))
    session.profile("grid.skel", "400", "50", "5")
    session.fine(*target)
    if "`mpiskel fit grid.skel` reads them" not in session.err:
        raise Failure(session.told("that samples are not in the store is not told"))
    session.fine("fit", "grid.skel", "--machine", "here")
    session.fine(*target)
    if "no run of machine 'default', only of: here" not in session.err:
        raise Failure(session.told("that there is another machine is not told"))
    expect(1, report(session, *target, "--machine", "here")["run_count"])
    session.prints('"machine": "here"')


def case_features_that_varied_together_are_told_apart(session):
    """Profiled with as many rows as cells; 2,000 rows of 20 cells are asked for."""
    grid_bundle(session)
    for n in (50, 100, 200, 400):
        session.profile("grid.skel", str(2 * n), str(n), "5")
    session.fine("fit", "grid.skel")
    found = report(session, "plan", "grid.skel", "--target", "-np 4 8000 20 5")
    if "n2 varied with n1" not in relax_of(found)["note"]:
        raise Failure(session.told("that rows and cells varied together is not told"))
    first = found["runs"][0]
    near(2000, int(first["args"][0]) / first["ranks"], 1.5)
    near(20, int(first["args"][1]), 1.5)
    after, before = relax_of(found)["deviation_after"], relax_of(found)["deviation"]
    if not after < before / 2:
        raise Failure(session.told("the runs do not tell rows and cells apart"))
    session.fine("plan", "grid.skel", "--target", "-np 4 8000 20 5")
    session.prints("n1 5x above 50..400")


def case_configurations_that_the_program_refuses_are_left_out(session):
    grid_bundle(session)
    found = report(session, "plan", "grid.skel", "--target", "-np 8 8000 50 10 8")
    expect(0, len([run for run in found["runs"] if int(run["args"][3]) != run["ranks"]]))
    expect("bound", found["numbers"][3]["kind"])
    if found["refused"] == 0 or not found["runs"]:
        raise Failure(session.told("refused configurations are not counted, or there is no plan"))
    session.refused("plan", "grid.skel", "--target", "-np 8 8000 50 10 7",
                    says=["the target cannot be simulated", "MPI_Abort"])


def case_the_budget_is_kept(session):
    grid_bundle(session)
    target = ["plan", "grid.skel", "--target", "-np 16 16000 50 20", "--simulations", "40"]
    costs = [run["cost_s"] for run in report(session, *target)["runs"]]
    budget = 0.5 * max(costs)
    found = report(session, *target, "--budget", str(budget))
    if not 0 < sum(run["cost_s"] for run in found["runs"]) <= budget:
        raise Failure(session.told("the budget is not kept"))
    session.fine(*target, "--budget", "1e-12")
    session.prints("no run within 1e-12 s would help")
    expect(1, max(run["ranks"] for run in report(session, *target, "--max-ranks", "1")["runs"]))


def case_wrong_use_of_plan_is_told(session):
    grid_bundle(session)
    for arguments, says in (([], "which bundle"), (["grid.skel"], "--target"),
                            (["grid.skel", "--target", "-np 4", "x"], "--target"),
                            (["grid.skel", "--target", "-np 4 1", "--budget", "0"], "--budget"),
                            (["grid.skel", "--target", "-np 4 1", "--max-ranks", "0"], "--max-ranks"),
                            (["grid.skel", "--target", "-np 4 1", "--format=csv"], "text or json")):
        session.refused("plan", *arguments, code=64, says=says)
    for target, says in (("4 8000", "does not begin with -np"), ("-np", "does not begin with -np"),
                         ("-np x 1", "-np"), ("-np 0 1", "-np"), ("-np 4 'a", "a quote has no end")):
        session.refused("plan", "grid.skel", "--target", target, says=says)
    fine = ["plan", "grid.skel", "--target", "-np 4 4000 50 5", "--simulations", "20"]
    session.refused(*fine, "--run=mpirun -np {np}", says="has no {}")
    session.refused(*fine, "--machine", "a b", says="no name of a machine")
    session.refused(*fine, "--run=false {np} {} {args}", says="run 1 failed with exit code 1")
    session.refused(*fine, "--run=/none/mpirun {}", says="/none/mpirun")
    session.refused(*fine, "--run", "false {}", says=["run 1 failed", ": false grid.skel/profile"])
    os.remove(session.path("grid.skel/skeleton"))
    os.rename(session.path("grid.skel/commands"), session.path("commands"))
    session.refused(*fine, says="skeleton is missing")
    session.refused("plan", "none.skel", "--target", "-np 4 1", says="there is no bundle none.skel")
