# SPDX-License-Identifier: Apache-2.0
"""How far times are off that `mpiskel fit --from --to` translates to a machine of which there is a
profile only, and that this is told wherever they are used."""
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess

import counted
from regions import EXAMPLES, REGIONS, bundle_of
from support import APPLICATION, ENVIRONMENT, Failure, expect

SMALL, LARGE = ("8192,4,64", "65536,8,64"), ("32768,8,64", "262144,16,64")
LARGEST = 262144

# Further sizes of regions: those of which the data do not fit into the small caches.
SIZES = {("heat3d", "main.c:48"): ["16", "16", "16"], ("cg", "solver.c:47"): ["45"],
         ("cg", "solver.c:49"): ["64"], ("lu", "factor.c:111"): ["32", "3"]}


def profiles(session):
    counted.build_probes(session.path("probes"))
    for name, geometry in (("small", SMALL), ("large", LARGE)):
        profile = counted.profile_of(session.path("probes"), session.path("counts_" + name), geometry,
                                     LARGEST)
        session.write(name + ".raw", json.dumps(profile))


def keep_profiles(session, bundle):
    for name in ("small", "large"):
        session.fine("calibrate", "--profile", "--measurements", name + ".raw", "--machine", name,
                     "--bundle", bundle)


def warm_harness(harness):
    """The same with a second copy of the region, which is executed first."""
    start = harness.index("void region(")
    end = harness.index("\n}\n", start) + 3
    region = harness[start:end]
    call = re.search(r"\n    (region\(.*\);)\n", harness[end:])[1]
    twice = "__attribute__((noinline)) " + region + "__attribute__((noinline)) " + \
        region.replace("void region(", "void warm(", 1)
    return harness[:start] + twice + \
        harness[end:].replace(call, call.replace("region(", "warm(", 1) + "\n    " + call, 1)


def region_times(session, number, example, sources, harness, arguments):
    """(seconds with the small caches, with the large ones)"""
    program = session.path(f"warm{number}")
    session.write(f"warm{number}.c", warm_harness(harness))
    directory = os.path.join(EXAMPLES, example)
    subprocess.run(["mpicc", "-O2", "-no-pie", "-I" + directory, program + ".c"] +
                   [os.path.join(directory, source) for source in sources] +
                   ["-o", program, "-lm"], check=True)
    return [counted.region_seconds(program, arguments, session.path(f"counts{number}_{name}"), geometry)
            for name, geometry in (("small", SMALL), ("large", LARGE))]


def translated(session, number, bundle, place, features, seconds):
    """What a region that took so long with the small caches takes with the large ones."""
    described = json.loads(session.read(bundle + "/regions.json"))["regions"]
    file, line = place.split(":")
    index = next(region["index"] for region in described
                 if region["file"] == file and region["line"] == int(line))

    def measured(region):
        here = region["index"] == index
        return (features if here else [0] * len(region["features"]), int(here), seconds if here else 0)
    run = session.write_run(bundle, number, 1, [], measured)
    machine = f"small{number}"
    session.fine("fit", bundle, "--machine", machine)
    os.remove(session.path(run))
    session.fine("calibrate", "--profile", "--measurements", "small.raw", "--machine", machine,
                 "--bundle", bundle)
    session.fine("fit", bundle, "--from", machine, "--to", "large", "--format=json")
    model = next(region for region in json.loads(session.out)["regions"] if region["index"] == index)
    return model["total_s"]


def check_quality(session, errors):
    told = re.search(r"factor of ([\d.]+) on average, ([\d.]+) in the median, ([\d.]+) at worst", session.err)
    expect(told is not None, session.told("the quality is not told"))
    print(f"kernels left out: mean {told[1]}, median {told[2]}, worst {told[3]}")
    if float(told[2]) > 1.15 or float(told[3]) > 2:
        raise Failure(session.told("kernels that are left out are off by too much"))
    expect(max(errors) <= 2, f"regions of examples are off by factors of {errors}")


