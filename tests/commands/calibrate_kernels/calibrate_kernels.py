# SPDX-License-Identifier: Apache-2.0
"""`mpiskel calibrate`, and models that several regions share.

Each case runs in a directory of its own. Nothing here depends on how long something takes, only on
what is predicted from it.
"""
import json
import os
import subprocess

import support

TOY = """
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc) {
    (void)ta, (void)tb;
    for (int j = 0; j < *n; j++)
        for (int i = 0; i < *m; i++) {
            double sum = 0;
            for (int l = 0; l < *k; l++)
                sum += a[i + l * *lda] * b[l + j * *ldb];
            c[i + j * *ldc] = *alpha * sum + *beta * c[i + j * *ldc];
        }
}
"""

# dgemm_ is called with two arguments only, fill once more with three.
APPLICATION = """
#include <mpi.h>
#include <stdlib.h>
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *);
static void fill(int n, double *a, double *b, double *c) {
    for (int i = 0; i < n * n; i++)
        a[i] = b[i] = c[i] = 1e-3;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 32;
    double one = 1, *a, *b, *c;
    MPI_Init(&argc, &argv);
    a = malloc(n * n * sizeof *a), b = malloc(n * n * sizeof *b), c = malloc(n * n * sizeof *c);
    fill(n, a, b, c);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc == 3) {
        dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &one, c, &n);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    fill(n, c, b, a);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc == 4) {
        fill(n, b, a, c);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"""


class Session(support.Session):
    def __init__(self, mpiskel, directory):
        super().__init__(mpiskel, directory)
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OPENBLAS_NUM_THREADS="1")

    def json(self, name):
        return json.loads(self.read(name))

    def command(self, *words):
        return subprocess.run(words, cwd=self.directory, env=self.environment, text=True,
                              capture_output=True, timeout=600, check=False)

    def fine(self, *words):
        result = self.command(*words)
        assert result.returncode == 0, (words, result.returncode, result.stdout, result.stderr)
        return result

    def tool(self, *words):
        return self.fine(self.mpiskel, *words)

    def refused(self, *words, code, says):
        result = self.command(self.mpiskel, *words)
        assert result.returncode == code, (words, result.returncode, result.stderr)
        assert says in result.stderr, (words, result.stderr)

    def make_application(self):
        self.write("toy.c", TOY)
        self.write("app.c", APPLICATION)
        self.fine("gcc", "-O2", "-shared", "-fPIC", "toy.c", "-o", "libtoy.so")
        library = f"-L{self.directory} -Wl,-rpath,{self.directory} -ltoy"
        self.tool("capture", "--", "mpicc", "-O2", "app.c", "-o", "app", *library.split())
        self.tool("generate", "-o", "app.skel")
        return library

    def profile(self, *arguments):
        self.fine("mpirun", "-np", "1", "app.skel/profile", *arguments)

    def regions(self, kernel):
        return [region["index"] for region in self.json("app.skel/regions.json")["regions"]
                if region["kernel"] == kernel]

    def predicted_s(self, *arguments):
        run = self.tool("run", "app.skel", "-np", "1", "--format=json", "--", *arguments)
        report = json.loads(run.stdout)
        return report["per_rank"]["compute_s"]["mean"]


def case_calls_that_no_run_reached_are_predicted(session):
    library = session.make_application()
    assert len(session.regions("dgemm_")) == 1, session.json("app.skel/regions.json")
    for size in "24", "40", "56":
        session.profile(size)
    session.tool("fit", "app.skel")
    stopped = session.command(session.mpiskel, "run", "app.skel", "-np", "1", "--", "48", "x")
    assert stopped.returncode != 0 and "has no model" in stopped.stderr, stopped
    session.tool("calibrate", "--kernels", "dgemm", "--library", library, "--time", "3",
                 "--largest", "64", "-o", "toy.kernels")
    fit = session.tool("fit", "app.skel", "--kernels", "toy.kernels")
    assert "dgemm as calibrated alone, warm caches" in fit.stdout, fit.stdout
    without, with_call = session.predicted_s("48"), session.predicted_s("48", "x")
    calls = session.json("toy.kernels")["kernels"][0]["calls"]
    rates = [call[3] / call[4] for call in calls]
    rate = 2 * 48 ** 3 / (with_call - without)
    assert min(rates) / 2 < rate < 2 * max(rates), (rate, rates)
    # As soon as a run has reached it, what was measured there is taken.
    session.profile("40", "x")
    fit = session.tool("fit", "app.skel", "--kernels", "toy.kernels")
    assert "calibrated" not in fit.stdout, fit.stdout


