# SPDX-License-Identifier: Apache-2.0
"""verify and run: bad numbers of ranks and platforms, applications that fail, results that miss the
asked quality."""
import os
import shutil

from support import APPLICATION, ENVIRONMENT, Failure, expect

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/>
  </zone>
</platform>
"""


def case_slips_of_commands_and_options_are_told(session):
    rows = [(["verfiy"], "no command 'verfiy'; did you mean 'verify'?"), (["rn"], "did you mean 'run'?"),
            (["help", "swep"], "did you mean 'sweep'?"), (["simulate"], "`mpiskel --help` lists them"),
            (["run", "app.skel", "--bandwith=2x"], "'--bandwith=2x'; did you mean '--bandwidth'?"),
            (["run", "app.skel", "--sped=all=2x"], "did you mean '--speed'?"),
            (["fit", "--mahcine", "here"], "did you mean '--machine'?"),
            (["generate", "--asume", "cuts"], "did you mean '--assume'?"),
            (["run", "--machine", "--netwrok"], "which bundle?"),
            (["run", "--simultaneous"], "unrecognized option '--simultaneous'\n")]
    for arguments, message in rows:
        session.refused(*arguments, code=64, says=message)
    session.fine("help", "run")
    session.prints("Usage: mpiskel run")


def case_bad_numbers_of_ranks_are_refused(session):
    session.bundle()
    rows = [([], "how many ranks? Give -np N"), (["-np", "0"], "is zero"),
            (["-np", "-3"], "'-3'"), (["-np", "many"], "'many'"), (["-np", "1e3"], "'1e3'"),
            (["-np", "99999999999999999999"], "too large")]
    for arguments, message in rows:
        for command in ("verify", "run"):
            session.refused(command, "app.skel", *arguments, code=64, says=message)


def case_more_ranks_than_hosts_is_told(session):
    session.bundle()
    session.write("p.xml", PLATFORM)
    session.write("hosts", "n0\n")
    session.fine("verify", "app.skel", "-np", "2", "--platform", "p.xml")
    session.refused("verify", "app.skel", "-np", "5", "--platform", "p.xml", "--hostfile", "hosts",
                    says="error: ")
    session.refused("run", "app.skel", "-np", "5", "--platform", "p.xml", says=["error: ", "5"])


def case_bad_platforms_are_refused(session):
    session.bundle()
    session.write("broken.xml", PLATFORM[:len(PLATFORM) // 2])
    session.write("none.xml", PLATFORM.replace("<cluster", "<!-- <cluster").replace("/>", "/> -->"))
    session.write("empty.xml", "")
    rows = [("nowhere.xml", "nowhere.xml"), (".", "error: "), ("broken.xml", "broken.xml:"),
            ("none.xml", "this platform has no hosts"), ("empty.xml", "empty.xml")]
    for path, message in rows:
        for command in ("verify", "run"):
            session.refused(command, "app.skel", "-np", "2", "--platform", path, says=message)


def case_each_rank_has_the_variables_of_its_launcher(session):
    """Six ranks, two on a host; how much they send goes by their number there."""
    session.program(("a.c", r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int number(const char *name) {
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : -1;
}

int main(int argc, char **argv) {
    int on_node = number("OMPI_COMM_WORLD_LOCAL_RANK"), rank, numbers[8] = {0};
    MPI_Comm equal;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d of %d, %d of %d on node %d of %d, %s\n", number("PMI_RANK"),
           number("SLURM_NTASKS"), on_node, number("MPI_LOCALNRANKS"), number("SLURM_NODEID"),
           number("SLURM_NNODES"), getenv("MINE") != NULL ? getenv("MINE") : "nothing");
    MPI_Comm_split(MPI_COMM_WORLD, on_node, rank, &equal);
    MPI_Allreduce(MPI_IN_PLACE, numbers, 1 + on_node, MPI_INT, MPI_SUM, equal);
    MPI_Finalize();
    return 0;
}
"""))
    session.fine("generate", "-o", "app.skel")
    session.fine("verify", "app.skel", "-np", "6", "--ranks-per-node", "2")
    session.fine("run", "app.skel", "-np", "6", "--ranks-per-node", "2", "--original",
                 environment=dict(ENVIRONMENT, MINE="own", OMPI_COMM_WORLD_LOCAL_RANK="7"))
    there = session.out
    session.fine("run", "app.skel", "-np", "6", "--original", "--app-output", "own.txt")
    with open(session.path("own.txt"), encoding="utf-8") as file:
        if len(file.readlines()) != 6 or "rank" in session.out.partition(" ranks: ")[0]:
            raise Failure(session.told("the application's output is not where it was asked for"))
    session.fine("run", "app.skel", "-np", "6", "--original", "--app-output=none")
    expect("of 6," not in session.out, session.told("the application's output is there"))
    session.refused("run", "app.skel", "-np", "6", "--original", "--app-output", "none/own.txt",
                    says="none/own.txt")
    session.out = there
    for rank in range(6):
        session.prints(f"rank {rank} of 6, {rank % 2} of 2 on node {rank // 2} of 3, own\n")


