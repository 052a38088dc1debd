# SPDX-License-Identifier: Apache-2.0
"""What-if options of `mpiskel run`: other latencies, other networks, and where the time goes."""
import json
import os

from phases import (Failure, SECOND_PER_TRIP, expect, make_bundle, near, regions_of, run, seconds_of)

# The factor of a machine that never saw a loop.
BLIND = 9

# ---- --speed ----


def case_a_faster_region_takes_less_in_all_numbers(session):
    make_bundle(session)
    plain = run(session)
    expect([], plain["scenario"])
    near(25e-3, seconds_of(plain, "imbalance"))
    line = next(r["line"] for r in regions_of(session) if r["function"] == "imbalance")
    for name in ("imbalance", "all", "phases.c", f"phases.c:{line}", f"src/app/phases.c:{line}"):
        fast = run(session, "--speed", name + "=2x")
        expect(seconds_of(plain, "imbalance") / 2, seconds_of(fast, "imbalance"))
        for key in "min", "mean", "max":
            near(plain["per_rank"]["compute_s"][key] / 2, fast["per_rank"]["compute_s"][key])
        near(plain["predicted_s"] - 20e-3, fast["predicted_s"], 1e-7)
        near((plain["predicted_s"] - 20e-3) / plain["predicted_s"],
             fast["interval"]["high_s"] / plain["interval"]["high_s"], 1e-2)
        expect([("--speed", name + "=2x")], [(c["option"], c["value"]) for c in fast["scenario"]])
        if "2x as fast" not in fast["scenario"][0]["effect"]:
            raise Failure(f"the effect is not told: {fast['scenario']}")


def case_speeds_of_a_region_are_multiplied(session):
    make_bundle(session)
    found = run(session, "--speed", "all=4x", "--speed", "imbalance=0.5x", "--speed", "chain=3x")
    near(12.5e-3, seconds_of(found, "imbalance"))
    near(25e-3 / 1.1, seconds_of(run(session, "--speed", "imbalance=+10%"), "imbalance"))
    near(25e-3 / 0.8, seconds_of(run(session, "--speed", "imbalance=-20%"), "imbalance"))
    expect(0, run(session, "--speed", "imbalance=free")["per_rank"]["compute_s"]["max"])


def case_models_with_other_blanks_are_changed_as_well(session):
    make_bundle(session)
    text = session.read("p.skel/model.bsim")
    for word in "region ", "term ", "bundle ", "machine ", "end ":
        text = text.replace("\n" + word, "\n  " + word + "  ")
    session.write("p.skel/model.bsim", text)
    near(12.5e-3, seconds_of(run(session, "--speed", "all=2x"), "imbalance"))


def case_a_changed_run_leaves_the_bundle_alone(session):
    make_bundle(session)
    before = session.contents("p.skel")
    run(session, "--speed", "all=2x")
    session.expect_contents("p.skel", before)


def case_text_and_csv_name_the_changes(session):
    make_bundle(session)
    session.fine("run", "p.skel", "-np", "2", "--speed", "imbalance=2x", "--", "imbalance", "1000")
    session.prints("changed: --speed imbalance=2x: 1 region 2x as fast (phases.c:")
    session.fine("run", "p.skel", "-np", "2", "--speed", "imbalance=2x", "--format=csv")
    session.prints("\nchange,--speed,imbalance=2x,,,,\n")


def case_a_speed_without_effect_is_told(session):
    make_bundle(session)
    session.fine("run", "p.skel", "-np", "2", "--speed", "chain=2x", "--", "imbalance", "1000")
    session.expect(0, "warning: --speed chain=2x changes nothing")
    session.fine("run", "p.skel", "-np", "2", "--speed", "imbalance=2x", "--", "imbalance", "1000")
    if "changes nothing" in session.err:
        raise Failure(session.told("a warning without reason"))