def case_another_cache_is_predicted_from_signature_and_probes(session):
    profiles(session)
    errors = []
    for number, (example, place, sources, harness, sizes, numbers) in enumerate(REGIONS):
        if (example, place) not in SIZES:
            continue
        bundle = bundle_of(session, example)
        os.makedirs(session.path(bundle + "/samples"), exist_ok=True)
        keep_profiles(session, bundle)
        arguments, features, _ = numbers(*map(int, SIZES[example, place]))
        small_s, large_s = region_times(session, number, example, sources, harness, arguments)
        told_s = translated(session, number, bundle, place, features, small_s)
        errors.append(math.exp(abs(math.log(told_s / large_s))))
        print(f"{example} {place}: {1e9 * small_s:.0f} with small caches, {1e9 * large_s:.0f} with large "
              f"ones, predicted {1e9 * told_s:.0f}: a factor of {errors[-1]:.2f}")
    check_quality(session, errors)


def small_bundle(session):
    """The bundle of APPLICATION with runs of machine `here`, without compiling anything."""
    session.program(("app.c", APPLICATION))
    session.fine("generate", "--no-compile", "-o", "app.skel")
    for number, n in enumerate((1000, 20000, 300000)):
        def measured(region, n=n):
            loops = [n] * len(region["features"])
            return loops, 20, 20 * (1e-7 + 2e-9 * sum(loops))
        session.write_run("app.skel", number, 2, [str(n)], measured)
    session.fine("fit", "app.skel", "--machine", "here")


def by_hand(**changes):
    """A profile as somebody writes it: rates and what memory costs."""
    names = ("add multiply divide square_root function compare integer integer_divide branch call "
             "chain_add chain_other load store page").split()
    curves = {name: [[32768, 0], [1048576, 2.5], [67108864, 10]]
              for name in ("stream", "stride", "random", "chase", "store")}
    return dict({"format": "mpiskel-profile", "version": 1, "overlap": 0.5,
                 "rates_ns": {name: 0.5 for name in names}, "memory_ns": curves}, **changes)


def with_kernels():
    """The same with the probes' kernels, each of a microsecond."""
    suite = json.load(open(os.path.join(counted.PROBES, "probe_suite.json"), encoding="utf-8"))
    return by_hand(kernels=[{"kernel": region["id"], "size": 1000, "seconds": 1e-6,
                             "features": [1000.0] * region["features"]} for region in suite["regions"]])


def case_translated_times_are_labelled_rough(session):
    small_bundle(session)
    session.write("slow.json", json.dumps(by_hand()))
    fast = by_hand()
    fast["rates_ns"] = {name: 0.25 for name in fast["rates_ns"]}
    session.write("fast.json", json.dumps(fast))
    session.refused("fit", "app.skel", "--from", "here", "--to", "there",
                    says=["there is no profile of machine 'here'", "calibrate --profile"])
    for machine, file in (("here", "slow.json"), ("there", "fast.json")):
        session.fine("calibrate", "--profile", "--measurements", file, "--machine", machine,
                     "--bundle", "app.skel")
        expect("<svg" in session.read(machine + ".profile.svg"), "there is no picture")
    session.refused("fit", "app.skel", "--from", "here", "--to", "there", "--assume-ratio=1",
                    says="has no kernels")
    measured = with_kernels()
    del measured["rates_ns"]
    session.write("slow.json", json.dumps(measured))
    session.fine("calibrate", "--profile", "--measurements", "slow.json", "--machine", "here",
                 "--bundle", "app.skel")
    session.refused("fit", "app.skel", "--from", "here", "--to", "there",
                    says=["no known signature: ", "a call of ", "--assume-ratio R"])
    session.fine("fit", "app.skel", "--from", "here", "--to", "there", "--assume-ratio", "0.5")
    for text in ("rough: by convolution", "no kernels to judge by", "are taken to take 0.5 times"):
        expect(text in session.err, session.told(f"'{text}' is not told"))
    session.prints("rough: by convolution from 'here'")
    session.prints("--machine there")
    session.fine("models", "show", "app.skel", "there")
    session.prints("rough: by convolution from 'here'")
    if "rough" in session.read("app.skel/model.bsim") or "machine there" in session.read("app.skel/model.bsim"):
        raise Failure("model.bsim is not that of the machine that was measured")


