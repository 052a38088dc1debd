# SPDX-License-Identifier: Apache-2.0
"""Messages as Open MPI's over TCP: large ones that cross each other, where connections are ordered; broadcasts of
ompi-4.1 in parts, with what they hold."""
import os
import re
import sys

from simulated import HERE, check_near, run

RATE_BYTES_PER_S = 1e6
TRIP_S = 2e-3
NETWORK = f"""topology = switch
hosts = 2
bandwidth = {RATE_BYTES_PER_S}Bps
latency = {TRIP_S / 2}s
eager-threshold = 65536
latency-factor = 0:1;65536:3
acknowledgements = tcp
connections = ordered
"""
EARLIER_S = 0.05
BUFFER_BYTES = 48000  # of a connection over TCP


def make_bundle(mpiskel, name):
    run(0, mpiskel, "capture", "-o", "commands.json", "--", "mpicc", "-O1", os.path.join(HERE, name + ".c"), "-o", name)
    run(0, mpiskel, "generate", "--no-progress", "-p", "commands.json", "-o", name + ".skel")


def took_s(mpiskel, size, how, network=NETWORK):
    """Of both ranks, from when rank 1 begins."""
    if not os.path.exists("crossing.skel"):
        make_bundle(mpiskel, "crossing")
        run(0, "mpirun", "--oversubscribe", "-np", "2", "crossing.skel/profile", "10", "sleeps")
        run(0, mpiskel, "fit", "crossing.skel")
    with open("crossing.net", "w", encoding="utf-8") as file:
        file.write(network)
    output, _ = run(0, mpiskel, "run", "crossing.skel", "-np", "2", "--no-progress", "--no-jitter", "--network",
                    "crossing.net", "--engine", "own", "--", str(size), how)
    return [float(word) for word in re.search(r"took (\S+) (\S+)", output).groups()]


def alone_s(size):
    return 3 * TRIP_S + size / RATE_BYTES_PER_S


def case_who_has_heard_of_a_large_message_gets_its_own_through_later(mpiskel):
    """Acknowledgements of the other message take 5 %, of one that is alone none that count."""
    size = 1000000
    check_near("two at once, rank 1 not in MPI", 1.05 * alone_s(size), max(took_s(mpiskel, size, "sleeps")), 0.01)
    check_near("two after one another", 2 * alone_s(size), max(took_s(mpiskel, size, "waits")), 0.01)
    small = 60000  # what tells rank 1 to go on comes behind it
    check_near("two small ones", 2 * (TRIP_S + small / RATE_BYTES_PER_S) - EARLIER_S, max(took_s(mpiskel, small, "waits")),
               0.01)
    shared = NETWORK.replace("ordered", "shared")
    check_near("of no order", 1.05 * alone_s(size), max(took_s(mpiskel, size, "waits", shared)), 0.01)


def case_a_sender_over_tcp_goes_on_when_the_rest_is_buffered(mpiskel):
    size = 1000000
    sender_s, receiver_s = took_s(mpiskel, size, "alone")
    check_near("the receive", alone_s(size), receiver_s, 0.001)
    check_near("the send", alone_s(size) - BUFFER_BYTES / RATE_BYTES_PER_S, sender_s, 0.001)
    sender_s, receiver_s = took_s(mpiskel, size, "alone", NETWORK.replace("tcp", "none"))
    check_near("the send without TCP", receiver_s, sender_s, 0.001)


def case_broadcasts_in_parts_bring_all_of_it(mpiskel):
    """1 MiB and more among 16 to 31 ranks is scattered; 16 to 32 KiB among 512 to 1,023 goes in halves, one integer less
    on one side."""
    make_bundle(mpiskel, "broadcast")
    for ranks, root, *counts in ((16, 0, 262144), (17, 3, 262144, 262145), (23, 22, 300001), (24, 7, 262147),
                                 (512, 5, 4096, 5001), (513, 512, 5001)):
        output, _ = run(0, mpiskel, "run", "broadcast.skel", "--original", "-np", str(ranks), "--no-progress",
                        "--collectives", "ompi-4.1", "--", str(root), *map(str, counts))
        if "right" not in output.split():
            sys.exit(f"{counts} integers from {root} on {ranks} ranks: {output[:200]}")
