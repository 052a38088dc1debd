# SPDX-License-Identifier: Apache-2.0
"""What `mpiskel platform` writes, draws, lists and refuses."""
import json
import os
import sys
import xml.etree.ElementTree

from simulated import check, check_holds, run

SHAPES = {
    "switch": [], "ideal": [], "backbone": ["--backbone-bandwidth", "1GBps"],
    "star": ["--hosts-per-switch", "4", "--uplink-bandwidth", "20GBps"], "fat-tree": [],
    "dragonfly": [], "torus": [],
}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def case_description_is_written_as_it_was_understood(mpiskel):
    for topology, words in SHAPES.items():
        extra = [] if topology == "ideal" else ["--send-overhead", "0:1e-6:0", "--latency", "3us"]
        extra += ["--storage", "1GBps:1ms;/tmp=3GBps:1us"]
        run(0, mpiskel, "platform", topology, "--nodes", "24", "--cores", "3", "--placement",
            "cyclic", *words, *extra, "-o", "first")
        run(0, mpiskel, "platform", "first/network.txt", "-o", "second")
        for name in "platform.xml", "hostfile", "network.txt":
            check(f"{name} of {topology}", read(f"first/{name}"), read(f"second/{name}"))


def case_hostfile_places_the_ranks(mpiskel):
    words = [mpiskel, "platform", "switch", "--nodes", "3", "--cores", "2", "-o", "net"]
    run(0, *words)
    check("block", "node-0 node-0 node-1 node-1 node-2 node-2", " ".join(
        read("net/hostfile").split()))
    run(0, *words, "--placement", "cyclic", "-np", "5")
    check("cyclic", "node-0 node-1 node-2 node-0 node-1", " ".join(read("net/hostfile").split()))
    run(0, *words, "--ranks-per-node", "1", "-np", "2")
    check("one per host", "node-0 node-1", " ".join(read("net/hostfile").split()))
    write("mine", "node-2\nnode-0:2\n")
    run(0, *words, "--placement", "mine")
    check("a file", "node-2 node-0 node-0", " ".join(read("net/hostfile").split()))
    write("mine", "node-2\nnode-9\n")
    _, messages = run(1, *words, "--placement", "mine")
    check_holds(messages, "mine:2:1: error: the platform has no host 'node-9'")
    _, messages = run(1, *words, "-np", "7")
    check_holds(messages, "7 ranks do not fit: switch has 3 hosts")


def texts_of(drawing):
    root = xml.etree.ElementTree.fromstring(drawing)
    texts = [element for element in root.iter() if element.tag.endswith("}text")]
    width, height = float(root.get("width")), float(root.get("height"))
    for text in texts:
        if not (0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height):
            sys.exit(f"'{text.text}' is outside of the drawing")
    return [text.text for text in texts]


def case_drawings_are_readable_whatever_their_size(mpiskel):
    for topology, words in SHAPES.items():
        for hosts in 1, 8, 65536:
            run(0, mpiskel, "platform", topology, "--nodes", str(hosts), *words, "--draw", "n.svg")
            drawing = read("n.svg")
            texts = texts_of(drawing)
            if len(texts) > 140 or len(drawing) > 60000:
                sys.exit(f"{topology} with {hosts} hosts: {len(texts)} texts, {len(drawing)} bytes")
            if hosts == 65536 and not any("more" in text for text in texts):
                sys.exit(f"{topology} with {hosts} hosts does not tell how many are not drawn")


def case_a_title_cannot_break_the_drawing(mpiskel):
    write("n.net", "title = a < b & \"c\"\ntopology = torus\ndimensions = 2,2\n")
    run(0, mpiskel, "platform", "n.net", "--draw", "n.svg", "-o", "net")
    check("title", True, 'a < b & "c"' in texts_of(read("n.svg")))
    check_holds(read("net/network.txt"), 'title = a < b & "c"\n')


def case_presets_are_listed_and_printed(mpiskel):
    output, _ = run(0, mpiskel, "platform", "--list", "--format=json")
    presets = [preset["name"] for preset in json.loads(output)["presets"]]
    check("summit is there", True, "summit" in presets and "ideal" in presets)
    for preset in presets:
        output, _ = run(0, mpiskel, "platform", preset, "--print")
        if preset != "ideal":
            check_holds(output, "# fact: ")
            check_holds(output, "# assumed: ")
        write("again.net", output)
        run(0, mpiskel, "platform", "again.net", "--nodes", "8", "-o", "again")
        run(0, mpiskel, "platform", preset, "--nodes", "8", "-o", "preset")
        check(preset, read("preset/platform.xml"), read("again/platform.xml"))


def case_report_is_json(mpiskel):
    output, _ = run(0, mpiskel, "platform", "summit", "--format=json")
    report = json.loads(output)
    check("hosts", 4608, report["hosts"])
    check("links", [1, 2, 4], [report[name]["links"] for name in ("in_host", "nearest", "farthest")])
    check("latency", 1e-6, report["farthest"]["latency_s"])


def case_mistakes_are_told_with_their_place(mpiskel):
    for words, message in [
            (["ring"], "'ring' is no topology (switch, backbone"),
            (["torus"], "how many hosts? Give --nodes N"),
            (["star", "--nodes", "4"], "a star has hosts-per-switch and uplink-bandwidth"),
            (["torus", "--nodes", "4", "--down", "2"], "--down says nothing about the topology torus"),
            (["torus", "--dimensions", "4,x"], "--dimensions 4,x: dimensions takes a whole number"),
            (["switch", "--nodes", "4", "--latency", "5"], "--latency 5: latency 5 has no unit"),
            (["switch", "--nodes", "0"], "hosts is zero"),
            (["switch", "--nodes", "4", "-o", "/dev/null/x"], "cannot create directory /dev/null"),
            (["switch", "--nodes", "4", "--draw", "/nowhere/x.svg"], "/nowhere/x.svg"),
            (["no.net"], "error: 'no.net' is no topology")]:
        _, messages = run(1, mpiskel, "platform", *words)
        check_holds(messages, message)
    write("bad.net", "topology = torus\nlatency = 1 parsec\n")
    _, messages = run(1, mpiskel, "platform", "bad.net", "--nodes", "4")
    check_holds(messages, "bad.net:2:11: error: latency 1parsec: 'parsec' is no unit")
    for words in [[], ["torus", "torus"], ["torus", "--format", "csv"], ["torus", "--bogus"]]:
        run(64, mpiskel, "platform", *words)


def case_hostile_descriptions_do_no_harm(mpiskel):
    whole = b"topology = fat-tree\ndown = 4,4\nup = 1,2\nbandwidth = 5GBps\n"
    texts = [whole[:end] for end in range(0, len(whole), 7)]
    texts += [b"\0" * 100, b"=" * 100000, b"a" * 1000000, b"\xff\xfe\n", b"[section]\n",
              b"down = " + b"9," * 100000, b"title = " + b"x" * 100000 + b"\nhosts = 1\n",
              b"send-overhead = " + b"1:1:1;" * 1000, b"\n" * 100000]
    for text in texts:
        with open("hostile.net", "wb") as file:
            file.write(text)
        for code in os.popen(f"{mpiskel} platform hostile.net --nodes 4 >out 2>&1; echo $?"):
            if int(code) not in (0, 1):
                sys.exit(f"code {code} for {text[:60]}: {read('out')}")
            if int(code) == 1:
                check_holds(read("out"), "error: ")
