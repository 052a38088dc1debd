# SPDX-License-Identifier: Apache-2.0
"""Messages between near and far hosts of each topology take in SimGrid what the description says,
alone and where they share a link. What is expected is counted by hand."""
import json
import sys

from simulated import check_holds, check_near, make, run, times

LINK = ("--bandwidth", "1GBps", "--latency", "10us", "--memory-bandwidth", "4GBps",
        "--memory-latency", "1us")


ENVELOPE = 16  # bytes that SMPI adds to a message


def check_distances(mpiskel, words, rows):
    """rows: (to, links of 10 us, further latency, least bandwidth), from rank 0."""
    directory = make(mpiskel, *words, *LINK)
    for to, links, latency, bandwidth in rows:
        for size in 8, 1000000:
            took = times(directory, size, (0, to))[0, to]
            wanted = links * 10e-6 + latency + (size + ENVELOPE) / bandwidth
            check_near(f"{size} bytes to {to} of {' '.join(words)}", wanted, took, 2e-5)


def case_switch(mpiskel):
    check_distances(mpiskel, ["switch", "--nodes", "8", "--cores", "2"],
                    [(1, 0, 1e-6, 4e9), (2, 2, 0, 1e9), (15, 2, 0, 1e9)])


def case_backbone(mpiskel):
    check_distances(mpiskel, ["backbone", "--nodes", "4", "--backbone-bandwidth", "500MBps",
                              "--backbone-latency", "7us"], [(1, 2, 7e-6, 5e8), (3, 2, 7e-6, 5e8)])


def case_star(mpiskel):
    check_distances(mpiskel, ["star", "--nodes", "12", "--hosts-per-switch", "4",
                              "--uplink-bandwidth", "800MBps", "--uplink-latency", "3us"],
                    [(1, 2, 0, 1e9), (3, 2, 0, 1e9), (4, 2, 6e-6, 8e8), (11, 2, 6e-6, 8e8)])


def case_fat_tree(mpiskel):
    check_distances(mpiskel, ["fat-tree", "--down", "2,3,4", "--up", "1,2,3", "--links", "1,1,1"],
                    [(1, 2, 0, 1e9), (2, 4, 0, 1e9), (5, 4, 0, 1e9), (6, 6, 0, 1e9),
                     (23, 6, 0, 1e9)])


def case_fat_tree_of_a_radix(mpiskel):
    check_distances(mpiskel, ["fat-tree", "--nodes", "16", "--radix", "4"],
                    [(1, 2, 0, 1e9), (2, 4, 0, 1e9), (4, 6, 0, 1e9), (15, 6, 0, 1e9)])


def case_torus(mpiskel):
    check_distances(mpiskel, ["torus", "--dimensions", "1,5,1"], [(1, 1, 0, 1e9), (3, 2, 0, 1e9)])
    check_distances(mpiskel, ["torus", "--dimensions", "5,4,3"],
                    [(1, 1, 0, 1e9), (4, 1, 0, 1e9), (3, 2, 0, 1e9), (5, 1, 0, 1e9),
                     (10, 2, 0, 1e9), (15, 1, 0, 1e9), (20, 1, 0, 1e9), (32, 5, 0, 1e9)])


def case_dragonfly(mpiskel):
    # Host 0 is at router 0 of chassis 0 of group 0; 3 groups x 2 chassis x 4 routers x 2 hosts.
    # Group 1 is reached over router 1 of this group and router 0 of that one.
    check_distances(mpiskel, ["dragonfly", "--groups", "3", "--chassis", "2", "--routers", "4",
                              "--hosts-per-router", "2"],
                    [(1, 2, 0, 1e9), (2, 3, 0, 1e9), (8, 3, 0, 1e9), (10, 4, 0, 1e9),
                     (16, 4, 0, 1e9), (18, 5, 0, 1e9), (24, 5, 0, 1e9), (47, 6, 0, 1e9)])


