# SPDX-License-Identifier: Apache-2.0
"""A region without features that takes as long as the list is, whose length is an argument or that of
what another region did: what is learned of it from samples written by hand, and what the skeleton
makes of it."""
import json
import os

from support import Failure, expect

HERE = os.path.dirname(os.path.abspath(__file__))

WALKS = 10
SECOND_PER_NODE = 1e-7


def write_samples(session, number, ranks, arguments, nodes, build_s=0):
    """A walk takes SECOND_PER_NODE for each node, the rest nothing but what is told."""
    def measured(region):
        walks = WALKS * (region["summary"] == "walk")
        return [], walks or 1, walks * nodes * SECOND_PER_NODE if walks else build_s

    session.write_run("list.skel", number, ranks, arguments, measured)


def generate(session):
    with open(os.path.join(HERE, "list.c"), encoding="utf-8") as file:
        session.program(("list.c", file.read()))
    session.fine("generate", "-o", "list.skel")
    regions = json.loads(session.read("list.skel/regions.json"))["regions"]
    if [region["summary"] for region in regions if not region["features"]] != ["atoi, build", "walk"]:
        raise Failure(f"other regions than expected: {regions}")


def make_bundle(session, sizes=(1000, 2000, 4000, 8000)):
    generate(session)
    for number, size in enumerate(sizes):
        write_samples(session, number, 2, [str(size)], size)
    session.fine("fit", "list.skel")


def make_filed(session, sizes=(1000, 2000, 4000, 8000), swept_first=True):
    """The length is in a file; the sweep, which has it as a feature, takes no time."""
    with open(os.path.join(HERE, "filed.c"), encoding="utf-8") as file:
        session.program(("filed.c", file.read()))
    session.fine("generate", "-o", "list.skel")
    regions = json.loads(session.read("list.skel/regions.json"))["regions"]
    found = [(region["summary"], len(region["features"])) for region in regions]
    expect(found == [("calloc, sweep", 1), ("free", 0), ("walk", 0)], f"other regions than expected: {found}")
    for number, size in enumerate(sizes):
        def measured(region, size=size):
            walks = WALKS * (region["summary"] == "walk")
            return [size] * len(region["features"]), walks or 1, walks * size * SECOND_PER_NODE
        session.write_run("list.skel", number, 2, [], measured,
                          key=lambda region: region["index"] * (1 if swept_first else -1))
    session.fine("fit", "list.skel")


def run(session, *words):
    session.fine("run", "list.skel", "-np", "4", "--no-jitter", "--format=json", *words)
    return json.loads(session.out)


def near(wanted, found, tolerance):
    expect(abs(wanted - found) <= tolerance * wanted, f"wanted {wanted}, found {found}")


def case_time_goes_by_the_argument(session):
    make_bundle(session)
    session.prints("*arg1 of the run, since what decides is no feature")
    for size in (1000, 6000, 64000):
        found = run(session, "--", str(size))
        near(WALKS * size * SECOND_PER_NODE, found["per_rank"]["compute_s"]["mean"], 1e-6)
        near(max(size / 8000, 1), found["interval"]["extrapolation"], 1e-9)


def case_run_names_the_argument_that_is_beyond_training(session):
    make_bundle(session)
    session.fine("run", "list.skel", "-np", "2", "--", "64000")
    session.prints("8x  list.c:")
    session.prints("arg1: an argument was 64000 to 64000, fitted on 1000 to 8000")
    found = run(session, "--", "250")["extrapolation"]
    if [(row["feature"], row["factor"], row["seen"], row["trained"]) for row in found] != [
            ("arg1", 4, [250, 250], [1000, 8000])]:
        raise Failure(f"told instead: {found}")
    expect(not run(session, "--", "2000")["extrapolation"], "2000 is within 1000 to 8000")


def case_plan_asks_for_the_argument_that_is_beyond_training(session):
    make_bundle(session)
    session.fine("plan", "list.skel", "--target", "-np 2 64000", "--format=json")
    plan = json.loads(session.out)
    walk = plan["regions"][0]
    near(8, walk["outside"], 1e-9)
    if (walk["features"], walk["target_max"], walk["sample_max"]) != (["arg1"], [64000], [8000]):
        raise Failure(f"asked for {walk}")
    if not any(int(one["args"][0]) > 8000 for one in plan["runs"]):
        raise Failure(f"no longer list is profiled: {plan['runs']}")
    session.fine("plan", "list.skel", "--target", "-np 2 64000")
    session.prints("arg1 8x above 1000..8000")
    session.fine("plan", "list.skel", "--target", "-np 2 8000", "--format=json")
    near(1, json.loads(session.out)["regions"][0]["outside"], 1e-9)


