#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks one program of this folder: is its skeleton what the program's first comment claims?

    check_case.py MPISKEL CASE.c|CASE.cpp

The program is made into a bundle with -Wall; generate may print nothing on stderr but what `note:`
lines announce, so a warning of the skeleton's compilation is a failure. Then the claims are checked,
and `mpiskel verify` has to print "identical" for all given arguments and numbers of ranks. Last, it is
generated again, with its units out of the cache, and has to be the same.

Claims are lines "key: value" of the first comment; every key may be repeated:
  args: 100 7          arguments of the program for verify (default: none); each line is one more run
  ranks: 2 4           numbers of ranks for verify (default: 2 4)
  kept: TEXT           stays in the skeleton; gone: TEXT  does not. Both have to be in the program;
                       comments do not count, and runs of white space are equal.
  made: TEXT           is in the skeleton and not in the program
  scratch: N           buffers of messages that are scratch;  live: N  calls whose payload is needed
  regions: N           compute regions
  feature: TEXT        is the expression of a feature;  features: N  is their number
  with: FILE           is taken along from the folder parts (.c files are compiled and linked too)
  flags: -std=c89      further options of the compiler
  generate: --assume=none   further options of mpiskel generate; with the assumption cuts, values
                       are replayed in verify
  hints: keep CASE.c:12     a line of the hints
  scout: 100 7         generate makes a scout run of 2 ranks with these arguments (- for none)
  cut: TEXT            with them, or by an estimate, this is the statement of one of the values that
                       hot computation stays for; each of them has to be claimed
  sum: TEXT            is the statement of a value that is known to be a sum up to now; likewise
  note: TEXT           is in a line of stderr of generate
  engine: lacks TEXT   mpiskel's engine cannot run it
  engine: differs, since ...       SMPI does it otherwise than MPI says
  engine: not compared, since ...  what it does is a matter of chance without a copy of its variables for each rank
  real: differs, since ...   a real run does not make the same calls
One case of eight, by a hash of its name (REAL_CASES=all in the environment: each), is also run really, on its
first number of ranks with its first arguments, and has to make the original's calls there.
Skeletons in C++ are built once more with sanitizers, and may not complain.
On 4 ranks (or the first of `ranks`) the engine has to make the same calls as SMPI, in the same time. Each program has to claim that something is gone, or it could not tell a skeleton from a copy.

With CHECK_QUICK=1 in the environment (./check --quick) nothing is compiled or run, and generate keeps no cache:
claims about sources and regions are checked, not those about notes of compilations.

If CASE.expected.c exists, it has to be equal to the rewritten CASE.c. BLESS=1 in the environment
writes it anew (to begin with one, make an empty file)."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

KEYS = ("args ranks kept gone made scratch live regions feature features with flags generate "
        "hints note scout cut sum engine real").split()
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "engine"))
sys.dont_write_bytecode = True
import agreement  # noqa: E402

SANITIZED = b"-fsanitize=address,undefined"
QUICK = os.environ.get("CHECK_QUICK") == "1"
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
COUNTS = {"scratch": "scratch_buffers", "live": "live_payloads", "regions": "regions",
          "features": "features"}


class Failure(Exception):
    pass


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_claims(source):
    comment = re.match(r"/\*(.*?)\*/", source, re.S)
    if comment is None:
        raise Failure("the program does not begin with a comment that tells what is claimed")
    claims = {key: [] for key in KEYS}
    for line in comment.group(1).splitlines():
        match = re.match(r"\s*\*\s*([a-z]+): (.*)", line)
        if match is None:
            continue
        if match.group(1) not in claims:
            raise Failure(f"unknown key '{match.group(1)}' in the first comment")
        claims[match.group(1)].append(match.group(2).strip())
    if not claims["gone"]:
        raise Failure("the first comment has no 'gone:' line")
    return claims


def normalized(text):
    """Without comments, white space as one blank. Literals are left alone."""
    token = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|//[^\n]*', re.S)
    text = token.sub(lambda m: " " if m.group().startswith("/") else m.group(), text)
    return re.sub(r"\s+", " ", text)


def run(command, directory):
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=600,
                          env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr


def copy_program(case, claims, directory):
    """The names of the C files, the case's own first."""
    sources = []
    for path in [case] + [os.path.join(os.path.dirname(case), "parts", name)
                          for name in claims["with"]]:
        name = os.path.basename(path)
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(read(path))
        if name.endswith((".c", ".cpp")):
            sources.append(name)
    return sources


