# SPDX-License-Identifier: Apache-2.0
"""What every command does alike: help, what is said on standard error, options that are taken back, where pages
are, and characters of names that would steer a terminal."""
import json
import os
import pty
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "scripts"))
from support import APPLICATION, ENVIRONMENT, expect  # noqa: E402
from tool_help import Tool  # noqa: E402


def case_every_command_has_its_help_at_h(session):
    for command in Tool(session.mpiskel).commands:
        session.fine(command, "--help")
        wanted = session.out
        session.fine(command, "-h")
        expect(session.out == wanted, f"{command} -h: {session.out}")
    session.fine("-h")
    session.prints("Commands, in the order of use:")


def case_a_value_that_looks_like_h_stays_a_value(session):
    session.refused("run", "app.skel", "-np", "2", "--placement", "-h", code=1, says="")
    expect("Usage" not in session.out, session.out)


def case_quiet_leaves_out_notes_and_keeps_warnings(session):
    session.bundle_without_runs()
    session.write("link_commands.json", "[]")
    session.write("Makefile", "all:\n\tmpicc -c app.c\n")
    session.fine("capture", "--", "make", "-B")
    expect("mpiskel: recorded 1 compile" in session.err, session.err)
    session.fine("capture", "--quiet", "--", "make", "-B")
    expect("mpiskel:" not in session.err, session.err)
    session.fine("capture", "--quiet", "-o", "/dev/stdout", "--", "make", "-B")
    expect("mpiskel: warning: link_commands.json is left out" in session.err, session.err)


def case_verbose_tells_which_programs_are_started(session):
    session.bundle_without_runs()
    session.fine("run", "--verbose", "app.skel", "-np", "2", "--original")
    expect("mpiskel: $ " in session.err and "app.skel/original" in session.err, session.err)
    session.fine("run", "app.skel", "-np", "2", "--original")
    expect("mpiskel: $ " not in session.err, session.err)


def case_the_last_of_two_opposites_counts(session):
    session.bundle_without_runs()
    session.fine("generate", "--no-compile", "-o", "sources.skel")
    expect(not os.path.exists(session.path("sources.skel/profile")), "--no-compile compiles")
    session.fine("generate", "--no-compile", "--compile", "-o", "whole.skel")
    expect(os.path.exists(session.path("whole.skel/profile")), "--compile is no opposite")
    session.fine("generate", "--compile", "--no-compile", "-o", "again.skel")
    expect(not os.path.exists(session.path("again.skel/profile")), "the first one counts")
    one = ("run", "app.skel", "-np", "2", "--original", "--format=json")
    session.fine(*one, "--attribute", "--no-attribute")
    expect("attribution" not in json.loads(session.out), session.out)
    session.fine("whatif", "app.skel", "-np", "2", "--no-attribute", "--attribute", "-h")
    session.refused("run", "app.skel", "-np", "2", "--no-network", code=64, says="--no-network")


def case_pages_are_named_by_the_place_where_they_are(session):
    session.fine("--documents")
    documents = session.out.strip()
    expect(os.path.exists(documents + "/docs/how-to/troubleshooting.md"), documents)
    expect(os.path.exists(documents + "/examples/heat3d/Makefile"), documents)
    session.write("empty.txt", "")
    session.bundle_without_runs()
    session.refused("run", "app.skel", "-np", "2", "--original", "--clock=counted:empty.txt", code=64,
                    says=documents + "/docs/reference/processor.md says what it has")