def case_runs_say_first_that_they_are_rough(session):
    session.bundle()
    profile = with_kernels()
    for machine in ("default", "there"):
        session.write("a.json", json.dumps(profile))
        session.fine("calibrate", "--profile", "--measurements", "a.json", "--machine", machine,
                     "--bundle", "app.skel")
        for number, kernel in enumerate(profile["kernels"]):  # no signature tells these ratios
            kernel["seconds"] *= 1 + number % 3
    session.fine("fit", "app.skel", "--from", "default", "--to", "there", "--assume-ratio=1")
    session.fine("run", "app.skel", "-np", "2", "--machine", "there")
    if not session.out.startswith("rough: by convolution from 'default'"):
        raise Failure(session.told("the first line does not say that it is rough"))
    session.fine("run", "app.skel", "-np", "2", "--machine", "there", "--format=json")
    if not json.loads(session.out)["rough"].startswith("rough: by convolution"):
        raise Failure(session.told("JSON does not say that it is rough"))
    rough = json.loads(session.out)["interval"]
    session.fine("run", "app.skel", "-np", "2", "--format=json")
    told = json.loads(session.out)
    expect("rough" not in told, session.told("what was measured is said to be rough"))
    if not rough["known"] or rough["high_s"] / rough["low_s"] < 1.5:
        raise Failure(f"the interval does not have the error of convolution: {rough}")


def case_regions_that_call_library_kernels_are_refused(session):
    small_bundle(session)
    session.write("a.json", json.dumps(with_kernels()))
    for machine in ("here", "there"):
        session.fine("calibrate", "--profile", "--measurements", "a.json", "--machine", machine,
                     "--bundle", "app.skel")
    signature = json.loads(session.read("app.skel/signature.json"))
    known = next(region for region in signature["regions"] if not region["unknown"])
    known["blocks"][0]["calls"] = [{"name": "cblas_dgemm", "count": 1}]
    session.write("app.skel/signature.json", json.dumps(signature))
    session.refused("fit", "app.skel", "--from", "here", "--to", "there", says="a call of cblas_dgemm")


# Walks through `n` numbers until their sum is large enough, which the source does not tell; makes powers of some.
WALKS = r"""
#include <mpi.h>
#include <math.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, n = atoi(argv[1]);
    double sum = 0, least;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = 1 + rank;
    for (int step = 0; step < 3; step++) {
        for (least = 0; least < 4.0 * n;)
            for (int i = 0; i < n; i++)
                least += x[i];
        MPI_Allreduce(&least, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < n; i++)
            x[i] = 1 + rank + 0 * pow(x[i], 1.5);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(x);
    MPI_Finalize();
    return sum < 0;
}
"""
CACHES = "block_ns 1\naccess_ns 0.5\ncache {first} 4 0 0\ncache {second} 8 5 2\nmemory 90 40\nstreams 4\n{more}"
CALLS = "call pow 20\n"
COUNTED = {"small": CACHES.format(first="8KiB", second="32KiB", more=CALLS),
           "large": CACHES.format(first="16KiB", second="256KiB", more=CALLS)}


def count(session, bundle, machine, description):
    """Runs of three sizes with the caches of a machine, fitted under its name."""
    session.write(machine + ".processor", description)
    for n in "3000", "9000", "20000":
        done = subprocess.run(["mpirun", "--oversubscribe", "-np", "2", bundle + "/profile", n], cwd=session.directory,
                              env=dict(ENVIRONMENT, BSIM_CLOCK="counted:" + session.path(machine + ".processor")),
                              capture_output=True, text=True)
        expect(done.returncode == 0, done.stderr)
    session.fine("fit", bundle, "--no-check", "--machine", machine, "--format=json")
    return times(session)


def times(session):
    """Of each region: all its time."""
    return {region["index"]: region["total_s"] for region in json.loads(session.out)["regions"] if region["total_s"]}


def counted_bundle(session, **descriptions):
    """counted.skel with runs of `small` and what is told of others, and app.skel with those of `small` alone."""
    session.program(("app.c", WALKS))
    session.fine("generate", "--counted", "-o", "counted.skel")
    small = count(session, "counted.skel", "small", COUNTED["small"])
    shutil.copytree(session.path("counted.skel"), session.path("app.skel"))
    return small, {name: count(session, "counted.skel", name, text) for name, text in descriptions.items()}