def object_of(source):
    return os.path.splitext(source)[0] + ".o"


def compiler_of(source):
    return "mpicxx" if source.endswith(".cpp") else "mpicc"


def warnings_of(source):
    """A skeleton in C++ that reads what nothing has set does not compile."""
    return ["-Wextra", "-Werror=uninitialized"] if source.endswith(".cpp") else []


def write_database(sources, claims, directory):
    flags = " ".join(claims["flags"]).split()
    entries = [{"directory": directory, "file": source,
                "output": object_of(source),
                "arguments": [compiler_of(source), "-O1", "-Wall"] + warnings_of(source) + flags + ["-c", source]}
               for source in sources]
    with open(os.path.join(directory, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)
    link = {"directory": directory, "output": "case",
            "arguments": [compiler_of(sources[0])] + flags + [object_of(source) for source in sources]
                         + ["-o", "case", "-lm"]}
    with open(os.path.join(directory, "link_commands.json"), "w", encoding="utf-8") as file:
        json.dump([link], file)
    if claims["hints"]:
        with open(os.path.join(directory, "case.hints"), "w", encoding="utf-8") as file:
            file.write("\n".join(claims["hints"]))


def generate(mpiskel, claims, directory):
    options = ["--no-compile"] * QUICK + " ".join(claims["generate"]).split()
    for arguments in claims["scout"]:
        options += ["--scout", "mpirun --oversubscribe -np 2 {} " + arguments.strip("-")]
    code, out, err = run([mpiskel, "generate", "--skeleton", "-o", "case.skel", "--format=json"] + options,
                         directory)
    if code != 0:
        raise Failure(f"generate ended with {code}:\n{err}")
    for note in claims["note"]:
        if note not in err and not QUICK:
            raise Failure(f"stderr of generate does not tell '{note}':\n{err}")
    unexpected = [line for line in err.splitlines()
                  if not any(note in line for note in claims["note"])]
    log = os.path.join(directory, "case.skel", "build.log")
    if unexpected and os.path.exists(log):
        unexpected.append(read(log))
    if unexpected:
        raise Failure("generate printed on stderr:\n" + "\n".join(unexpected))
    return json.loads(out)


def check_counts(claims, summary, directory):
    for key, name in COUNTS.items():
        for wanted in claims[key]:
            if summary[name] != int(wanted):
                raise Failure(f"{key}: {summary[name]} instead of {wanted}")
    regions = json.loads(read(os.path.join(directory, "case.skel", "regions.json")))["regions"]
    expressions = [feature["expression"] for region in regions for feature in region["features"]]
    for wanted in claims["feature"]:
        if wanted not in expressions:
            raise Failure(f"no feature is '{wanted}'; there are {expressions}")


def check_cuts(claims, directory):
    cuts = json.loads(read(os.path.join(directory, "case.skel", "regions.json")))["cuts"]
    found = sorted(value["text"] for value in cuts["values"])
    if (claims["scout"] or claims["cut"]) and found != sorted(claims["cut"]):
        raise Failure(f"the values that hot computation stays for are {found}")
    regions = json.loads(read(os.path.join(directory, "case.skel", "regions.json")))["regions"]
    sums = {region["line"] for region in regions if region.get("adds_up")}
    found_sums = sorted(value["text"] for value in cuts["values"] if value["line"] in sums)
    if claims["sum"] and found_sums != sorted(claims["sum"]):
        raise Failure(f"the values that add up are {found_sums}")
    is_counted = not cuts["estimated"] and not claims["hints"]
    left = cuts.get("executions_if_given", cuts["executions_kept"])
    if found and is_counted and not left < cuts["executions"] / 10:
        raise Failure(f"{left} of {cuts['executions']} executions are left")


def check_texts(claims, sources, directory):
    names = sources + [name for name in claims["with"] if name.endswith(".h")]
    before = normalized("\n".join(read(os.path.join(directory, name)) for name in names))
    after = normalized("\n".join(read(os.path.join(directory, "case.skel", "src", name))
                                 for name in names))
    for key, in_before, in_after in (("kept", True, True), ("gone", True, False),
                                     ("made", False, True)):
        for text in map(normalized, claims[key]):
            if (text in before) != in_before:
                raise Failure(f"the claim is void: '{text}' is {'not ' * in_before}in the program")
            if (text in after) != in_after:
                raise Failure(f"'{text}' is {'not ' * in_after}in the skeleton")


def check_expected(case, directory):
    expected = os.path.splitext(case)[0] + ".expected" + os.path.splitext(case)[1]
    if not os.path.exists(expected):
        return
    got = read(os.path.join(directory, "case.skel", "src", os.path.basename(case)))
    if os.environ.get("BLESS") == "1":
        with open(expected, "w", encoding="utf-8") as file:
            file.write(got)
    elif read(expected) != got:
        command = ["diff", "-u", expected, "-"]
        diff = subprocess.run(command, input=got, capture_output=True, text=True).stdout
        raise Failure("the skeleton is not the expected one (BLESS=1 writes it anew):\n" + diff)


def is_run_really(case, claims):
    is_chosen = zlib.crc32(os.path.basename(case).encode()) % 8 == 0
    return not claims["real"] and (is_chosen or os.environ.get("REAL_CASES") == "all")


def verify(mpiskel, case, claims, directory):
    real = ["--real"] if is_run_really(case, claims) else ["--no-real"]
    replay = ["--replay"] if any("cuts" in text for text in claims["generate"]) else []
    for arguments in claims["args"] or [""]:
        for ranks in " ".join(claims["ranks"] or ["2 4"]).split():
            code, out, err = run([mpiskel, "verify", "case.skel", "-np", ranks] + replay + real + ["--"]
                                 + arguments.split(), directory)
            said, *rest = out.splitlines() or [""]
            match = re.match(r"identical: (\d+) calls on (\d+) ranks$", said)
            agrees = real == ["--no-real"] or re.match(
                r"real run: (identical to the original(,|:| up to)|the original's calls in another)", "".join(rest))
            if not agrees:
                raise Failure(f"verify --real -np {ranks} -- {arguments}:\n{out}{err}")
            real = ["--no-real"]
            if "MPI_Abort" in err and not any("MPI_Abort" in note for note in claims["note"]):
                raise Failure(f"verify -np {ranks} -- {arguments}: the case called MPI_Abort\n{err}")
            if code != 0 or match is None or int(match.group(1)) == 0 or match.group(2) != ranks:
                raise Failure(f"verify -np {ranks} -- {arguments} ended with {code}:\n{out}{err}")


def check_engine(mpiskel, claims, directory):
    """Variables that ranks have in common, in a program that SMPI would copy for each, are so in both."""
    libraries = os.path.join(os.path.dirname(os.path.dirname(mpiskel)), "lib", "mpiskel")
    numbers = " ".join(claims["ranks"] or ["4"]).split()
    ranks = "4" if "4" in numbers else numbers[0]
    network = agreement.write_switch(directory, int(ranks))
    claim = " ".join(claims["engine"])
    if claim.startswith("not compared"):
        return
    needs_model = claims["scout"] or claims["hints"] or "cuts" in " ".join(claims["generate"])
    for arguments in claims["args"] or [""]:
        found, lacks, agreed = agreement.disagreements(
            os.path.join(libraries, "engine"), os.path.join(libraries, "libbsim_messages.so"),
            [os.path.join(directory, "case.skel", "skeleton"), *network, ranks, *arguments.split()])
        if lacks is not None:
            found.append(f"it lacks {lacks}")
        if agreed.startswith("both failed") and not needs_model:
            found.append(agreed)
        if claim.startswith("lacks ") and claim[len("lacks "):] != lacks:
            raise Failure(f"engine: it does not lack '{claim[len('lacks '):]}' but '{lacks}'")
        if bool(found) != bool(claim):
            raise Failure("\n".join([f"engine: on {ranks} ranks", *found[:6]]) if found else
                          f"the claim is void: the engine does not differ, '{claim}'")


def sanitizers():
    """The libraries that have to be loaded before all others."""
    return ":".join(os.path.realpath(run(["gcc", f"-print-file-name={name}"], ".")[1].strip())
                    for name in ("libasan.so", "libubsan.so"))


def check_memory(mpiskel, claims, directory):
    """The skeleton, built with sanitizers by its own commands, reads and writes only what is there, and ends well. It is
    not linked with the sanitizers' libraries: their __tls_get_addr would take the place of the skeleton's, by which
    ranks have variables of their own."""
    libraries = os.path.join(os.path.dirname(os.path.dirname(mpiskel)), "lib", "mpiskel")
    bundle = os.path.join(directory, "sanitized")
    commands = os.path.join(bundle, "commands", "skeleton")
    shutil.copytree(os.path.join(directory, "case.skel"), bundle)
    os.remove(os.path.join(bundle, "skeleton"))
    if os.path.exists(commands + ".plain"):
        os.remove(commands + ".plain")  # by which it would be built without sanitizers where it cannot be with them
    with open(commands, "rb") as file:
        words = file.read()
    if min(words.count(b"\0-Wall\0"), words.count(b"\0-Wl,-z,defs\0")) == 0:
        raise Failure("the commands of the skeleton have no words that options of sanitizers can take the place of")
    with open(commands, "wb") as file:
        file.write(words.replace(b"\0-Wall\0", b"\0" + SANITIZED + b"\0")
                   .replace(b"\0-Wl,-z,defs\0", b"\0-Wl,-z,undefs\0"))
    code, _, err = run([os.path.join(libraries, "mpiskel-build"), bundle, "skeleton"], directory)
    if code != 0:
        raise Failure(f"the skeleton is not built with sanitizers:\n{err}")
    ranks = " ".join(claims["ranks"] or ["4"]).split()[0]
    network = agreement.write_switch(directory, int(ranks))
    preloaded = sanitizers() + ":" + os.path.join(libraries, "libbsim_messages.so")
    for arguments in claims["args"] or [""]:
        with tempfile.TemporaryDirectory() as work:
            done = agreement.Run("smpi", agreement.smpimain(), agreement.smpi_library_path(libraries), preloaded,
                                 [os.path.join(bundle, "skeleton"), *network, ranks, *arguments.split()], work,
                                 ASAN_OPTIONS="detect_leaks=0", UBSAN_OPTIONS="halt_on_error=1")
            if done.code != 0 or "AddressSanitizer" in done.text("log") or "runtime error" in done.text("log"):
                raise Failure(f"with sanitizers, arguments '{arguments}':\n{done.text('log')[:3000]}")


def files_of(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.relpath(os.path.join(place, name), folder)] = file.read()
    return found


def check_again(mpiskel, claims, directory):
    """Trees out of the bundle's cache give the same sources and regions as parsing does."""
    first, again = (os.path.join(directory, name) for name in ("case.skel", "again.skel"))
    shutil.copytree(first, again)
    code, out, err = run([mpiskel, "generate", "--no-compile", "-o", "again.skel", "--format=json"]
                         + " ".join(claims["generate"]).split(), directory)
    if code != 0 or json.loads(out)["units_parsed"] != 0:
        raise Failure(f"generate parsed again, or ended with {code}:\n{out}{err}")
    for part in ("src", "src.profile"):
        if files_of(os.path.join(first, part)) != files_of(os.path.join(again, part)):
            raise Failure(f"{part} is another one when units are taken from the cache")
    if read(os.path.join(first, "regions.json")) != read(os.path.join(again, "regions.json")):
        raise Failure("regions.json is another one when units are taken from the cache")


def check(mpiskel, case, directory):
    claims = read_claims(read(case))
    sources = copy_program(case, claims, directory)
    write_database(sources, claims, directory)
    time.sleep(0.05)  # what changes while generate runs is not kept for the next time
    summary = generate(mpiskel, claims, directory)
    try:
        check_counts(claims, summary, directory)
        check_cuts(claims, directory)
        check_texts(claims, sources, directory)
        check_expected(case, directory)
        if not QUICK:
            verify(mpiskel, case, claims, directory)
            check_engine(mpiskel, claims, directory)
            if case.endswith(".cpp"):
                check_memory(mpiskel, claims, directory)
            check_again(mpiskel, claims, directory)
    except Failure as failure:
        skeleton = read(os.path.join(directory, "case.skel", "src", os.path.basename(case)))
        raise Failure(f"{failure}\n---- the skeleton:\n{skeleton}") from None


def main():
    mpiskel, case = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="skeleton-case-") as directory:
        try:
            check(mpiskel, case, os.path.realpath(directory))
        except Failure as failure:
            sys.exit(f"{os.path.basename(case)}: {failure}")
    print(f"{os.path.basename(case)}: fine")


if __name__ == "__main__":
    main()
