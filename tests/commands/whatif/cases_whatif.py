# SPDX-License-Identifier: Apache-2.0
"""`mpiskel whatif`: scenarios side by side, and the ranking of what would gain most."""
import json
import os
import re
import signal

from phases import Failure, expect, make_bundle, near, regions_of, report, run, write_model

BASE = ("whatif", "p.skel", "-np", "4", "--no-progress")
BOTH = ("--", "both", "1000", "1000000")
PARTS = ("computation_s", "waiting_s", "communication_s")


def whatif(session, *words, code=0):
    """The rows by name."""
    cut = words.index("--") if "--" in words else len(words)
    session.run(*BASE, "--format=json", *words[:cut], *(words[cut:] or BOTH))
    if session.code != code:
        raise Failure(session.told(f"the exit code should be {code}"))
    found = json.loads(session.out)
    expect("mpiskel-whatif", found["format"])
    return {row["name"]: row for row in found["scenarios"]}


def case_differences_are_attributed_to_their_causes(session):
    make_bundle(session)
    rows = whatif(session, "--try", "cpu: --speed all=2x", "--try", "net: --network ideal",
                  "--try", "both: --speed imbalance=4x --network ideal")
    expect(["base", "cpu", "net", "both"], list(rows))
    base = rows["base"]
    near(base["predicted_s"], sum(base[part] for part in PARTS), 1e-8)
    for name, wanted in (("cpu", (-12.5e-3, -7.5e-3, 0)), ("net", (0, 0, -base["communication_s"])),
                         ("both", (-18.75e-3, -11.25e-3, -base["communication_s"]))):
        difference = rows[name]["difference"]
        for part, seconds in zip(PARTS, wanted):
            near(seconds, difference[part], 2e-8)
        near(sum(wanted), difference["predicted_s"], 2e-8)
        near(difference["predicted_s"] / base["predicted_s"], difference["share"])
        expect(True, rows[name]["low_s"] <= rows[name]["predicted_s"] <= rows[name]["high_s"])
    expect(["--speed", "--network"], sorted((c["option"] for c in rows["both"]["scenario"]), reverse=True))


def case_scenarios_are_what_run_says(session):
    make_bundle(session)
    rows = whatif(session, "--bandwidth", "1GBps", "--try", "more: -np 6 --bandwidth 2x", "--try",
                  "--speed chain=2x -- chain 500", "-j1")
    for name, words in (("base", ("-np", "4", "--bandwidth", "1GBps", *BOTH)),
                        ("more", ("-np", "6", "--bandwidth", "2GBps", *BOTH)),
                        ("--speed chain=2x -- chain 500",
                         ("-np", "4", "--bandwidth", "1GBps", "--speed", "chain=2x", "--", "chain", "500"))):
        found = report(session, "run", "p.skel", "--attribute", "--format=json", *words)
        near(found["predicted_s"], rows[name]["predicted_s"], 1e-12)
        expect(found["ranks"], rows[name]["ranks"])
        expect(found["interval"]["high_s"], rows[name]["high_s"])


def case_the_original_may_be_a_scenario(session):
    make_bundle(session)
    rows = whatif(session, "--try", "real: --original")
    expect(["base", "real"], list(rows))
    expect(True, rows["real"]["predicted_s"] > 0)
    expect(True, "computation_s" in rows["base"] and rows["real"].get("computation_s") is None)
    session.fine(*BASE, "--try", "real: --original", *BOTH)
    session.prints("real")


def case_a_failing_scenario_is_one_row(session):
    make_bundle(session)
    rows = whatif(session, "--try", "typo: --sped all=2x", "--try", "none: --speed nowhere=2x", "--try",
                  "fine: --speed all=2x", "--try", "silent: --platform missing.xml", code=1)
    for name, says in (("typo", "--sped"), ("none", "no region is called 'nowhere'"), ("silent", "missing.xml")):
        if says not in rows[name]["error"]:
            raise Failure(f"{rows[name]} does not tell '{says}'")
    expect(None, rows["fine"]["error"])
    near(-20e-3, rows["fine"]["difference"]["predicted_s"], 1e-8)
    session.refused(*BASE, "--try", "none: --speed nowhere=2x", *BOTH, says=[])
    session.prints("none      failed: --speed nowhere=2x: no region is called 'nowhere'")
    session.prints("base        0.0416801")


