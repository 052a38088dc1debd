# SPDX-License-Identifier: Apache-2.0
"""The noise of a machine in simulations: a machine file written by hand whose interruptions are known."""
import json
import sqlite3

from phases import Failure, expect, make_bundle, near, report, run, write_model

INTERVAL_S, COST_S = 10e-3, 1e-3


def add_noise(session, machine="default", held=0, kinds="interruption = 10ms 1ms\n"):
    """Exports nothing: a machine file of the bundle's regions and this noise, imported as `machine`."""
    described = json.loads(session.read("p.skel/regions.json"))
    lines = [{"region": {key: region[key] for key in region if key in REGION_KEYS}}
             for region in described["regions"]]
    lines.append({"noise": {"made": "2026-11-25 12:00", "host": "node", "cpu": "cpu",
                            "description": f"# by hand\n{kinds}held = {100 * held}%\n"}})
    header = {"format": "mpiskel-machine", "version": 1, "machine": machine,
              "bundle": described["bundle"], "program": described["program"]}
    end = {"end": True, "lines": len(lines)}
    session.write(f"{machine}.machine",
                  "".join(json.dumps(line) + "\n" for line in [header, *lines, end]))
    session.fine("machines", "import", "p.skel", f"{machine}.machine")


REGION_KEYS = ("id", "function", "file", "line", "end_line", "summary", "code", "features", "kind",
               "value", "index")


def predicted(session, *words):
    return run(session, "--network", "ideal", *words)["predicted_s"]


def case_a_program_that_only_computes_is_slower_by_cost_over_interval(session):
    make_bundle(session)
    one = ("-np", "1", "--", "balance", "100000")
    before = predicted(session, *one)
    near(1, before)
    add_noise(session)
    found = run(session, "--network", "ideal", *one)
    near(before * (1 + COST_S / (INTERVAL_S - COST_S)), found["predicted_s"], COST_S)
    near(found["predicted_s"] - before, found["interruptions"]["seconds_per_rank"], 1e-9)
    expect({"from": "machine:default", "seed": 1, "share": 0.1, "held": 0},
           {key: found["interruptions"][key] for key in ("from", "seed", "share", "held")})
    expect(before, predicted(session, "--no-noise", *one))


def case_barriers_wait_for_the_rank_that_is_interrupted(session):
    """Of sixteen ranks that work 1 ms in each of ten rounds some are interrupted in each round, so that
    nearly each round takes 1 ms longer, where a rank alone would be delayed once."""
    make_bundle(session)
    many = ("-np", "32", "--", "balance", "1000")
    before = predicted(session, *many)
    add_noise(session)
    found = run(session, "--network", "ideal", *many)
    delay = found["predicted_s"] - before
    if not 5 * COST_S <= delay <= 14 * COST_S:
        raise Failure(f"ten rounds with barriers are delayed by {delay}")
    if not found["interruptions"]["seconds_per_rank"] <= 2.5 * COST_S:
        raise Failure(f"ranks are interrupted for {found['interruptions']}")
    expect(found["predicted_s"], predicted(session, *many))
    if predicted(session, "--seed", "2", *many) == found["predicted_s"]:
        raise Failure("another seed gives the same interruptions")


def case_interruptions_of_a_rank_that_waits_cost_nothing(session):
    """In a chain one rank works while the others wait."""
    make_bundle(session)
    chain = ("-np", "4", "--", "chain", "2000")
    before = predicted(session, *chain)
    add_noise(session)
    delay = predicted(session, *chain) - before
    if not 3 * COST_S <= delay <= 16 * COST_S: # eight are expected, of the rank that works
        raise Failure(f"a chain of 80 ms is delayed by {delay}")


def case_what_latencies_hold_of_the_noise_does_not_count_twice(session):
    make_bundle(session)
    one = ("-np", "1", "--", "balance", "100000")
    add_noise(session, held=0.1)
    near(1, predicted(session, *one), COST_S)
    near(1, predicted(session, "--no-noise", *one))
    session.write("calm.noise", "held = 0%\n")
    near(0.9, predicted(session, "--noise-of", "calm.noise", *one))


