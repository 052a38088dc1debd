#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The engine on a program with communication of all kinds: does it agree with SMPI, does `auto` take it, or say what
it lacks, and do runs that fail end as SMPI's do?

    engine.py MPISKEL LIBRARIES every_call.c"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Which parts of the program at how many ranks. With anyone's messages before it SMPI 3.32 never ends the
# persistent requests, so these are apart.
AGREE = [(2, "mcnodw"), (3, "mcnodt"), (4, "mcnodw"), (4, "f"), (4, "a"), (4, "l"), (6, "mcnodw"), (16, "mcnodwf"), (16, "a"),
         (5, "b"), (16, "b"), (4, "p")]
# As where there are more ranks: they run ahead of sleeps, and exchange without messages in collectives.
DIRECT = [(6, "c"), (16, "mc"), (5, "b"), (8, "b"), (16, "b"), (4, "p")]
# Profiling runs need not be exact here.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", BSIM_QUIET="0")

# A platform that is no cluster.
NO_CLUSTER = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
"""
# What the engine lacks, each kind where it is found: options, arguments of the program, and what is said.
LACKS = [("algorithms of collectives", ["--collectives=ompi"], ["m"], "smpi/coll-selector:ompi"),
         ("a network", ["--platform=two.xml"], ["-"], "a platform with the element host"),
         ("a call", [], ["-", "file"], "MPI-IO"),
         ("an original", ["--original"], ["-"], "computation that is timed")]


class Bundle:
    def __init__(self, mpiskel, libraries, source, work):
        self.mpiskel, self.libraries, self.work = mpiskel, libraries, work
        shutil.copy(source, work)
        self.command("capture", "--", "mpicc", "-O1", "-o", "every_call", os.path.basename(source))
        self.command("generate", "--skeleton", "-o", "app.skel")
        for ranks in ("2", "3"):
            subprocess.run(["mpirun", "--oversubscribe", "-np", ranks, "app.skel/profile", "mcnodfatbp"], cwd=work,
                           env=ENVIRONMENT, check=True, capture_output=True, timeout=600)
        # SMPI, in which fit would check it, loses persistent requests behind a probe for any source.
        self.command("fit", "app.skel", "--no-check")

    def command(self, *words):
        done = subprocess.run([self.mpiskel, *words], cwd=self.work, env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=600)
        if words[0] != "run" and done.returncode != 0:
            sys.exit(f"{' '.join(words)} failed:\n{done.stderr}")
        return done

    def run(self, ranks, engine, options, *arguments):
        return self.command("run", "app.skel", "-np", str(ranks), f"--engine={engine}", "--no-progress", "--format=json",
                            *options, "--", *arguments)


def agrees(bundle, ranks, parts, environment=None):
    place = os.path.join(bundle.work, f"switch{ranks}")
    if not os.path.exists(place):
        bundle.command("platform", "switch", "--hosts", str(ranks), "-n", str(ranks), "-o", place)
    done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "agreement.py"),
                           os.path.join(bundle.libraries, "engine"),
                           os.path.join(bundle.libraries, "libbsim_messages.so"), "app.skel/skeleton",
                           f"{place}/platform.xml", f"{place}/hostfile", str(ranks), parts],
                          cwd=bundle.work, capture_output=True, text=True, check=False,
                          env=dict(os.environ, **(environment or {})))
    print(f"{ranks} ranks, {parts}: {done.stdout}{done.stderr}", end="")
    return done.returncode == 0


def expect(what, condition, done):
    print(f"{what}: {'yes' if condition else 'NO'}")
    if not condition:
        print(f"  ended with {done.returncode}\n  {done.stderr[-900:]}\n  {done.stdout[-300:]}")
    return condition


def chooses(bundle):
    own, smpi = (bundle.run(4, engine, [], "mcnod") for engine in ("auto", "smpi"))
    one, other = (json.loads(done.stdout) if done.returncode == 0 else {} for done in (own, smpi))
    yield expect("auto takes the engine, which predicts the same", one and other and
                 one["simulation"].get("engine") == "own" and "engine" not in other["simulation"] and
                 abs(one["predicted_s"] - other["predicted_s"]) <= 1e-3 * other["predicted_s"] and
                 one["messages"] == other["messages"], own)
    with open(os.path.join(bundle.work, "two.xml"), "w", encoding="utf-8") as file:
        file.write(NO_CLUSTER)
    for kind, options, arguments, lack in LACKS:
        refused = bundle.run(2, "own", options, *arguments)
        yield expect(f"own refuses {kind}", refused.returncode == 1 and "the engine lacks" in refused.stderr, refused)
        lacking = bundle.run(2, "auto", options, *arguments)
        report = json.loads(lacking.stdout)["simulation"] if lacking.returncode == 0 else {}
        yield expect(f"auto takes SMPI for {kind}, and says so",
                     report.get("engine") == "smpi" and lack in report.get("engine_lacks", ""), lacking)


def limits(bundle):
    """More ranks than a message has place for; neither platform nor hostfile is looked at before."""
    for ranks, is_lacking in ((1 << 26, True), ((1 << 26) - 1, False)):
        done = subprocess.run([os.path.join(bundle.libraries, "engine", "smpimain"), "app.skel/skeleton",
                               f"--cfg=smpi/np:{ranks}", "--cfg=smpi/hostfile:none", "--", "none.xml"], cwd=bundle.work,
                              env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
        yield expect(f"{ranks} ranks are {'refused' if is_lacking else 'not refused'}",
                     (f"a run on {ranks} ranks" in done.stderr) == is_lacking and done.returncode != 0, done)


def fails(bundle):
    deadlock = bundle.run(4, "own", [], "-", "deadlock")
    yield expect("a deadlock is told with ranks and calls", deadlock.returncode == 1 and "deadlock at" in deadlock.stderr
                 and "rank 1 waits in MPI_Recv" in deadlock.stderr and "rank 0 waits in a barrier" in deadlock.stderr,
                 deadlock)
    abort = bundle.run(4, "own", [], "-", "abort")
    yield expect("an abort is told with its rank", abort.returncode == 1 and "rank 1 called MPI_Abort" in abort.stderr,
                 abort)
    codes = [bundle.run(4, engine, [], "-", "code") for engine in ("smpi", "own")]
    yield expect(f"exit codes are SMPI's ({codes[0].returncode})", codes[0].returncode == codes[1].returncode, codes[1])


def main():
    mpiskel, libraries, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        bundle = Bundle(mpiskel, libraries, source, work)
        results = [agrees(bundle, ranks, parts) for ranks, parts in AGREE]
        results += [agrees(bundle, ranks, parts, {"BSIM_ENGINE_DIRECT": "1"}) for ranks, parts in DIRECT]
        results += chooses(bundle)
        results += limits(bundle)
        results += fails(bundle)
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