def case_the_report_tells_the_farthest_host_as_it_is(mpiskel):
    for words in [["switch", "--nodes", "6"], ["fat-tree", "--nodes", "30", "--radix", "6"],
                  ["backbone", "--nodes", "6", "--backbone-bandwidth", "700MBps"],
                  ["star", "--nodes", "9", "--hosts-per-switch", "3", "--uplink-bandwidth",
                   "300MBps"],
                  ["switch", "--nodes", "6", "--card-bandwidth", "400MBps"],
                  ["torus", "--dimensions", "3,4,5"], ["torus", "--nodes", "60"],
                  ["dragonfly", "--groups", "3", "--chassis", "2", "--routers", "5",
                   "--hosts-per-router", "2", "--group-links", "2"],
                  ["dragonfly", "--nodes", "60"]]:
        directory = make(mpiskel, *words, *LINK)
        output, _ = run(0, mpiskel, "platform", *words, *LINK, "--format=json")
        for path in json.loads(output)["nearest"], json.loads(output)["farthest"]:
            took = times(directory, 1000000, (0, path["to"]))[0, path["to"]]
            wanted = path["latency_s"] + (1000000 + ENVELOPE) / path["bandwidth_bytes_per_s"]
            check_near(f"to {path['to']} of {' '.join(words)}", wanted, took, 2e-5)


def case_65536_hosts_are_read(mpiskel):
    for words, links in [(["switch"], 2), (["torus"], 64), (["dragonfly"], 5),
                         (["fat-tree", "--down", "256,256", "--up", "1,4"], 4)]:
        output, _ = run(0, mpiskel, "platform", *words, "--nodes", "65536", *LINK, "-o", "large",
                        "--format=json")
        report = json.loads(output)
        if not 65536 <= report["hosts"] < 67000:
            sys.exit(f"{words} has {report['hosts']} hosts")
        far = report["farthest"]
        check_near(f"links of {words}", links, far["links"], 1e-9)
        with open("large/hostfile", "w", encoding="utf-8") as file:
            file.write(f"node-0\nnode-{far['to']}\n")
        took = times("large", 1000, (0, 1))[0, 1]
        check_near(f"the farthest of {words}", far["latency_s"] + 1016 / 1e9, took, 1e-4)


def check_flows(mpiskel, words, pairs, share, size=50000000):
    """All at once, each gets `share` of 1 GB/s."""
    directory = make(mpiskel, *words, *LINK)
    for pair, took in times(directory, size, *pairs).items():
        check_near(f"{pair} among {pairs} of {' '.join(words)}", size / (share * 1e9), took, 2e-3)


def case_a_shared_uplink_halves_the_bandwidth(mpiskel):
    star = ["star", "--nodes", "8", "--hosts-per-switch", "4", "--uplink-latency", "0us"]
    check_flows(mpiskel, [*star, "--uplink-bandwidth", "1GBps"], [(0, 4), (1, 5)], 0.5)
    check_flows(mpiskel, [*star, "--uplink-bandwidth", "2GBps"], [(0, 4), (1, 5)], 1)
    check_flows(mpiskel, [*star, "--uplink-bandwidth", "1GBps"],
                [(0, 4), (1, 5), (2, 6), (3, 7)], 0.25)
    check_flows(mpiskel, [*star, "--uplink-bandwidth", "1GBps"], [(0, 1), (2, 3), (4, 5)], 1)


def case_a_backbone_is_shared(mpiskel):
    backbone = ["backbone", "--nodes", "8", "--backbone-latency", "0us"]
    check_flows(mpiskel, [*backbone, "--backbone-bandwidth", "1GBps"], [(0, 1), (2, 3)], 0.5)
    check_flows(mpiskel, [*backbone, "--backbone-bandwidth", "4GBps"],
                [(0, 1), (2, 3), (4, 5)], 1)


def case_ranks_of_a_host_share_its_card(mpiskel):
    switch = ["switch", "--nodes", "4", "--cores", "4"]
    check_flows(mpiskel, switch, [(0, 4), (1, 8)], 0.5)
    check_flows(mpiskel, switch, [(0, 4), (8, 12)], 1)
    check_flows(mpiskel, switch, [(4, 0), (8, 1)], 0.5)