def case_bundles_that_count_nothing_are_no_measured_signatures(session):
    """Neither by how they were built nor by the clock of their runs."""
    counted_bundle(session, large=COUNTED["large"])
    command = ("fit", "app.skel", "--from", "small", "--to", "large", "--measured", "counted.skel")
    database = sqlite3.connect(session.path("counted.skel/store.db"))
    database.execute("UPDATE runs SET clock = 'wall' WHERE clock LIKE '%cache 16384 %'")
    database.commit()
    database.close()
    session.refused(*command, says="--measured counted.skel: the runs of machine 'large' read no clock that counts")
    regions = json.loads(session.read("counted.skel/regions.json"))
    del regions["counted"]
    session.write("counted.skel/regions.json", json.dumps(regions))
    session.refused(*command, says=["--measured counted.skel: its profiling build counts nothing", "with --counted"])


def case_counted_times_become_those_of_other_caches_exactly(session):
    small, others = counted_bundle(session, large=COUNTED["large"])
    session.refused("fit", "app.skel", "--from", "small", "--to", "larger", "--measured", "counted.skel",
                    says=["no run with the caches of machine 'larger'", "BSIM_CLOCK=counted:FILE"])
    session.fine("fit", "app.skel", "--from", "small", "--to", "large", "--measured", "counted.skel", "--format=json")
    told = times(session)
    expect("nothing is guessed" in session.err, session.told("it is not said that nothing is guessed"))
    kept = re.search(r"time between calls, .* \(up to (\S+) s of a run of 'small'\), is not translated.*"
                     r"bundles with runs of 'large' have it, such as counted.skel", session.err)
    expect(kept is not None and 0 < float(kept.group(1)) < 1e-4,
           session.told("time in kept code is left out, and that is not said"))
    expect(set(told) == set(others["large"]), f"regions: {told} {others}")
    for region, seconds in others["large"].items():
        expect(abs(told[region] / seconds - 1) <= 1e-9, f"region {region}: {told[region]}, counted {seconds}")
    expect(sum(small.values()) >= 1.2 * sum(told.values()), f"both geometries take the same: {small} {told}")
    session.fine("models", "show", "app.skel", "large")
    session.prints("counted as 'large' counts, from 'small'")
    expect("rough" not in session.out, session.told("what was counted is said to be rough"))
    database = sqlite3.connect(session.path("counted.skel/store.db"))
    database.execute("UPDATE runs SET ranks = 4 WHERE clock LIKE '%cache 16384 %'")
    database.commit()
    database.close()
    session.fine("fit", "app.skel", "--from", "small", "--to", "large", "--measured", "counted.skel")
    expect("nothing is guessed" not in session.err and
           "rough: by convolution from 'small', measured signature" in session.out,
           session.told("runs on other ranks are taken for the same ones"))


def real_runs(session):
    """The same runs of app.skel as a real clock would have measured them: as `here`, of one speed of its own."""
    for path in os.listdir(session.path("app.skel/samples")):
        lines = session.read("app.skel/samples/" + path).splitlines()
        head = dict(json.loads(lines[0]), clock="cpu", run="real-" + path)
        samples = [json.loads(line) for line in lines[1:]]
        for sample in samples:
            sample.pop("counted", None)
            sample.pop("waited", None)
            for name, power in (("seconds", 1), ("min", 1), ("max", 1), ("squares", 2)):
                if name in sample:
                    sample[name] *= 3 ** power
        session.write("app.skel/samples/" + path, "\n".join(json.dumps(line) for line in [head, *samples]) + "\n")
    os.remove(session.path("app.skel/store.db"))
    session.fine("fit", "app.skel", "--no-check", "--machine", "small", "--format=json")
    return times(session)


def case_measured_signatures_translate_times_that_a_clock_measured(session):
    small, others = counted_bundle(session, large=COUNTED["large"])
    real = real_runs(session)
    command = ("fit", "app.skel", "--from", "small", "--to", "large", "--measured", "counted.skel", "--format=json")
    session.refused(*command, says=["it calls functions that are not counted", "calibrate --profile", "--assume-ratio"])
    session.fine(*command, "--assume-ratio", "1")
    told = times(session)
    index = max(small, key=lambda region: small[region] - others["large"].get(region, 0))
    if abs(told[index] / real[index] / (others["large"][index] / small[index]) - 1) > 1e-6:
        raise Failure(f"region {index}: {real[index]} became {told[index]}; counted {small[index]} and {others['large']}")
    for text in ("go by signatures that were measured", "how far times of 'large' are off is not known"):
        expect(text in session.err, session.told(f"'{text}' is not told"))
    session.fine("run", "app.skel", "-np", "2", "--machine", "large", "--format=json", "--", "9000")
    report = json.loads(session.out)
    if not report["rough"].startswith("rough: by convolution from 'small'") or report["interval"]["known"]:
        raise Failure(session.told("the run is not said to be rough by an unknown amount"))
    session.fine("models", "show", "app.skel", "large")
    session.prints("rough: by convolution from 'small', measured signature, by how much it is off is not known")