def case_jitter_has_no_part_in_what_noise_explains(session):
    """Regions of 1 ms, interrupted by 1 ms in one of ten executions, deviate by 0.316 of themselves."""
    make_bundle(session)
    write_model(session, execution=0.3)
    many = ("-np", "32", "--", "balance", "1000")
    add_noise(session, held=0.1)
    with_noise = predicted(session, *many)
    write_model(session)
    expect(with_noise, predicted(session, *many))


def case_noise_of_another_machine_or_file(session):
    make_bundle(session)
    add_noise(session, "noisy", kinds="interruption = 10ms 1ms 1\n")
    one = ("-np", "1", "--", "balance", "100000")
    near(1, predicted(session, *one))
    found = run(session, "--network", "ideal", "--noise-of", "machine:noisy", *one)
    near(1.111, found["predicted_s"], 0.04)
    expect(("--noise-of", "machine:noisy"),
           (found["scenario"][-1]["option"], found["scenario"][-1]["value"]))
    session.write("there.noise", "# there\n interruption = 1s 20ms # a daemon\ninterruption=1ms 10us 0.5\n")
    near(1.0, run(session, "--network", "ideal", "--noise-of", "there.noise", *one)
         ["interruptions"]["share"] / 0.03)
    start = ("run", "p.skel", "-np", "1", "--noise-of")
    session.refused(*start, "machine:calm", says="knows no noise of machine 'calm'; `mpiskel calibrate --noise")
    session.refused(*start, "gone.noise", says="gone.noise")
    for text, says in ((b"interruption = 4ms", "1:1: error: an interruption is written INTERVAL COST"),
                       (b"\ninterruption = 4 5us", "2:1: error: the interval 4 has no unit"),
                       (b"interruption = 4ms 5us 2", "from 0 (a clock's tick) to 1"),
                       (b"interruption = 4ms 3.9ms", "more than 90 %"),
                       (b"interruption = 1ns 1ps", "once in 1us at most"),
                       (b"held = 3%", "hold more of the noise than there is"),
                       (b"held = 3", "in percent"), (b"noise", "KEY = VALUE"), (b"a = b", "the keys"),
                       (b"held = 0%\nheld = 0%", "2:1: error: held is given twice"),
                       (b"interruption = 1s 1us\n" * 9, "9:1: error: there are more than 8"),
                       (b"interruption = \0", "no text")):
        with open(session.path("bad.noise"), "wb") as file:
            file.write(text)
        session.refused(*start, "bad.noise", says=says)
    session.refused(*start, "bad.noise", "--no-noise", code=64, says="give one")
    session.refused("run", "p.skel", "-np", "1", "--seed", "3", says="--seed goes with")


def case_noise_goes_with_the_machine(session):
    make_bundle(session)
    add_noise(session)
    session.fine("machines", "show", "p.skel", "default")
    session.prints("noise: measured on node, 2026-11-25 12:00 UTC")
    session.prints("\n  interruption = 10ms 1ms\n")
    expect("node", report(session, "machines", "show", "p.skel", "default", "--format=json")["machine"]["noise"]["host"])
    session.fine("machines", "export", "p.skel", "default", "-o", "out.machine")
    session.fine("machines", "rename", "p.skel", "default", "old")
    near(1e-2, predicted(session, "--", "balance", "1000"))
    session.fine("machines", "import", "p.skel", "out.machine", "--as", "new")
    session.expect(0, "its noise imported")
    session.fine("run", "p.skel", "-np", "1", "--noise-of", "machine:new", "--", "balance", "100000")
    session.prints("noise: of machine:new, which takes 10 % of a core's time; ")
    session.fine("run", "p.skel", "-np", "1", "--noise-of", "machine:new", "--format=csv")
    session.prints("\ninterruptions,machine:new,")


