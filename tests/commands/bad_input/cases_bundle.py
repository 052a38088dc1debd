# SPDX-License-Identifier: Apache-2.0
"""Missing, truncated and foreign files of a bundle: an error with the file's name, never a crash,
and nothing that was good is harmed."""
import glob
import json
import os
import shutil
import signal
import time
from random import Random

from support import APPLICATION, Failure, expect

READERS = (["verify", "app.skel", "-np", "2"], ["run", "app.skel", "-np", "2"], ["fit", "app.skel"],
           ["explain", "app.skel", "app.c:10"])


def case_missing_bundle_is_told(session):
    os.mkdir(session.path("empty"))
    for command, *rest in READERS:
        session.refused(command, "nowhere", *rest[1:], says=["error: ", "nowhere"])
        session.refused(command, "empty", *rest[1:], says=["error: ", "empty"])


def spoiled(text):
    """(what, text) of bad variants of a JSON file with format, version and bundle."""
    value = json.loads(text)
    yield "truncated", text[:len(text) // 2]
    yield "empty", ""
    yield "binary", "\x00\x7f\x01" * 1000
    yield "a list", "[]"
    yield "foreign", json.dumps(dict(value, format="something-else"))
    yield "newer", json.dumps(dict(value, version=value["version"] + 1))
    yield "nested", "[" * 200000


def case_bad_regions_are_refused(session):
    session.bundle()
    good = session.read("app.skel/regions.json")
    for what, text in spoiled(good):
        session.write("app.skel/regions.json", text)
        for reader in READERS:
            session.refused(*reader, says=["regions.json", "error: "])
    session.write("app.skel/regions.json", good)
    for reader in READERS:
        session.fine(*reader)


def case_bundle_of_another_version_is_refused_by_all_commands(session):
    session.bundle()
    good = session.read("app.skel/regions.json")
    commands = READERS + (
        ["run", "--original", "app.skel", "-np", "2"], ["fit", "app.skel", "--keep-untold"],
        ["validate", "app.skel", "-np", "2", "--real-ranks=1", "--repeat=1"],
        ["plan", "app.skel", "--target=-np 4"], ["scale", "app.skel", "-np", "2"],
        ["sweep", "app.skel", "-np", "2"], ["whatif", "app.skel", "-np", "2", "--try=--network 2GB/s"],
        ["loops", "app.skel"], ["machines", "list", "app.skel"], ["models", "show", "app.skel"])
    for version in (1, 4, None):
        regions = dict(json.loads(good), version=version)
        session.write("app.skel/regions.json", json.dumps(regions))
        for command in commands:
            session.run(*command)
            session.err += session.out  # where whatif tells of each scenario
            session.expect(1, "app.skel/regions.json:1:1: error: bundle of "
                              + ("a newer mpiskel (format 4, this one needs 3): use that one, or generate again"
                                 if version == 4 else
                                 f"an older mpiskel (format {version or 0}, this one needs 3): generate again"))
    session.fine("generate", "-o", "app.skel")
    session.fine("fit", "app.skel")
    session.fine("run", "app.skel", "-np", "2")


def case_bad_lists_of_untold_values_are_refused(session):
    session.bundle()
    good = json.dumps({"format": "mpiskel-untold", "version": 1, "values": [
        {"file": "app.c", "function": "main", "text": "x = 1", "line": 3, "error": 0.5}]})
    entries = ('{"file": 1}', '{}', '7', '"x"', '{"file": "a", "function": "f", "text": "t"}',
               '{"file": "a", "function": "f", "text": "t", "line": -1, "error": 1}',
               '{"file": "a", "function": "f", "text": "t", "line": 99999999999, "error": 1}',
               '{"file": "a", "function": "f", "text": "t", "line": 1, "error": -1}')
    texts = list(spoiled(good)) + [
        (entry, '{"format": "mpiskel-untold", "version": 1, "values": [' + entry + "]}")
        for entry in entries]
    for what, text in texts:
        session.write("app.skel/untold.json", text)
        session.refused("generate", "-o", "app.skel", says=["untold.json:", "error: "])
        session.refused("fit", "app.skel", "--keep-untold", says=["untold.json:", "error: "])
        session.fine("run", "app.skel", "-np", "2")
    session.write("app.skel/untold.json", good)
    session.fine("generate", "-o", "app.skel")
    session.fine("fit", "app.skel", "--keep-untold")
    expect(json.loads(session.read("app.skel/untold.json")) == json.loads(good), "a list is not kept as it was")


def case_missing_programs_are_told(session):
    session.bundle()
    session.fine("verify", "app.skel", "-np", "2")
    shutil.rmtree(session.path("app.skel/commands"))
    for name in ("original", "skeleton"):
        os.rename(session.path("app.skel/" + name), session.path("away"))
        session.refused(*READERS[0], says=[f"{name} is missing in ", "app.skel: run mpiskel generate"])
        os.rename(session.path("away"), session.path("app.skel/" + name))
    os.remove(session.path("app.skel/skeleton"))
    session.refused(*READERS[1], says="skeleton is missing in ")


def case_skeleton_without_a_model_is_not_run(session):
    session.bundle()
    os.remove(session.path("app.skel/model.bsim"))
    session.refused("run", "app.skel", "-np", "2", says="mpiskel fit")
    session.fine("verify", "app.skel", "-np", "2")


def case_bad_models_are_refused(session):
    session.bundle()
    good = session.read("app.skel/model.bsim")
    identity = good.split("bundle ")[1][:16]
    rows = [("", "model.bsim"), (good[:good.index("end ")], "truncated"), (good[:40], "model.bsim:"),
            (good.replace(identity, "0123456789abcdef"), "0123456789abcdef"),
            (good.replace("mpiskel-model 1", "mpiskel-model 2"), "model.bsim:1"),
            (good.replace("mpiskel-model", "other"), "model.bsim:1"),
            (good.replace("term ", "term x"), "model.bsim:"),
            (good.replace("term ", "term -"), "model.bsim:"),
            (good.replace("region 0", "region 99999999999"), "model.bsim:"),
            ("\x00\x01" * 5000, "model.bsim:")]
    for text, message in rows:
        session.write("app.skel/model.bsim", text)
        session.refused("run", "app.skel", "-np", "2", says=["error: ", message])
    session.fine("fit", "app.skel")
    session.fine("run", "app.skel", "-np", "2")


def case_bad_samples_are_refused_and_the_model_stays(session):
    session.bundle()
    (path,) = glob.glob(session.path("app.skel/samples/*.samples"))
    name, good = os.path.relpath(path, session.directory), ""
    good = session.read(name)
    head = json.loads(good.splitlines()[0])
    before = session.read("app.skel/model.bsim")

    def with_head(**changes):
        return "\n".join([json.dumps(dict(head, **changes))] + good.splitlines()[1:]) + "\n"

    rows = [("", "new.samples"), (good[:len(good) // 2], "new.samples:"),
            ("\n".join(good.splitlines()[:-1]) + "\n", "new.samples:"),
            (with_head(bundle="0123456789abcdef"), "new.samples:1"),
            (with_head(format="other"), "new.samples:1"), (with_head(version=7), "new.samples:1"),
            (with_head(ranks=-1), "new.samples:1"), (good.replace('"count":', '"count":-'),
                                                     "new.samples:"),
            (good.replace('"region":0', '"region":4711'), "new.samples:"),
            (good.replace('"features":[', '"features":[1e999,'), "new.samples:"),
            ("\x00\xff" * 5000, "new.samples:"), ("{" * 200000, "new.samples:")]
    for text, message in rows:
        session.write("app.skel/samples/new.samples", text)
        session.refused("fit", "app.skel", says=["error: ", message])
        expect(session.read("app.skel/model.bsim") == before, session.told("the model was changed"))
    os.remove(session.path("app.skel/samples/new.samples"))
    session.fine("fit", "app.skel")


def case_no_samples_are_told(session):
    session.bundle()
    for path in glob.glob(session.path("app.skel/samples/*")) + [session.path("app.skel/store.db")]:
        os.remove(path)
    session.refused("fit", "app.skel", says=["mpirun", "app.skel/profile"])
    shutil.rmtree(session.path("app.skel/samples"))
    session.refused("fit", "app.skel", says=["mpirun", "app.skel/profile"])


def case_bad_store_is_refused_and_left(session):
    session.bundle()
    with open(session.path("app.skel/store.db"), "rb") as file:
        good = file.read()
    for text in (b"this is no database" * 100, good[:len(good) // 2], b"SQLite format 3\0" * 50):
        with open(session.path("app.skel/store.db"), "wb") as file:
            file.write(text)
        session.refused("fit", "app.skel", says=["store.db", "error: "])
        with open(session.path("app.skel/store.db"), "rb") as file:
            expect(file.read() == text, session.told("the store was changed"))
    os.remove(session.path("app.skel/store.db"))
    session.fine("fit", "app.skel")


def killed_profile(session, number):
    samples = session.path("app.skel/samples")
    before = session.contents("app.skel/samples")
    process = session.start("mpirun", "--oversubscribe", "-np", "2",
                            session.path("app.skel/profile"), "forever")
    session.wait_for(lambda: any(b"forever" in line for line in command_lines(process.pid)))
    time.sleep(0.5)
    os.kill(process.pid, number)
    process.communicate(timeout=600)
    session.wait_for(lambda: not command_lines(process.pid))
    after = session.contents("app.skel/samples")
    for name, text in before.items():
        expect(after.get(name) == text, f"{name} was changed by a run that was killed with {number}")
    for name in set(after) - set(before):
        lines = after[name].decode().splitlines()
        if name.endswith(".samples") and not (lines and '"end":true' in lines[-1]):
            raise Failure(f"half a file of samples: {samples}/{name}")
    session.fine("fit", "app.skel")


def command_lines(group):
    """Of all processes below or in the process group of one that was started."""
    parents, lines = {}, {}
    for entry in glob.glob("/proc/[0-9]*"):
        try:
            with open(entry + "/stat", "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
            with open(entry + "/cmdline", "rb") as file:
                line = file.read()
        except OSError:
            continue
        if fields[0] != b"Z":
            parents[int(entry[6:])] = (int(fields[1]), int(fields[3]))
            lines[int(entry[6:])] = line
    return [line for pid, line in lines.items()
            if line.endswith(b"forever\0") and b"/profile" in line
            and (parents[pid][0] == group or parents[pid][1] == group)]


def case_killed_profiling_runs_harm_nothing(session):
    session.bundle()
    killed_profile(session, signal.SIGTERM)
    killed_profile(session, signal.SIGINT)
    killed_profile(session, signal.SIGKILL)


def simulations(session):
    """Command lines of simulations of the session's bundles."""
    lines = []
    for entry in glob.glob("/proc/[0-9]*"):
        try:
            with open(entry + "/cmdline", "rb") as file:
                line = file.read()
        except OSError:
            continue
        if b"smpimain" in line and session.directory.encode() in line:
            lines.append(line)
    return lines


def case_a_killed_run_leaves_no_simulation_behind(session):
    session.bundle()
    process = session.start(session.mpiskel, "run", "app.skel", "--original", "-np", "2", "--",
                            "forever")
    session.wait_for(lambda: simulations(session))
    process.kill()
    process.communicate(timeout=600)
    session.wait_for(lambda: not simulations(session))


def case_regenerated_bundle_keeps_its_samples(session):
    session.bundle()
    before = session.contents("app.skel/samples")
    session.fine("generate", "-o", "app.skel")
    session.expect_contents("app.skel/samples", before)
    session.fine("fit", "app.skel")


DAMAGES = [("demands", 3, lambda d: d.__setitem__(5, 3), "the parent"),
           ("demands", 4, lambda d: d.__setitem__(5, 1 << 40), "the parent"),
           ("demands", 2, lambda d: d.__setitem__(0, 4711), "the file"),
           ("demands", 2, lambda d: d.__setitem__(1, -7), "a line"),
           ("demands", 2, lambda d: d.__setitem__(3, None), "a text"),
           ("demands", 2, lambda d: d.clear(), "the file"),
           ("kept", 0, lambda k: k.update(demand=1 << 30), '"demand"'),
           ("kept", 0, lambda k: k.update(region=99), '"region"'),
           ("kept", 0, lambda k: k.update(estimate=-1), "a number"),
           ("kept", 0, lambda k: k.update(criteria=[[-5, 1]]), '"criteria"'),
           ("kept", 0, lambda k: k.update(chain_without_exits=[[1]]), "a line"),
           ("kept", 0, lambda k: k.pop("text"), "a text"),
           ("assumed", 0, lambda a: a.update(line="x"), "a member"),
           ("unknown", 0, lambda u: u.update(calls=[[1, 2]]), '"calls"')]


def case_damaged_reasons_are_told_with_their_place(session):
    """reasons.json is valid JSON, but an entry of what explain reads is not what it should be."""
    session.program(("app.c", APPLICATION))
    session.fine("generate", "--no-compile", "-o", "app.skel")
    good = json.loads(session.read("app.skel/reasons.json"))
    good["assumed"] = [{"name": "a", "file": "app.c", "line": 1, "text": "t", "effect": "e"}]
    good["unknown"] = [{"name": "f", "calls": [["app.c", 3]]}]
    session.write("app.skel/reasons.json", json.dumps(good, indent=1))
    for arguments in ([], ["app.c"], ["app.c:10"], ["--format=json"]):
        session.fine("explain", "app.skel", *arguments)
    for member, index, damage, message in DAMAGES:
        bad = json.loads(json.dumps(good))
        damage(bad[member][index])
        text = json.dumps(bad, indent=1)
        session.write("app.skel/reasons.json", text)
        # json.dumps writes the entries of a list on lines of their own, two blanks in
        line = text[:text.index(f'\n "{member}": [')].count("\n") + 3
        for entry in bad[member][:index]:
            line += json.dumps(entry, indent=1).count("\n") + 1
        session.refused("explain", "app.skel",
                        says=[f"reasons.json:{line}:3: error: ", message, f"entry {index + 1}"])
    for member in ("demands", "kept", "assumed", "unknown"):
        session.write("app.skel/reasons.json", json.dumps({**good, member: "x"}))
        session.refused("explain", "app.skel", says=["reasons.json:1:1: error: ", member])


def case_mutilated_reasons_do_not_crash(session):
    """Values anywhere in reasons.json are replaced by others: an answer or an error, never a crash."""
    session.program(("app.c", APPLICATION))
    session.fine("generate", "--no-compile", "-o", "app.skel")
    good = json.loads(session.read("app.skel/reasons.json"))
    random = Random(7)
    values = [None, -1, 0, 1, 1 << 31, 1 << 62, -1 << 62, 1e300, "", "%s%n", "\u20ac" * 300, [], {}, True]
    for _ in range(50):
        bad = json.loads(json.dumps(good))
        for _ in range(random.randint(1, 4)):
            at = bad
            while True:
                key = random.choice(list(at) if isinstance(at, dict) else range(len(at)))
                if not isinstance(at[key], (dict, list)) or not at[key] or random.random() < 0.1:
                    break
                at = at[key]
            at[key] = random.choice(values)
        session.write("app.skel/reasons.json", json.dumps(bad))
        for arguments in ([], ["app.c"], ["app.c:21"]):
            session.run("explain", "app.skel", *arguments)
            if session.code not in (0, 1) or (session.code == 1) != ("error: " in session.err):
                raise Failure(session.told("neither an answer nor an error"))