def case_what_was_not_measured_goes_by_the_source_and_is_named(session):
    """Of other sizes than those that were counted, and with calls whose time nothing says."""
    counted_bundle(session, large=COUNTED["large"].replace(CALLS, ""), plain="block_ns 1\n")
    real_runs(session)
    command = ("fit", "app.skel", "--from", "small", "--measured", "counted.skel", "--assume-ratio=1", "--to")
    session.refused(*command, "plain", says="the description of 'small' has caches, that of 'plain' has none")
    session.refused(*command[:-2], "--to", "large", says="no `call` of the description says")
    for machine in ("small", "large"):
        session.write("a.json", json.dumps(with_kernels()))
        session.fine("calibrate", "--profile", "--measurements", "a.json", "--machine", machine, "--bundle", "app.skel")
    session.fine(*command, "large")
    if re.search(r"by what the source tells, for there is no measured signature: .*app.c:19 \(no `call`", session.err) is None:
        raise Failure(session.told("the region that goes by the source is not named"))
    session.program(("app.c", WALKS.replace("1.5", "2.5").replace("least += x[i]", "least += 2 * x[i]")
                     .replace("= 1 + rank", "= 2 + rank")))
    session.fine("generate", "--counted", "-o", "other.skel")
    for machine in ("small", "large"):
        count(session, "other.skel", machine, COUNTED[machine])
    session.fine("fit", "app.skel", "--from", "small", "--to", "large", "--measured", "other.skel", "--assume-ratio=1")
    expect("its code is not in the counted bundle" in session.err, session.told("other code is taken"))
    session.refused("fit", "app.skel", "--measured", "other.skel", code=64, says="--measured goes with --from and --to")


def case_bad_profiles_are_refused(session):
    good = by_hand()
    kernels = [{"kernel": "dot", "size": 1, "features": [1], "seconds": 1e-6}]
    bad = [("", "error: "), ("[]", "no profile"), (json.dumps(good)[:300], "error: "), ("[" * 200000, "error: "),
           (json.dumps(dict(good, version=2)), "no profile"),
           (json.dumps(dict(good, overlap=2)), "'overlap' is a number from 0 to 1"),
           (json.dumps(dict(good, sharing=0.5)), "'sharing'"),
           (json.dumps(dict(good, rates_ns={"add": 1})), "'rates_ns' needs 'multiply'"),
           (json.dumps(dict(good, rates_ns=dict(good["rates_ns"], add=-1))), "'rates_ns' needs 'add'"),
           (json.dumps(dict(good, memory_ns={})), "'memory_ns' needs 'stream'"),
           (json.dumps(dict(good, memory_ns=dict(good["memory_ns"], chase=[[2, 1], [1, 1]]))), "ascending"),
           (json.dumps(dict(good, memory_ns=dict(good["memory_ns"], chase=[[2, 1e99]]))), "'chase'"),
           (json.dumps(dict(good, kernels=[{"kernel": "dot"}])), "a kernel needs"),
           (json.dumps(dict(good, kernels=[dict(kernels[0], seconds=0)])), "a kernel needs"),
           (json.dumps(dict(good, kernels=[dict(kernels[0], kernel="other")])), "not one of this version's probes"),
           (json.dumps(dict(good, kernels=[dict(kernels[0], features=[1, 2])])), "not one of this version's")]
    del good["rates_ns"]
    bad.append((json.dumps(good), "neither 'rates_ns' nor 'kernels'"))
    for text, says in bad:
        session.write("x.profile", text)
        session.refused("calibrate", "--profile", "--measurements", "x.profile", "-o", "out.profile", says=says)
        expect(not os.path.exists(session.path("out.profile")), session.told("something was written"))
    for words, says in ((["--from", "a"], "go together"), (["--from", "a", "--to", "a"], "same machine"),
                        (["--assume-ratio", "2"], "goes with --from"),
                        (["--from", "a", "--to", "b", "--keep-untold"], "do not go with --from")):
        session.refused("fit", "app.skel", *words, code=64, says=says)