def case_library_of_the_system_is_measured(session):
    result = session.tool("calibrate", "--kernels", "dgemm,daxpy", "--library", "-lopenblas", "--time",
                          "2", "--largest", "64", "--format=json", "--machine", "here")
    rows = json.loads(result.stdout)
    assert [(row["kernel"], row["cache"]) for row in rows] == [
        ("dgemm", "warm"), ("dgemm", "cold"), ("daxpy", "warm"), ("daxpy", "cold")], rows
    assert all(row["calls"] > 0 and row["operations_per_s"] > 0 and row["formula"] for row in rows)
    file = session.json("here.kernels")
    assert file["format"] == "mpiskel-kernels" and file["machine"] == "here"
    assert file["library"] == "-lopenblas" and file["cache"] == "warm"
    dgemm, daxpy = file["kernels"]
    assert dgemm["sizes"] == ["m", "n", "k"] and daxpy["sizes"] == ["n"]
    for m, n, k, operations, warm_s, cold_s in dgemm["calls"]:
        assert operations == 2 * m * n * k and warm_s > 0 and cold_s > 0
    assert len({tuple(call[:3]) for call in dgemm["calls"]}) == len(dgemm["calls"])
    # Little time: what there was of it is used, and it is said that there was too little.
    result = session.command(session.mpiskel, "calibrate", "--kernels", "ddot", "--time", "0.06",
                             "--library", "-lopenblas", "--cache", "cold", "-o", "short.kernels")
    assert "the time was up before size" in result.stderr, result.stderr


def case_what_cannot_be_measured_is_told(session):
    refused = session.refused
    refused("calibrate", code=64, says="what is to be measured? --network, --noise, --profile, --device, or for instance --kernels")
    refused("calibrate", "dgemm", code=64, says="'dgemm' is no option")
    refused("calibrate", "--kernels", "dgemm", "--time", "soon", code=64, says="--time takes a number of seconds")
    refused("calibrate", "--kernels", "dgemm", "--time", "-1", code=64, says="--time takes a number of seconds")
    refused("calibrate", "--kernels", "dgemm", "--largest", "3", code=64, says="from 64 to")
    refused("calibrate", "--kernels", "dgemm", "--cache", "hot", code=64, says="warm or cold")
    refused("calibrate", "--kernels", "dgemm", "--machine", "a b", code=64, says="a machine's name")
    refused("calibrate", "--kernels", "dgemm", "--format", "csv", code=64, says="text or json")
    refused("calibrate", "--kernels", ",", code=1, says="--kernels names none")
    refused("calibrate", "--kernels", "dgemm,relax", code=1, says="no kernel 'relax' is known, only dgemm")
    refused("calibrate", "--kernels", "dgemm", "--library", "-lnowhere", code=1,
            says="with --library '-lnowhere': name the library that has it")
    refused("calibrate", "--kernels", "dgemm", "--compiler", "no-such-cc", code=1, says="no-such-cc")
    refused("calibrate", "--kernels", "ddot", "--library", "-lopenblas", "--time", "0.1", "-o",
            "missing/x", code=1, says="missing/x")
    left = [name for name in os.listdir(session.directory) if name.endswith(".kernels")]
    assert left == [], left
    session.make_application()
    session.profile("32")
    refused("fit", "app.skel", "--kernels", "none", code=1, says="none")
    session.write("bad.kernels", "{}")
    refused("fit", "app.skel", "--kernels", "bad.kernels", code=1, says="this is no file of kernels")


def case_calls_of_a_function_share_a_model(session):
    session.make_application()
    calls = session.regions("app.c:fill")
    assert len(calls) == 2, session.json("app.skel/regions.json")
    for size in "64", "96", "128", "160":
        session.profile(size)
    fit = json.loads(session.tool("fit", "app.skel", "--format=json").stdout)
    never = fit["regions"][calls[1]]
    assert never["fitted"] and "shares the model of app.c:fill" in never["note"], never
    # The call that no run reached takes as long as the others.
    assert session.predicted_s("128", "x", "y") > session.predicted_s("128"), "it takes no time"