USAGE = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 2) {
        if (rank == 0)
            fprintf(stderr, "usage: app N\\n");
        MPI_Finalize();
        return 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_a_program_that_printed_its_usage_gets_no_prediction(session):
    session.program(("app.c", USAGE))
    session.fine("generate", "-o", "app.skel")
    for options in ((), ("--original",)):
        session.refused("run", "app.skel", "-np", "2", *options, says="returned 1 and printed its usage")
        expect("predicted" not in session.out, session.out)
        session.fine("run", "app.skel", "-np", "2", *options, "--", "3")
    session.refused("verify", "app.skel", "--no-real", "-np", "2", says="returned 1 and printed its usage")


def case_an_interrupted_recording_blames_nobody(session):
    with subprocess.Popen([session.mpiskel, "record", "-o", "rec", "--", "sleep", "60"], cwd=session.directory,
                          env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        session.wait_for(lambda: subprocess.run(["pgrep", "-P", str(process.pid), "sleep"], capture_output=True,
                                                check=False).returncode == 0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    expect(process.returncode == 130 and err == "mpiskel: error: interrupted: rec has a part of the run\n",
           f"exit code {process.returncode}: {out}{err}")


def case_next_steps_can_be_pasted_and_know_what_is_missing(session):
    session.program(("app.c", APPLICATION))
    session.fine("generate", "-o", "my app.skel")
    session.prints("next: mpiskel verify 'my app.skel' -np 4 -- ARGUMENTS, or small runs of 'my app.skel/profile' and mpiskel fit\n")
    session.fine("verify", "my app.skel", "--no-real", "-np", "2")
    expect("next:" not in session.out, session.out)  # scripts read the verdict
    shown = on_terminal(session, "verify", "my app.skel", "--no-real", "-np", "2")
    expect("next: mpirun --oversubscribe -np 2 'my app.skel/profile' ARGUMENTS," in shown and "then mpiskel fit 'my app.skel'" in shown, shown)
    session.profile("my app.skel", "fine", "1000")
    session.fine("fit", "my app.skel")
    session.prints("next: all profiling runs had one input: run 'my app.skel/profile' with other sizes")
    session.prints("mpiskel plan 'my app.skel' --target '-np RANKS ARGUMENTS' lists them")
    session.fine("plan", "my app.skel", "--target", "-np 4 fine 4000")
    session.profile("my app.skel", "fine", "2000")
    session.fine("fit", "my app.skel")
    session.prints("next: predict any ranks and arguments, such as those of a profiling run: "
                   "mpiskel run 'my app.skel' -np 2 -- fine 2000\n")
    shown = on_terminal(session, "verify", "my app.skel", "--no-real", "-np", "2")
    expect("identical" in shown and "next:" not in shown, shown)


def case_a_recording_says_what_comes_next(session):
    session.program(("app.c", APPLICATION))
    subprocess.run(["mpicc", "-o", "app", "app.c"], cwd=session.directory, check=True)
    shown = on_terminal(session, "record", "-o", "my run", "--", "mpirun", "--oversubscribe", "-np", "2", "./app", "fine", "50")
    expect("next: mpiskel report 'my run' shows it" in shown, shown)
    session.fine("record", "-o", "other", "--", "mpirun", "--oversubscribe", "-np", "2", "./app", "fine", "50")
    expect("next:" not in session.out, session.out)


def case_options_of_the_command_that_is_started_stand_behind_it(session):
    for option in ("-np", "--np", "-n2"):
        session.refused("record", "-o", "runs", option, "2", "./app", code=64,
                        says=f"unrecognized option '{option}'; options of the command that is started stand behind "
                             "it: mpiskel record -o DIR [--set NAME=VALUE,...] -- COMMAND [ARGUMENT...]")
    session.refused("capture", "-j2", "make", code=64, says="stand behind it: mpiskel capture")
    session.refused("record", "-oruns", code=64, says="no command; for example")


def case_scale_of_a_bundle_that_is_not_there_says_so(session):
    session.refused("scale", "no.skel", "-np", "1,2", "--", "7", code=64,
                    says="there is no bundle no.skel: make one with `mpiskel generate -o no.skel`")


SOLVER = r"""#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000, steps = 0;
    double *x = calloc(n, sizeof *x), rest = 1;
    MPI_Init(&argc, &argv);
    while (STOP) {
        double mine = 0;
        for (int k = 0; k < 100; k++)
            for (int i = 0; i < n; i++)
                mine += x[i] = 0.5 * (x[i] + i);
        MPI_Allreduce(&mine, &rest, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"""


def case_a_skeleton_that_computes_as_much_as_the_program_says_so(session):
    said = "the skeleton computes nearly as much as the program: "
    for stop, options, is_said in (("rest > 1e-9", (), True), ("steps++ < 10", (), False),
                                   ("rest > 1e-9", ("--assume=cuts",), False)):
        session.program(("app.c", SOLVER.replace("STOP", stop)))
        session.fine("generate", "-o", "app.skel", "--no-compile", *options)
        expect((said in session.out) == is_said, f"{stop} {options}: {session.out}")


STEERING = "red\x1b[31m\x9b2J\x07.c"


def on_terminal(session, *words):
    """What arrives at a terminal."""
    read_end, write_end = pty.openpty()
    with subprocess.Popen([session.mpiskel, *words], cwd=session.directory, env=ENVIRONMENT, stdout=write_end,
                          stderr=write_end, stdin=subprocess.DEVNULL) as process:
        os.close(write_end)
        text = b""
        try:
            while chunk := os.read(read_end, 65536):
                text += chunk
        except OSError:  # the other end is closed
            pass
        process.wait(timeout=600)
    os.close(read_end)
    return text.decode(errors="replace")


def case_characters_that_steer_a_terminal_are_shown(session):
    session.refused("fit", STEERING + ".skel", code=1, says="red\\x1b[31m\\xc2\\x9b2J\\x07.c.skel")
    expect("\x1b" not in session.err, session.err)
    session.write("t.trace", "no trace")
    os.rename(session.path("t.trace"), session.path(STEERING))
    told = on_terminal(session, "trace", "info", STEERING)
    expect("\x1b" not in told and "\\x1b[31m" in told, repr(told))


def case_reports_on_a_terminal_show_such_characters(session):
    session.bundle()
    described = json.loads(session.read("app.skel/regions.json"))
    for region in described["regions"]:
        region["function"] = "work\x1b[2J"
    session.write("app.skel/regions.json", json.dumps(described))
    told = on_terminal(session, "run", "app.skel", "-np", "2")
    expect("\x1b[2J" not in told and "work\\x1b[2J" in told, repr(told))