def lines_of_csv(session):
    """Without what is quoted."""
    return [re.sub('"[^"]*"', "", line) for line in session.out.splitlines()]


def case_a_failing_base_is_told(session):
    make_bundle(session)
    session.refused(*BASE, "--sped=2", "--try", "a: --speed all=2x", code=64, says="--sped=2")
    session.run(*BASE, "--format=csv", "--try", "a: --speed nowhere=2x", *BOTH)
    expect(lines_of_csv(session)[0].count(","), lines_of_csv(session)[2].count(","))
    session.refused("whatif", "none.skel", "-np", "2", "--rank-all", says="no bundle none.skel")
    session.refused("whatif", "p.skel", "--rank-all", code=64, says="how many ranks")
    write_model(session, without=("imbalance",))
    rows = whatif(session, "--try", "chain: -- chain 1000", code=1)
    if "error: region 0 has no model" not in rows["base"]["error"]:
        raise Failure(f"{rows['base']}")
    near(40e-3, rows["chain"]["ideal_s"], 1e-8)
    if "difference" in rows["chain"]:
        raise Failure("a difference to a base that failed")


def case_scenarios_come_from_files(session):
    make_bundle(session)
    session.write("s.txt", "# two of them\n\n  half: --speed 'all=0.5x'\r\nnet: --network ideal")
    rows = whatif(session, "--file", "s.txt", "--try=last: --speed all=2x")
    expect(["base", "half", "net", "last"], list(rows))
    near(40e-3, rows["half"]["difference"]["predicted_s"], 1e-8)
    for text, place in (("a: --speed all=2x\nb\n", "2:1"), ("a: --speed 'all=2x\n", "1:1"), (": --speed all=2x", "1:1"),
                        ("a: speed", "1:1"), ("a: --speed all=2x\n\0\n", "1:1")):
        session.write("s.txt", text)
        session.refused(*BASE, "--file", "s.txt", code=64, says=f"s.txt:{place}: error: ")
    session.refused(*BASE, "--file", "none.txt", code=64, says="none.txt")


def case_names_that_are_not_text_are_not_lost(session):
    make_bundle(session)
    name = os.fsencode(session.path("net")) + b"-\xe9.net"
    with open(name, "w", encoding="ascii") as file:
        file.write("topology = ideal\n")
    rows = whatif(session, "--try", b"odd \xe9: --network net-\xe9.net")
    expect("net-?.net", rows["odd ?"]["scenario"][0]["value"])
    near(40e-3, rows["odd ?"]["predicted_s"], 1e-8)


def case_text_and_csv_of_whatif(session):
    make_bundle(session)
    scenarios = ("--try", 'one, "two": --speed all=2x', "--no-attribute")
    session.fine(*BASE, "--format=csv", *scenarios, *BOTH)
    lines = session.out.splitlines()
    expect(3, len(lines))
    expect(lines[0].count(","), lines[1].count(","))
    if not lines[2].startswith('"one, ""two""",4,0.02168005'):
        raise Failure(lines[2])
    session.fine(*BASE, *scenarios, *BOTH)
    session.prints("\none, \"two\"    0.0216801")
    session.prints("  -48.0%\n")
    session.prints('\none, "two": --speed all=2x: 6 regions 2x as fast')
    if "waiting" in session.out:
        raise Failure(session.told("parts that were not asked for"))
    session.fine(*BASE, *scenarios[:2], *BOTH)
    session.prints("-0.0125      -0.0075             +0\n")


def case_what_is_changed_and_what_is_strange_is_told(session):
    make_bundle(session)
    session.fine(*BASE, "--bandwidth", "2x", "--try", "chain: --speed chain=2x", "--try",
                 "more: -np 8 -- imbalance '10 0'", *BOTH)
    line = next(region["line"] for region in regions_of(session) if region["function"] == "chain")
    _, told = session.out.split("\n\n")
    expect(["base: --bandwidth 2x: of what the network has, on all links but memory",
            f"chain: --speed chain=2x: 1 region 2x as fast (phases.c:{line} chain)",
            "more: on 8 ranks", "more: arguments imbalance '10 0'"], told.splitlines())
    session.expect(0, "mpiskel: chain: warning: --speed chain=2x changes nothing")
    expect(1, session.err.count("warning"))