def case_wrong_speeds_are_told(session):
    make_bundle(session)
    start = ("run", "p.skel", "-np", "2", "--speed")
    for wrong in ("all", "=2x", "all=", "all=2", "all=0x", "all=-2x", "all=nanx", "all=infx", "all=2xx",
                  "all=10%", "all=-100%", "all=0x10x"):
        session.refused(*start, wrong, code=64, says=f"--speed takes REGION=FACTOR, such as all=2x, "
                                                     f"relax=+10% or solver.c:120=free, not '{wrong}'")
    for name in ("nothing", "phases.c:1", "hases.c", "", "phases.c:99999"):
        if name:
            session.refused(*start, name + "=2x", says=[f"no region is called '{name}'", "imbalance"])
    session.refused(*start, "all=2x", "--original", code=64, says="not with --original")


# ---- The network ----


def case_factors_multiply_what_was_given_before(session):
    make_bundle(session)

    def time_of(*options):
        return run(session, *options, "--", "pingpong", "0", "1000000")

    plain = time_of("--bandwidth", "2.5GBps", "--latency", "3us")
    twice = time_of("--bandwidth", "1GBps", "--bandwidth", "2x", "--bandwidth", "1.25x",
                    "--latency", "2x", "--latency", "6us", "--latency", "0.5x")
    near(plain["predicted_s"], twice["predicted_s"], 1e-9)
    expect(["1GBps", "2.5x", "6us", "0.5x"], [change["value"] for change in twice["scenario"]])
    near(time_of("--bandwidth", "25GBps")["predicted_s"], time_of("--bandwidth", "2x")["predicted_s"])


def case_overheads_of_calls_are_communication_and_get_smaller(session):
    make_bundle(session)
    session.write("slow.net", "topology = switch\nsend-overhead = 0:1e-4:0;500:2e-4:1e-8\n")
    words = ("--network", "slow.net", "--", "pingpong", "0", "1000")
    plain = run(session, "--", "pingpong", "0", "1000")["predicted_s"]
    slow = run(session, "--attribute", *words)
    near(20 * (2e-4 + 1e-5), slow["predicted_s"] - plain, 1e-7)
    near(slow["predicted_s"], slow["attribution"]["communication_s"], 1e-7)
    less = run(session, "--overheads", "0.5x", "--overheads", "0.5x", *words)
    near(5 * (2e-4 + 1e-5), less["predicted_s"] - plain, 1e-7)
    expect(("--overheads", "0.25x", "of what each call takes"), tuple(less["scenario"][-1].values()))
    none = run(session, "--overheads", "0.5x", "--", "pingpong", "0", "1000")
    near(plain, none["predicted_s"])
    expect("nothing: the network's description has none", none["scenario"][0]["effect"])
    session.refused("run", "p.skel", "-np", "2", "--overheads", "1us", code=64, says="--overheads takes a factor")


# ---- --machine ----


def write_samples(session, run_id, trips, factor):
    """A profiling run in which an iteration takes `factor` microseconds."""
    bundle = json.loads(session.read("p.skel/regions.json"))["bundle"]
    lines = [{"format": "mpiskel-samples", "version": 1, "bundle": bundle, "run": run_id, "ranks": 2,
              "host": "host", "cpu": f"cpu{factor}", "args": [str(trips)], "timer_overhead_s": 0,
              "complete": True}]
    for region in regions_of(session):
        if region["features"] and factor == BLIND:
            continue
        seconds = 10 * factor * SECOND_PER_TRIP * (trips if region["features"] else 1e-3)
        for rank in range(2):
            lines.append({"region": region["index"], "rank": rank,
                          "features": [trips] * len(region["features"]), "count": 10, "timed": 10,
                          "seconds": seconds, "squares": 0, "min": 0, "max": 0})
    lines.append({"end": True, "lines": len(lines) - 1})
    session.write(f"p.skel/samples/{run_id}.samples",
                  "".join(json.dumps(line) + "\n" for line in lines))


def two_machines(session):
    """slow takes three times as long as fast; and one that is blind."""
    make_bundle(session)
    for machine, factor in (("blind", BLIND), ("slow", 3), ("fast", 1)):
        for i, trips in enumerate((1000, 4000, 16000)):
            write_samples(session, f"2026112{factor}-10000{i}-1", trips, factor)
        session.fine("fit", "p.skel", "--machine", machine)