def case_the_number_of_ranks_is_known_before_mpi_init(session):
    generate(session)
    runs = [(ranks, size) for ranks in (1, 2, 4) for size in (1000, 2000, 4000)]
    for number, (ranks, size) in enumerate(runs):
        write_samples(session, number, ranks, [str(size)], size, build_s=1e-6 * size / ranks)
    session.fine("fit", "list.skel")
    session.prints("*ranks^-1*arg1 of the run")
    found = run(session, "--", "4000")
    near(1e-3, sum(r["seconds_per_rank"] for r in found["regions"] if r["line"] == 33), 1e-6)


def case_a_run_without_the_argument_is_refused(session):
    make_bundle(session)
    session.refused("run", "list.skel", "-np", "2",
                    says=["depends on the argument arg1, which all profiling runs had and this run has not"])


def case_noise_knows_how_far_the_argument_is_off(session):
    make_bundle(session)
    widths = []
    for size in (8000, 800000):
        session.fine("run", "list.skel", "-np", "2", "--distribution", "--repeat", "8", "--format=json",
                     "--", str(size))
        noise = json.loads(session.out)["noise"]
        widths.append((noise["max_s"] - noise["min_s"]) / noise["mean_s"])
    expect(widths[1] > 2 * widths[0], f"relative widths {widths}")


def case_two_sizes_teach_nothing_and_fit_says_so(session):
    make_bundle(session, (1000, 1000, 8000, 8000))
    session.prints("what decides is none of them")
    near(run(session, "--", "1000")["per_rank"]["compute_s"]["mean"],
         run(session, "--", "8000")["per_rank"]["compute_s"]["mean"], 1e-6)


def case_time_goes_by_what_another_region_did_before(session):
    make_filed(session)
    session.prints("*n1@0 of the run, since what decides is no feature")
    for size in (1000, 6000, 64000):
        session.write("size.txt", str(size))
        found = run(session)
        near(WALKS * size * SECOND_PER_NODE, found["per_rank"]["compute_s"]["mean"], 1e-6)
        near(max(size / 8000, 1), found["interval"]["extrapolation"], 1e-9)


def case_run_names_the_other_regions_size_that_is_beyond_training(session):
    make_filed(session)
    session.write("size.txt", "16000")
    session.fine("run", "list.skel", "-np", "2")
    session.prints("n1@0: ")
    session.prints(" in region 0 was 16000 to 16000, fitted on 1000 to 8000")


def case_what_if_changes_the_other_region_too(session):
    make_filed(session)
    session.write("size.txt", "1000")
    found = run(session, "--set", "filed.c:28=2*trips")
    near(WALKS * 2000 * SECOND_PER_NODE, found["per_rank"]["compute_s"]["mean"], 1e-6)


def case_a_run_without_the_other_region_is_refused(session):
    make_filed(session)
    session.write("size.txt", "1000")
    session.refused("run", "list.skel", "-np", "2", "--", "plain",
                    says=["depends on a feature of region 0, which had been executed before it in all"])


def case_other_ranks_know_what_was_the_same_on_all_of_them(session):
    make_filed(session)
    session.write("size.txt", "6000")
    found = run(session, "--", "only", "first")
    near(WALKS * 6000 * SECOND_PER_NODE, found["per_rank"]["compute_s"]["mean"], 1e-6)


def case_what_another_region_does_later_is_not_known(session):
    make_filed(session, swept_first=False)
    session.prints("what decides is none of them")


def case_time_goes_by_how_much_was_read(session):
    """A word takes 1 us and a number 3 us; on one rank, whose count words and numbers have."""
    with open(os.path.join(HERE, "reads.c"), encoding="utf-8") as file:
        session.program(("reads.c", file.read()))
    session.fine("generate", "-o", "list.skel", "--assume", "no-abnormal-exit")
    regions = json.loads(session.read("list.skel/regions.json"))["regions"]
    found = [(region["function"], region.get("late", False),
              [feature["expression"] for feature in region["features"]]) for region in regions]
    expect(found == [("count_words", True, ["words"]), ("read_numbers", False, ["bsim_trips(0, count, 1)"])],
           f"other regions than expected: {found}")
    for number, size in enumerate((1000, 2000, 4000, 8000)):
        session.write_run("list.skel", number, 1, [], lambda region, size=size: (
            [size + region.get("late", False)], 1,
            3e-6 * size if region["function"] == "read_numbers" else 1e-6 * (size + 1)))
    session.fine("fit", "list.skel")
    for size in (500, 5000, 20000):
        session.write("numbers.txt", " ".join(["%d" % size] + ["7"] * size))
        found = run(session, "--", os.path.join(session.directory, "numbers.txt"))
        near(3e-6 * size + 1e-6 * (size + 1), found["per_rank"]["compute_s"]["max"], 1e-6)
