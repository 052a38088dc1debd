#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A function that is added to mpi/calls.def by one row is known everywhere.

    mpi_row.py TREE COMPILER

A directory whose calls.def has one row more comes before the tree among the directories of includes. The
generator of tables is compiled with it; what is made of rows by the preprocessor is preprocessed with it."""
import pathlib
import subprocess
import sys
import tempfile

ROW = ("MPI_ROW(MPI_New_bcast, COLLECTIVE, CRITERION, RUNTIME, int, (PAYLOAD_INOUT, void *, buffer)(COUNT, int, count)\n"
       "        (DATATYPE, MPI_Datatype, datatype)(ROOT, int, root)(COMMUNICATOR, MPI_Comm, comm),\n"
       "        .pattern = MPI_PATTERN_ONE_TO_ALL, .facts = MPI_IS_UNTIMED, .writes = MPI_STATE_NAMES)\n")

GENERATED = {
    "macros": ["int bsim_MPI_New_bcast(const char *bsim_file, int bsim_line, void * bsim_buffer",
               "#define MPI_New_bcast(...)"],
    "names": ["#define PMPI_New_bcast bsim_MPI_New_bcast"],
    "places": ["#define MPI_New_bcast(...)"],
    "table": ["BSIM__ID(MPI_New_bcast)", '{"MPI_New_bcast", ', "bsim_pointer_MPI_New_bcast("],
}
PREPROCESSED = {
    "runtime/record/recorder_calls.c": "int bsim__record_MPI_New_bcast(void * buffer",
    "runtime/profile/profile_calls.c": "int bsim_MPI_New_bcast(void * buffer",
    "runtime/smpi/wrappers.c": "bsim__MPI_New_bcast(buffer",
    "engine/mpi/mpi_names.c": "int MPI_New_bcast(void * buffer",
    "engine/mpi/lacking_calls.c": "int PMPI_New_bcast(void * buffer",
}
TOLD = """#include "mpi/calls.h"
int main(void) {
    const struct mpi_call *call = mpi_call_find("MPI_New_bcast");
    return call != 0 && mpi_call_is_kept(call) && mpi_call_is(call, MPI_IS_UNTIMED) && call->in_smpi &&
                   call->pattern == MPI_PATTERN_ONE_TO_ALL && mpi_payload_count(call, 0) == 1
               ? 0
               : 1;
}
"""


def main():
    tree, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        includes = ["-I", str(work), "-I", str(tree)]
        (work / "mpi").mkdir()
        (work / "mpi/calls.def").write_text((tree / "mpi/calls.def").read_text() + ROW)
        missing = generated(tree, compiler, work, includes)
        missing += preprocessed(tree, compiler, work, includes)
        (work / "told.c").write_text(TOLD)
        build(compiler, includes, work / "told", work / "told.c", tree / "mpi/calls.c")
        if subprocess.run([work / "told"]).returncode != 0:
            missing.append("mpi/calls.c does not have what the row says")
    print("\n".join(missing) or "the row is everywhere")
    return len(missing) > 0


def build(compiler, includes, program, *sources):
    subprocess.run([compiler, "-std=gnu11", *includes, "-o", program, *sources], check=True)


def generated(tree, compiler, work, includes):
    build(compiler, includes, work / "generate", tree / "runtime/generate_tables.c", tree / "mpi/calls.c")
    missing = []
    for what, texts in GENERATED.items():
        made = subprocess.run([work / "generate", what], check=True, text=True, stdout=subprocess.PIPE).stdout
        (work / {"macros": "bsim_calls.h", "table": "bsim_table.h"}.get(what, what)).write_text(made)
        missing += [f"generate {what} lacks: {text}" for text in texts if text not in made]
    return missing


# Headers of MPI, and others that are not of the table, are empty: nothing is compiled.
def preprocessed(tree, compiler, work, includes):
    (work / "mpi.h").write_text("")
    missing = []
    for source, text in PREPROCESSED.items():
        made = subprocess.run([compiler, "-E", "-P", *includes, tree / source], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        if " ".join(text.split()) not in " ".join(made.split()).replace("( ", "("):
            missing.append(f"{source} lacks: {text}")
    return missing


if __name__ == "__main__":
    sys.exit(main())