def case_another_machine_has_its_latencies(session):
    two_machines(session)
    fast, slow = run(session), run(session, "--machine", "slow")
    near(25e-3, seconds_of(fast, "imbalance"), 1e-6)
    near(75e-3, seconds_of(slow, "imbalance"), 1e-6)
    expect([{"option": "--machine", "value": "slow",
             "effect": "latencies of slow (median) instead of those of fast"}], slow["scenario"])
    both = run(session, "--speed", "all=3x", "--machine", "slow:median")
    near(25e-3, seconds_of(both, "imbalance"), 1e-6)
    expect(["--machine", "--speed"], [change["option"] for change in both["scenario"]])


def case_another_machine_serves_without_a_model_file(session):
    two_machines(session)
    os.unlink(session.path("p.skel/model.bsim"))
    near(75e-3, seconds_of(run(session, "--machine", "slow"), "imbalance"), 1e-6)


def case_regions_without_a_model_there_stop_the_run(session):
    two_machines(session)
    run(session, "--", "chain", "1000")
    session.refused("run", "p.skel", "-np", "2", "--machine", "blind", "--", "chain", "1000",
                    says=["has no model", "note: machine blind has no model of 4 of 6 regions", "chain"])


def case_machines_that_are_not_there_are_told(session):
    make_bundle(session)
    session.refused("run", "p.skel", "-np", "2", "--machine", "slow", says="p.skel has no store")
    two_machines(session)
    start = ("run", "p.skel", "-np", "2", "--machine")
    session.refused(*start, "cray", says=["no run of machine 'cray'", "fast:median, slow:median"])
    session.refused(*start, "slow:minimum", says="no such models of machine 'slow'")
    session.refused(*start, "slow:often", says="median, minimum or mean, not 'often'")
    session.refused(*start, "a b", says="no name of a machine")


# ---- --attribute ----


def parts(session, *words):
    """The parts of a run; checks what has to be true of all of them."""
    found = run(session, "--attribute", *words)
    told, whole = found["attribution"], found["predicted_s"]
    near(whole, told["computation_s"] + told["waiting_s"] + told["communication_s"], 1e-8)
    near(told["waiting_s"], told["imbalance_s"] + told["dependencies_s"], 1e-12)
    for rank in told["ranks"]:
        near(whole, sum(rank.values()), 1e-8)
    efficiency = told["efficiency"]
    near(efficiency["parallel"], efficiency["load_balance"] * efficiency["serialisation"] * efficiency["transfer"])
    return told


def expect_parts(told, computation, imbalance, dependencies, communication):
    near(computation, told["computation_s"])
    near(imbalance, told["imbalance_s"], 2e-9)
    near(dependencies, told["dependencies_s"], 2e-9)
    near(communication, told["communication_s"], 1e-7)


def case_unequal_work_is_waiting(session):
    make_bundle(session)
    barriers = parts(session, "--", "balance", "1000")
    expect_parts(barriers, 10e-3, 0, 0, barriers["communication_s"])
    if not 0 < barriers["communication_s"] < 100e-6:
        raise Failure(f"ten barriers: {barriers}")
    told = parts(session, "--", "imbalance", "1000")
    expect_parts(told, 25e-3, 15e-3, 0, barriers["communication_s"])
    near(40e-3, told["ideal_s"])
    for i, rank in enumerate(told["ranks"]):
        near((i + 1) * 10e-3, rank["computation_s"])
        near((3 - i) * 10e-3, rank["waiting_s"], 2e-9)
    near(25 / 40, told["efficiency"]["load_balance"])


def case_one_after_the_other_is_waiting_for_dependencies(session):
    make_bundle(session)
    told = parts(session, "--", "chain", "1000")
    expect_parts(told, 10e-3, 0, 30e-3, told["communication_s"])
    near(0.25, told["efficiency"]["serialisation"], 1e-7)