def case_noise_is_the_same_in_base_and_scenario(session):
    make_bundle(session)
    noise = ("--distribution", "--repeat", "8", "--network", "ideal")
    rows = whatif(session, *noise, "--try", "cpu: --speed all=2x", "--try", "other: --seed 2",
                  "--try", "more: --repeat 9", "--", "imbalance", "1000")
    # Each repetition takes half of what it took: the models' errors are the same.
    for key in "low", "median", "high":
        near(-0.5, rows["cpu"]["difference"]["noise"][key], 1e-6)
    for other in "other", "more":
        if "noise" in rows[other]["difference"]:
            raise Failure(f"another noise is compared: {rows[other]}")
    session.fine(*BASE, *noise, "--try", "cpu: --speed all=2x", "--", "imbalance", "1000")
    session.prints("   95 % distribution\n")
    session.prints("   -50.0 to -50.0%\n")
    session.fine(*BASE, *noise, "--format=csv", "--try", "cpu: --speed all=2x", "--", "imbalance", "1000")
    expect(1, len({line.count(",") for line in session.out.splitlines()}))


def case_ranks_that_meet_wait_for_the_slowest(session):
    make_bundle(session)
    def balance(*options):
        return report(session, "run", "p.skel", "--format=json", "--network", "ideal", *options, "--",
                      "balance", "100000")
    for ranks, least, most, spread in (("4", 1.07, 1.14, "execution"), ("64", 1.2, 1.3, "execution"),
                                       ("4", 1.09, 1.12, "rank"), ("64", 1.24, 1.27, "rank")):
        write_model(session, **{spread: 0.1})  # the expected: 1.10 and 1.25
        differ = balance("-np", ranks)
        alike = balance("-np", ranks, "--no-jitter")
        near(1, alike["predicted_s"], 1e-6)
        if not least < differ["predicted_s"] < most:
            raise Failure(f"{differ['predicted_s']} s on {ranks} ranks, {spread}")
        near(1, differ["per_rank"]["compute_s"]["mean"], 0.03) # it is the waiting that is more
        expect(differ["predicted_s"], balance("-np", ranks)["predicted_s"])
    expect(["--network"], [change["option"] for change in differ["scenario"]])
    expect(["--network", "--no-jitter"], [change["option"] for change in alike["scenario"]])
    session.fine("run", "p.skel", "-np", "4", "--no-jitter", "--", "balance", "10")
    session.prints("changed: --no-jitter: executions do not differ by chance, nor do ranks\n")
    session.refused("run", "p.skel", "-np", "4", "--no-jitter", "--distribution", "--", "balance", "10", code=64,
                    says="--no-jitter goes with the skeleton, without --distribution")


def case_wrong_use_of_whatif_is_told(session):
    make_bundle(session)
    session.refused(*BASE, code=64, says="what if what?")
    session.refused(*BASE, "--rank-all", "--try", "a: --speed all=2x", code=64, says="--rank-all goes without")
    session.refused(*BASE, "--rank-all", "--by", "0", code=64, says="--by takes a number of percent, not '0'")
    session.refused(*BASE, "--rank-all", "--by=x", code=64, says="--by takes")
    session.refused(*BASE, "--try", "a: --speed all=2x", "-j0", code=64, says="--jobs")
    session.refused(*BASE, "--try", "a: --speed all=2x", "--format=xml", code=64, says="--format takes")


def ranking(session, *words):
    cut = words.index("--") if "--" in words else len(words)
    found = report(session, *BASE, "--format=json", "--rank-all", *words[:cut], *(words[cut:] or BOTH))
    expect("mpiskel-sensitivity", found["format"])
    return found


