#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far times are off that `mpiskel fit --from --to` translates to a machine of which there is a
profile only, and that this is told wherever they are used.

    convolution.py MPISKEL CASE

Runs the function case_CASE: its name is the claim."""
import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bad_input"))
import counted  # noqa: E402
from regions import EXAMPLES, REGIONS, bundle_of  # noqa: E402
from support import APPLICATION, Failure, run_case  # noqa: E402

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
    if told is None:
        raise Failure(session.told("the quality is not told"))
    print(f"kernels left out: mean {told[1]}, median {told[2]}, worst {told[3]}")
    if float(told[2]) > 1.15 or float(told[3]) > 2:
        raise Failure(session.told("kernels that are left out are off by too much"))
    if max(errors) > 2:
        raise Failure(f"regions of examples are off by factors of {errors}")


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
        if "<svg" not in session.read(machine + ".profile.svg"):
            raise Failure("there is no picture")
    session.refused("fit", "app.skel", "--from", "here", "--to", "there", "--assume-ratio=1",
                    says="has no kernels")
    measured = with_kernels()
    del measured["rates_ns"]
    session.write("slow.json", json.dumps(measured))
    session.fine("calibrate", "--profile", "--measurements", "slow.json", "--machine", "here",
                 "--bundle", "app.skel")
    session.refused("fit", "app.skel", "--from", "here", "--to", "there",
                    says=["signatures of ", "a call of ", "--assume-ratio R"])
    session.fine("fit", "app.skel", "--from", "here", "--to", "there", "--assume-ratio", "0.5")
    for text in ("rough: by convolution", "no kernels to judge by", "are taken to take 0.5 times"):
        if text not in session.err:
            raise Failure(session.told(f"'{text}' is not told"))
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
    if "rough" in told:
        raise Failure(session.told("what was measured is said to be rough"))
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
        if os.path.exists(session.path("out.profile")):
            raise Failure(session.told("something was written"))
    for words, says in ((["--from", "a"], "go together"), (["--from", "a", "--to", "a"], "same machine"),
                        (["--assume-ratio", "2"], "goes with --from"),
                        (["--from", "a", "--to", "b", "--keep-untold"], "do not go with --from")):
        session.refused("fit", "app.skel", *words, code=64, says=says)


run_case(globals().__getitem__, "convolution-")