def case_messages_alone_are_communication(session):
    make_bundle(session)
    told = parts(session, "--latency", "1us", "--bandwidth", "1GBps", "--", "pingpong", "0", "1000")
    whole = 20 * (2e-6 + 1.016e-6) # SMPI's messages have 16 bytes more
    expect_parts(told, 0, 0, 0, whole)
    near(whole, told["ranks"][0]["communication_s"])
    near(whole * 19 / 20, told["ranks"][1]["communication_s"])  # its last message is on the way when it ends
    for rank in 2, 3:
        near(whole, told["ranks"][rank]["waiting_s"])
        expect(0, told["ranks"][rank]["communication_s"])
    expect(0, told["ideal_s"])


def case_both_are_told_apart(session):
    make_bundle(session)
    alone = parts(session, "--", "imbalance", "1000")
    for options in ((), ("--ranks-per-node", "2")):
        messages = parts(session, *options, "--", "pingpong", "1000", "1000000")
        alone = parts(session, *options, "--", "imbalance", "1000")
        told = parts(session, *options, "--", "both", "1000", "1000000")
        expect_parts(told, 25e-3, 15e-3, 0, alone["communication_s"] + messages["communication_s"])
        if not messages["communication_s"] > 1e-3:
            raise Failure(f"20 messages of a megabyte: {messages}")


def case_a_sender_that_waits_for_its_receiver_does_so_on_an_ideal_network(session):
    make_bundle(session)
    told = parts(session, "--", "late", "1000", "5000")
    near(1e-3, told["ideal_s"], 1e-8)
    session.write("small.net", "topology = switch\neager-threshold = 4096\n")
    told = parts(session, "--network", "small.net", "--", "late", "1000", "5000")
    near(2e-3, told["ideal_s"], 1e-8)
    told = parts(session, "--network", "small.net", "--", "late", "1000", "4000")
    near(1e-3, told["ideal_s"], 1e-8)


def case_a_run_without_time_has_parts(session):
    make_bundle(session)
    told = parts(session, "--network", "ideal", "--", "pingpong", "0", "8")
    expect_parts(told, 0, 0, 0, 0)
    session.fine("run", "p.skel", "-np", "4", "--attribute", "--network", "ideal", "--", "pingpong", "0", "8")
    session.prints("  computation                       0    0.0%            0            0\n")
    session.prints("parallel efficiency 100.0 %")


def case_call_sites_wait_or_communicate(session):
    make_bundle(session)
    found = run(session, "--attribute", "--", "both", "1000", "1000000")
    sites = {site["name"]: site for site in found["sites"] if site["seconds_per_rank"] > 0}
    near(15e-3, sites["MPI_Barrier"]["waiting_s_per_rank"], 1e-8)
    near(0, sites["MPI_Recv"]["waiting_s_per_rank"], 1e-8)
    if not sites["MPI_Recv"]["seconds_per_rank"] > 1e-4:
        raise Failure(f"20 messages of a megabyte: {sites['MPI_Recv']}")
    waiting = sum(call["waiting_s_per_rank"] for call in found["calls"])
    near(found["attribution"]["waiting_s"], waiting, 1e-8)
    if any("waiting_s_per_rank" in site for site in run(session)["sites"]):
        raise Failure("nobody has asked for it")


def case_attribution_is_printed(session):
    make_bundle(session)
    start = ("run", "p.skel", "-np", "4", "--attribute", "--", "imbalance", "1000")
    session.fine(*start)
    session.prints("\n  computation                   0.025   62.4%         0.01         0.04\n")
    session.prints("waiting, s        bytes  call site\n")
    session.prints("on an ideal network: 0.04 s; waiting is 0.015 s for imbalance, 0 s for dependencies\n")
    session.prints("parallel efficiency 62.4 % = load balance 62.5 % x serialisation 100.0 % x transfer 99.9 %")
    session.fine(*start[:4], "--format=csv", *start[4:])
    session.prints("\nattribution,imbalance,,,0.015")
    session.refused(*start[:5], "--original", code=64, says="not with --original")