def case_bad_hostfiles_are_refused(session):
    session.bundle()
    session.write("p.xml", PLATFORM)
    session.write("hosts", "n0\nn7\n")
    session.write("none", "\n")
    platform = ["--platform", "p.xml", "--hostfile"]
    session.refused("run", "app.skel", "-np", "2", *platform, "hosts", says=["hosts:2:", "'n7'"])
    session.refused("run", "app.skel", "-np", "2", *platform, "none", says="names no host")
    session.refused("run", "app.skel", "-np", "2", *platform, "nowhere", says="nowhere")


def case_aborting_application_is_told(session):
    session.bundle()
    session.run("verify", "app.skel", "-np", "3", "--", "abort")
    session.expect(0, ["identical up to MPI_Abort", "rank 2"])
    session.prints("identical")
    session.refused("run", "app.skel", "-np", "3", "--", "abort",
                    says="error: rank 2 called MPI_Abort")
    session.refused("run", "app.skel", "-np", "3", "--original", "--", "abort",
                    says="error: rank 2 called MPI_Abort")


def case_requests_of_files_and_neighbours_in_one_call_are_told(session):
    session.program(("a.c", """#include <mpi.h>
int main(int argc, char **argv) {
    int x = 1, rank;
    MPI_File file;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, rank * 4, &x, 1, MPI_INT, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
"""))
    session.fine("generate", "-o", "x.skel")
    session.refused("verify", "x.skel", "-np", "2", says=[
        "a.c:11: error: 'MPI_Waitall' with requests of files under way beside those of a "
        "neighbourhood collective", "complete either first"])


def case_deadlock_is_told(session):
    session.bundle()
    session.refused("verify", "app.skel", "-np", "3", "--", "deadlock",
                    says=["the original failed: deadlock", "the skeleton failed: deadlock"])
    session.refused("run", "app.skel", "-np", "3", "--", "deadlock", says="error: deadlock at")
    for way, name in (("probe", "MPI_Probe"), ("iprobe", "MPI_Iprobe")):
        session.refused("run", "app.skel", "-np", "3", "--", way,
                        says=["error: deadlock at", f"rank 1 waits in {name} at src/app.c:"])
    session.refused("verify", "app.skel", "-np", "3", "--", "probe",
                    says=["the original failed: deadlock", "the skeleton failed: deadlock"])
    session.fine("verify", "app.skel", "-np", "3", "--", "sleep")


def case_crashing_application_is_told(session):
    session.bundle()
    session.refused("verify", "app.skel", "-np", "3", "--", "segfault",
                    says=["the original failed", "signal 11"])
    session.refused("verify", "app.skel", "-np", "3", "--replay", "--", "segfault",
                    says=["the original failed, so that its values are incomplete", "signal 11"])
    expect("the skeleton failed" not in session.err, session.told("the skeleton of what failed is blamed"))
    session.refused("verify", "app.skel", "-np", "3", "--", "fault",
                    says=["the original failed", "signal 11", "under mpirun it crashes, too"])
    if not session.out.startswith("not verified: what the original recorded before it crashed"):
        raise Failure(session.told("what was lost is compared"))
    session.refused("verify", "app.skel", "-np", "3", "--collectives=default", "--", "fault",
                    says="the original failed")
    expect("--collectives=default it" not in session.err, session.told("advice that was taken is given"))
    session.refused("run", "app.skel", "-np", "3", "--", "segfault", says="signal 11")
    session.refused("run", "app.skel", "-np", "3", "--original", "--", "crash", says="signal 6")
    expect(not session.out, session.told("a failed run predicts something"))


def case_difference_exits_with_2(session):
    """The skeleton of another program, which sends one element more, takes the place of the right one."""
    session.bundle()
    session.program(("app.c", APPLICATION.replace("&sum, 1, MPI_DOUBLE", "&sum, 2, MPI_DOUBLE")))
    session.fine("generate", "--skeleton", "-o", "other.skel")
    shutil.copy(session.path("other.skel/skeleton"), session.path("app.skel/skeleton"))
    session.run("verify", "app.skel", "-np", "2")
    session.expect(2, "")
    line = 1 + APPLICATION[:APPLICATION.index("MPI_Allreduce")].count("\n")
    session.prints("different: 2 of 2 ranks")
    session.prints(f"app.c:{line}")
    session.prints("bytes=16")


def case_missed_model_error_exits_with_2(session):
    session.bundle()
    for _ in range(2):
        session.profile("app.skel", "fine", "3000")
    session.run("fit", "app.skel", "--max-error", "0")
    session.expect(2, "")
    session.fine("fit", "app.skel", "--max-error", "1e9")


def case_keep_directory_has_to_be_empty(session):
    session.bundle()
    session.write("kept/old", "records")
    session.refused("verify", "app.skel", "-np", "2", "--keep", "kept", says="is not empty")
    expect(os.listdir(session.path("kept")) == ["old"], "the directory was changed")