def case_a_card_limits_in_and_out_together(mpiskel):
    switch = ["switch", "--nodes", "3", "--cores", "2"]
    check_flows(mpiskel, [*switch, "--card-bandwidth", "1GBps"], [(2, 0), (1, 4)], 0.5)
    check_flows(mpiskel, switch, [(2, 0), (1, 4)], 1)


def case_half_duplex_is_shared_by_both_directions(mpiskel):
    switch = ["switch", "--nodes", "2"]
    check_flows(mpiskel, [*switch, "--duplex", "half"], [(0, 1), (1, 0)], 0.5)
    check_flows(mpiskel, switch, [(0, 1), (1, 0)], 1)
    star = ["star", "--nodes", "8", "--hosts-per-switch", "4", "--uplink-latency", "0us",
            "--uplink-bandwidth", "1GBps"]
    check_flows(mpiskel, [*star, "--duplex", "half"], [(0, 4), (5, 1)], 0.5)
    check_flows(mpiskel, star, [(0, 4), (5, 1)], 1)


def case_links_of_torus_and_dragonfly_are_shared(mpiskel):
    # 0 -> 2 goes over 1, and 1 -> 3 over 2. (With different numbers of links the shares differ.)
    check_flows(mpiskel, ["torus", "--dimensions", "7"], [(0, 2), (1, 3)], 0.5)
    check_flows(mpiskel, ["torus", "--dimensions", "5"], [(0, 1), (1, 2)], 1)
    dragonfly = ["dragonfly", "--groups", "2", "--routers", "4", "--hosts-per-router", "4"]
    check_flows(mpiskel, dragonfly, [(0, 16), (1, 17)], 0.5)
    check_flows(mpiskel, [*dragonfly, "--group-links", "2", "--router-links", "2"],
                [(0, 16), (1, 17)], 1)


def case_far_links_keep_their_bandwidth(mpiskel):
    """TCP's window would allow 4 MiB per round trip, here 2.1 GB/s."""
    directory = make(mpiskel, "switch", "--nodes", "2", "--bandwidth", "100GBps", "--latency",
                     "0.5ms")
    check_near("a long way", 1e-3 + 1e-3, times(directory, 100000000, (0, 1))[0, 1])


def case_overheads_and_factors_count(mpiskel):
    plain = ("switch", "--nodes", "2", *LINK)
    base = times(make(mpiskel, *plain), 1000, (0, 1))[0, 1]
    later = times(make(mpiskel, *plain, "--isend-overhead", "0:3e-5:0;500:4e-5:1e-8"), 1000,
                  (0, 1))[0, 1]
    check_near("what MPI_Isend adds", 4e-5 + 1000e-8, later - base)
    later = times(make(mpiskel, *plain, "--receive-overhead", "0:5e-5:0"), 1000, (0, 1))[0, 1]
    check_near("what MPI_Recv adds", 5e-5, later - base)
    slow = make(mpiskel, *plain, "--bandwidth-factor", "0:1;5000:0.5", "--latency-factor",
                "0:1;5000:3")
    check_near("a small message", base, times(slow, 1000, (0, 1))[0, 1])
    check_near("a large message", 60e-6 + 1e6 / 5e8, times(slow, 1000000, (0, 1))[0, 1])


def case_eager_messages_do_not_wait(mpiskel):
    text = "topology = switch\nhosts = 2\neager-threshold = 1kB\n"
    with open("eager.net", "w", encoding="utf-8") as file:
        file.write(text)
    run(0, mpiskel, "platform", "eager.net", "-o", "eager")
    with open("eager/platform.xml", encoding="utf-8") as file:
        check_holds(file.read(), '<prop id="smpi/send-is-detached-thresh" value="1000"/>')


def case_ideal_takes_no_time(mpiskel):
    directory = make(mpiskel, "ideal", "--nodes", "8", "--cores", "2")
    pairs = [(0, 1), (0, 2), (2, 0), (3, 15), (4, 15), (5, 15)]
    for size in 1, 1000, 100000000:
        for pair, took in times(directory, size, *pairs).items():
            if took > 1e-15:
                sys.exit(f"{size} bytes from {pair} take {took} s on an ideal network")
