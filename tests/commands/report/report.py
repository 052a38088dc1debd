# SPDX-License-Identifier: Apache-2.0
"""`mpiskel report`, and --report of `run` and `whatif`.

The page is looked at by browser.js in a headless Chromium."""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "whatif"))
from phases import Failure, expect, make_bundle  # noqa: E402

# Ends every element and string that a page may have it in.
HOSTILE = "</script></td><img src=x onerror=window.harmed=1>\"'<!--&amp;\x1b[31m"
BOTH = ("--", "both", "1000", "1000000")


def make_hostile(session):
    """Names of functions and files of the bundle are HTML."""
    described = json.loads(session.read("p.skel/regions.json"))
    for region in described["regions"]:
        region["function"] += HOSTILE
        region["summary"] = HOSTILE
    session.write("p.skel/regions.json", json.dumps(described))


def simulate(session, name, ranks, *words):
    """A report as JSON and a trace of the same run; the report."""
    session.fine("run", "p.skel", "-np", str(ranks), "--no-progress", "--attribute", "--format=json",
                 "--trace", session.path(name + ".trace"), *words)
    session.write(name + ".json", session.out)
    return json.loads(session.out)


def browse(session, page, *runs):
    """browser.js has to find nothing to complain about."""
    modules = subprocess.run(["npm", "root", "-g"], capture_output=True, text=True, check=True).stdout.strip()
    done = subprocess.run(["node", os.path.join(HERE, "browser.js"), session.path(page), *map(session.path, runs)],
                          capture_output=True, text=True, timeout=600, check=False,
                          env=dict(os.environ, NODE_PATH=modules, HOSTILE=HOSTILE.replace("\x1b", "?")))
    if done.returncode != 0:
        raise Failure(f"in the browser: {done.stdout}{done.stderr}")


def expect_whole_tables(page):
    """Each row has a cell for each heading, and some row has a text in one."""
    tables = re.findall(r'<table id="([^"]+)"(.*?)</table>', page, re.S)
    for table, text in tables:
        headings = text.count("<th ")
        for row in re.findall(r"<tr>(.*?)</tr>", text.partition("<tbody>")[2], re.S):
            cells = re.findall(r"<td class=\"(?:text\"><(?:code|span)>[^<]*</(?:code|span)>|[^<]*)</td>", row)
            if len(cells) != headings or "".join(cells) != row:
                raise Failure(f"table {table} has {headings} headings, and a row {row}")
    if len(tables) < 5 or "<td class=\"text\"><code>" not in page:
        raise Failure(f"the page has {len(tables)} tables, or none has a name")


def case_a_page_works_in_a_browser(session):
    make_bundle(session)
    make_hostile(session)
    simulate(session, "first", 4, "--", "both", "1000", "1000000", HOSTILE)
    simulate(session, "second", 6, *BOTH)
    session.fine("report", "p.skel", *[session.path(name) for name in
                                       ("first.json", "first.trace", "second.json", "second.trace")])
    browse(session, "report.html", "first.json", "second.json")


def case_text_has_the_chapters_and_steers_no_terminal(session):
    make_bundle(session)
    make_hostile(session)
    found = simulate(session, "first", 4, *BOTH)
    session.fine("report", "p.skel", session.path("first.trace"), session.path("first.json"), "--format=text")
    for chapter in ("Prediction", "Where the time goes", "Timeline", "Ranks", "Waiting", "Critical path", "Messages",
                    "Skeleton"):
        session.prints(f"== {chapter}\n")
    if "\x1b" in session.out:
        raise Failure("the text has an escape sequence of the application")
    session.prints(f"{100 * found['attribution']['efficiency']['parallel']:.1f}")
    session.prints("wait at barrier")
    found["findings"] = [{"kind": "error", "share": .3, "text": "x.c:3 is doubtful", "remedy": "measure it"}]
    session.write("doubtful.json", json.dumps(found))
    session.fine("report", "p.skel", session.path("doubtful.json"), "--format=text")
    session.prints("! x.c:3 is doubtful; measure it.")



def case_one_step_makes_a_page_with_all_of_a_run(session):
    make_bundle(session)
    before = set(os.listdir(session.directory))
    session.fine("run", "p.skel", "-np", "4", "--no-progress", "--report", "r.html", *BOTH)
    session.expect_files(before | {"r.html"})
    session.prints("predicted: ")
    page = session.read("r.html")
    for chapter in ("prediction", "timeline", "path", "messages", "skeleton"):
        if f'<section id="{chapter}">' not in page:
            raise Failure(f"the page has no chapter {chapter}")
    expect_whole_tables(page)
    session.fine("whatif", "p.skel", "-np", "4", "--no-progress", "--report", "w.html", "--try",
                 "fast: --speed all=2x", *BOTH)
    page = session.read("w.html")
    for text in ("base: 4 ranks", "fast: 4 ranks", '"runs":[{"name":"base: 4 ranks"', 'id="comparison-differences-1"'):
        if text not in page:
            raise Failure(f"the page does not tell '{text}'")


def case_what_is_no_report_is_refused(session):
    make_bundle(session)
    found = simulate(session, "first", 4, *BOTH)
    session.write("list.json", "[1, 2]")
    session.write("part.json", json.dumps({"format": "mpiskel-prediction", "program": "p"}))
    session.write("other.json", json.dumps(dict(found, program="q")))
    session.write("empty.json", "")
    session.write("strange.json", json.dumps(dict(found, regions=3, calls={"a": 1}, interval=[], attribution="no",
                                                  sites=[None, 5], arguments=[7], predicted_s=-1e300)))
    for name, says in (("list.json", "list.json:1:1: error: neither a trace nor a report"),
                       ("part.json", "part.json:1:1: error: no whole report"),
                       ("other.json", "other.json:1:1: error: this is a run of q"),
                       ("empty.json", "empty.json:1:"), ("none.json", "none.json")):
        session.refused("report", "p.skel", session.path(name), "-o", "no.html", says=says)
    session.fine("report", "p.skel", session.path("strange.json"))
    session.write("x.html", "mine")
    session.refused("report", "p.skel", session.path("list.json"), "-o", "x.html", says="neither")
    expect("mine", session.read("x.html"))
    session.refused("run", "p.skel", "-np", "4", "--report", "nowhere/r.html", *BOTH, says="nowhere")
    session.refused("whatif", "p.skel", "-np", "4", "--rank-all", "--report", "r.html", *BOTH, code=64, says="--report")