def case_what_gains_most_is_ranked(session):
    make_bundle(session)
    found = ranking(session, "--by", "25%")
    by_name = {row["name"]: row for row in found["candidates"]}
    expect(sorted((-row["gain_s"] for row in found["candidates"])), [-row["gain_s"] for row in found["candidates"]])
    loop = next(row for row in found["candidates"] if "imbalance: work" in row["place"])
    near(40e-3 * 0.2, loop["gain_s"], 1e-8)
    near(25e-3 * 0.2, loop["saved_s"], 1e-8)
    near(40e-3 * 0.2, by_name["all"]["gain_s"], 1e-8)
    base = found["predicted_s"]
    near(base - run(session, "--bandwidth", "1.25x", *BOTH)["predicted_s"], by_name["bandwidth"]["gain_s"], 2e-9)
    near(base - run(session, "--latency", "0.8x", *BOTH)["predicted_s"], by_name["latency"]["gain_s"], 2e-9)
    if not 1e-4 < by_name["bandwidth"]["gain_s"] < 1e-3:
        raise Failure(f"20 messages of a megabyte: {by_name['bandwidth']}")
    near(loop["gain_s"] / base, loop["gain"])


def case_a_region_that_nobody_waits_for_gains_nothing(session):
    make_bundle(session)
    found = ranking(session, "--", "late", "1000", "100000")
    # Rank 0 waits for rank 1 to receive, and works then: both parts are on the way to the end.
    loop = next(row for row in found["candidates"] if "late: work" in row["place"])
    near(2e-3 / 11, loop["gain_s"], 1e-8)
    found = ranking(session, "--", "late", "1000", "8")
    loop = next(row for row in found["candidates"] if "late: work" in row["place"])
    near(1e-3 / 11, loop["gain_s"], 1e-8)
    near(0.5e-3 / 11, loop["saved_s"], 1e-8)


def case_a_changed_base_is_ranked_as_changed(session):
    make_bundle(session)
    slow = ("--bandwidth", "1GBps", "--speed", "all=4x")
    base = run(session, *slow, *BOTH)["predicted_s"]
    found = ranking(session, *slow)
    near(base, found["predicted_s"], 1e-12)
    by_name = {row["name"]: row for row in found["candidates"]}
    near(base - run(session, "--bandwidth", "1.1GBps", "--speed", "all=4x", *BOTH)["predicted_s"],
         by_name["bandwidth"]["gain_s"], 2e-9)
    near(10e-3 / 11, by_name["all"]["gain_s"], 1e-8)


def case_rankings_are_printed(session):
    make_bundle(session)
    session.fine(*BASE, "--rank-all", *BOTH)
    session.prints("predicted time 0.0416801 s on 4 ranks: 60.0 % computation, 36.0 % waiting, 4.0 % communication")
    session.prints("if this was 10 % faster")
    session.prints("imbalance: work\n")
    session.prints("not simulated: 2 regions with less than 0.1 % of the time")
    session.fine(*BASE, "--rank-all", "--top", "1", *BOTH)
    session.prints("and 4 more\n")
    session.fine(*BASE, "--rank-all", "--format=csv", *BOTH)
    expect([5] * 6, [line.count(",") for line in session.out.splitlines()])


def case_warnings_of_the_ranked_base_are_told_once(session):
    make_bundle(session)
    session.fine(*BASE, "--rank-all", "--speed", "chain=2x", *BOTH)
    expect(1, session.err.count("mpiskel: base: warning: --speed chain=2x changes nothing"))
    expect(1, session.err.count("warning"))


def case_interrupted_comparisons_leave_nothing(session):
    make_bundle(session)
    os.makedirs(session.path("tmp"))
    environment = dict(os.environ, TMPDIR=session.path("tmp"))
    process = session.start(session.mpiskel, *BASE, "-j2", "--try", "a: --speed all=2x", "--try",
                            "b: --speed all=3x", "--", "balance", "1", "1000000000", environment=environment)
    session.wait_for(lambda: any("mpiskel-run-" in name for name in os.listdir(session.path("tmp"))))
    os.kill(process.pid, signal.SIGINT)
    session.finish(process)
    session.expect(130, "interrupted")
    expect([], os.listdir(session.path("tmp")))
