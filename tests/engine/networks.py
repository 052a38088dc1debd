#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program with communication of all kinds on each kind of network: the engine's time is SMPI's within 1 %, with as
many messages and bytes. And a model that goes by the program's arguments reads the same ones.

    networks.py MPISKEL LIBRARIES every_call.c"""
import json
import os
import sys
import tempfile

from engine import Bundle

RANKS = 16
PARTS = "mcno"
MOST_DIFFERENCE = 0.01
NETWORKS = {
    "switch with factors": ["latency-factor=0:1.5;1000:2.5", "bandwidth-factor=0:0.7;65536:0.9",
                            "send-overhead=0:1e-6:1e-11", "isend-overhead=0:5e-7:0",
                            "receive-overhead=0:1e-6:2e-11"],
    "hosts of four": ["cores=4", "card-bandwidth=9GBps"],
    "hosts of four, dealt out": ["cores=4", "placement=cyclic"],
    "half duplex": ["duplex=half"],
    "backbone": ["topology=backbone", "backbone-bandwidth=20GBps"],
    "star": ["topology=star", "hosts-per-switch=4", "uplink-bandwidth=12.5GBps"],
    "fat tree": ["topology=fat-tree", "down=4,4", "up=1,2"],
    "torus": ["topology=torus", "dimensions=4,4"],
    "dragonfly": ["topology=dragonfly", "groups=2", "chassis=2", "routers=2", "hosts-per-router=2"],
    "ideal": ["topology=ideal"],
    "changed": ["topology=torus", "dimensions=2,8"],
}
CHANGES = {"changed": ["--bandwidth=0.25x", "--latency=3x"]}


def described(work, name, keys):
    """Options of run for that network."""
    path = os.path.join(work, "network")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(key.replace("=", " = ", 1) + "\n" for key in keys)
    return [f"--network={path}", *CHANGES.get(name, [])]


def numbers(bundle, engine, options):
    done = bundle.run(RANKS, engine, options, PARTS)
    if done.returncode != 0:
        sys.exit(f"{engine} {' '.join(options)}: {done.stderr}")
    report = json.loads(done.stdout)
    return report["predicted_s"], report["messages"]


def main():
    mpiskel, libraries, source = sys.argv[1:]
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        bundle = Bundle(mpiskel, libraries, source, work)
        for name, keys in NETWORKS.items():
            options = described(work, name, keys)
            own_s, own = numbers(bundle, "own", options)
            smpi_s, smpi = numbers(bundle, "smpi", options)
            difference = abs(own_s - smpi_s) / max(smpi_s, 1e-30)
            is_same = difference <= MOST_DIFFERENCE and own == smpi
            wrong += not is_same
            print(f"{name}: {own_s:.9g} s, SMPI {smpi_s:.9g} s: {100 * difference:.4f} %"
                  f"{'' if own == smpi else f', messages {own} and {smpi}'}{'' if is_same else ' WRONG'}")
    return 1 if wrong > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