def case_machine_files_with_broken_noise_are_refused(session):
    make_bundle(session)
    add_noise(session)
    good = session.read("default.machine")
    for old, new, says in (('"host": "node"', '"host": 3', "of the noise is missing"),
                           ('"noise": {', '"noises": {', "no region, run, sample, model, network or noise"),
                           ('{"noise": {', '{"noise": [{', "not valid JSON")):
        session.write("bad.machine", good.replace(old, new))
        session.refused("machines", "import", "p.skel", "bad.machine", "--as", "bad", says=says)
    session.write("odd.machine", good.replace("10ms 1ms", "10ms -1ms"))
    session.fine("machines", "import", "p.skel", "odd.machine", "--as", "odd")
    session.refused("run", "p.skel", "-np", "1", "--noise-of", "machine:odd",
                    says="machine:odd:2:1: error: the cost takes a number with a unit")


def case_a_run_tells_that_the_store_cannot_be_read(session):
    make_bundle(session)
    add_noise(session)
    database = sqlite3.connect(session.path("p.skel/store.db"))
    database.executescript("PRAGMA user_version=99")
    database.close()
    near(1e-2, predicted(session, "--", "balance", "1000"))
    session.expect(0, ["how far the models are off is not known", "store of another mpiskel version (99"])
    session.run("loops", "p.skel")
    session.expect(0, ["what models say is not known", "store of another mpiskel version (99"])
    session.run("validate", "p.skel", "-np", "1", "--no-original", "--no-regions", "--", "balance", "1000")
    session.expect(0, ["what nothing explains of profiled runs is not known", "store of another mpiskel version (99"])


def check_measured_noise(session):
    """What is measured here depends on who else computes; where others have nearly all, that is said."""
    session.run("calibrate", "--noise", "--time", "0.4", "--machine", "here", "--format=json")
    if session.code == 1:
        session.expect(1, "something else had the cores for more than 90 % of the time")
        return
    session.expect(0, "")
    found = json.loads(session.out)
    if not (found["measured_s"] > 0.3 and found["cores"] >= 1 and found["share"] < 0.9):
        raise Failure(f"this was measured: {found}")
    expect(round(found["share"], 6),
           round(sum(kind["cost_s"] / kind["interval_s"] for kind in found["interruptions"]), 6))


def case_calibrated_noise_is_kept_and_simulated(session):
    make_bundle(session)
    check_measured_noise(session)
    session.write("by_hand.noise", "interruption = 10ms 1ms\n")
    session.fine("calibrate", "--noise", "--measurements", "by_hand.noise", "--bundle", "p.skel")
    session.prints("interruptions take 10 % of the time of a core that computes")
    session.expect(0, "kept in p.skel/store.db with the machine 'default'")
    expect(session.read("by_hand.noise") + "held = 0%\n",
           "".join(line.replace("1ms 0\n", "1ms\n") for line in
                   session.read("default.noise").splitlines(True) if line[0] != "#"))
    near(1.111, predicted(session, "-np", "1", "--", "balance", "100000"), 1e-3)
    session.write("bad.noise", "held = 1%\n")
    session.refused("calibrate", "--noise", "--measurements", "bad.noise", "--bundle", "p.skel",
                    says="bad.noise:1:1: error: latencies cannot hold more")
    session.refused("calibrate", "--noise", "--network", code=64, says="one at a time")
    session.refused("calibrate", "--noise", "-o", "none/x", says="there is no directory")


def case_sweeps_take_other_noise_as_another_setup(session):
    make_bundle(session)
    sweep = ("sweep", "p.skel", "-np", "2", "--format=json", "--network", "ideal", "--", "balance", "10000")
    times = [report(session, *sweep)["points"][0]["predicted_s"]]
    add_noise(session)
    times.append(report(session, *sweep)["points"][0]["predicted_s"])
    if not times[1] > 1.05 * times[0]:
        raise Failure(f"the noise is not in the second sweep: {times}")
