# SPDX-License-Identifier: Apache-2.0
"""`mpiskel verify` of skeletons that take values as given, from models that are wrong by a known
amount.

shares.c and waits.c are made into bundles with the assumption cuts and profiled with a limit of
90; each case verifies one with 90, where its values are right, or another one. deck.c is profiled
with other sizes than it is verified with, mesh.c on other ranks."""
import fcntl
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# What is left over in the user's shell must not matter.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   BSIM_VALUES="/nowhere")
ROWS = {  # of 4 ranks that send 6 * 100 numbers each, two of them 600 more; 6 * 90 in the skeleton
    "calls": "280 256 -8.571 % -8.571 % (rank 0)",
    "messages": "26 26 0 % 0 % 0 %",
    "bytes": "28800 26880 -6.667 % -10 % (rank 1) -10 % (1 -> 2)",
    "collectives": "244 220 -9.836 % -9.836 % (rank 0)",
    "their bytes": "32 32 0 % 0 %",
}


def run(code, limit, *command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600,
                          env=dict(ENVIRONMENT, LIMIT=str(limit)))
    if done.returncode != code:
        sys.exit(f"{' '.join(command)} ended with {done.returncode} instead of {code}:\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def check(wanted, got):
    if wanted != got:
        sys.exit(f"this is:\n{got}\nand should be:\n{wanted}")


def wait_until(holds, otherwise):
    begin = time.monotonic()
    while not holds():
        if time.monotonic() - begin > 300:
            sys.exit(otherwise)
        time.sleep(0.02)


def unread(pipe):
    """Bytes that nobody has read yet."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def piped(command, data, goes_on=False):
    """With the beginning of its input there when it begins: what comes within a second counts."""
    reading, writing = os.pipe()
    os.write(writing, data[:4096])
    process = subprocess.Popen(command, stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=ENVIRONMENT)
    os.close(reading)
    process.pipe = open(writing, "wb", buffering=0)
    try:
        for at in range(4096, len(data), 1 << 20):
            process.pipe.write(data[at:at + (1 << 20)])
    except BrokenPipeError:  # it has read enough
        pass
    if not goes_on:
        process.pipe.close()
    return process


def write_json(name, value):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(value, file)


def make_bundle(mpiskel, source, sizes=("",), options=(), scout="mpirun --oversubscribe -np 2 {}"):
    place = os.getcwd()
    write_json("compile_commands.json",
               [{"directory": place, "file": os.path.join(HERE, source), "output": "app.o",
                 "arguments": ["mpicc", "-O1", "-c", os.path.join(HERE, source), "-o", "app.o"]}])
    write_json("link_commands.json", [{"directory": place, "output": "app",
                                       "arguments": ["mpicc", "app.o", "-o", "app", "-lm"]}])
    run(0, 100, mpiskel, "generate", "-o", "app.skel", "--assume=cuts", "--scout",
        scout, *options)
    for size in sizes:
        run(0, 90, "mpirun", "--oversubscribe", "-np", "2", "app.skel/profile", *size.split())
    return run(0, 90, mpiskel, "fit", "--no-check", "app.skel")[1] if sizes else ""


def verify(mpiskel, code, limit, *options):
    return run(code, limit, mpiskel, "verify", "app.skel", "-np", "4", *options)


def rows(text):
    """The table that follows what is told of the first difference, by the name of the row."""
    found = {}
    for line in text[text.index("largest of a pair\n"):].splitlines()[1:]:
        match = re.match(r" +([a-z ]+?) +(\d.*)", line)
        if match is not None:
            found[match.group(1)] = re.sub(" +", " ", match.group(2))
    return found


def case_sums_tell_how_far_values_are_off(mpiskel):
    make_bundle(mpiskel, "shares.c")
    out, err = verify(mpiskel, 2, 100)
    if not out.startswith("different: 4 of 4 ranks; the lowest is rank 0, at its call 2\n"):
        sys.exit(f"no first difference in:\n{out}")
    check(ROWS, rows(out))
    check(["values that were given, by models, and what the original computed:",
           "  shares.c:24: return count",
           "    original 24 times, 100 on average; skeleton 24 times, 90 on average: -10 % in all, "
           "-10 % on rank 0"], out.splitlines()[-9:-6])
    check("mpiskel: the skeleton takes 1 value as given, here from its models; --replay takes the "
          "original's\nmpiskel: the original, run once more, makes the same calls as before: the "
          "difference is the skeleton's\n", err)


def make_plain_bundle(mpiskel, name):
    source = os.path.join(HERE, name)
    write_json("compile_commands.json",
               [{"directory": os.getcwd(), "file": source, "output": "app.o",
                 "arguments": ["mpicc", "-c", source, "-o", "app.o"]}])
    run(0, 1, mpiskel, "generate", "-o", "app.skel")


def check_places(out, name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        lines = file.read().splitlines()
    places = re.findall(r"(original|skeleton|both) +(MPI_\w+).*\n +at .*" + name + r":(\d+)\)?$",
                        out, re.M)
    if {"original", "skeleton"} - {side for side, _, _ in places}:
        sys.exit(f"a side has no place in:\n{out}")
    for _, call, number in places:
        check(True, call + "(" in lines[int(number) - 1])


def case_calls_of_both_sides_are_told_at_lines_of_the_application(mpiskel):
    """The original is compiled from rewritten sources, too, since it records values."""
    make_bundle(mpiskel, "shares.c")
    out, _ = verify(mpiskel, 2, 100)
    check_places(out, "shares.c")


def case_calls_of_an_original_that_simgrid_could_not_compile_are_told_as_well(mpiskel):
    make_plain_bundle(mpiskel, "world.c")
    out, _ = verify(mpiskel, 2, 1)
    check_places(out, "world.c")


def case_right_values_print_nothing_more(mpiskel):
    make_bundle(mpiskel, "shares.c")
    for calls, limit, *options in ((256, 90), (256, 90, "--tolerance", "1"),
                                   (280, 100, "--replay")):
        out, err = verify(mpiskel, 0, limit, *options)
        check(f"identical: {calls} calls on 4 ranks\n", out + err)
    out, _ = verify(mpiskel, 0, 90, "--format=json")
    if {"volume", "values"} & set(json.loads(out)):
        sys.exit("there are sums though nothing differs")


def case_values_that_no_size_tells_are_named_by_fit(mpiskel):
    told = "1 value is hardly told by any size, with errors of up to "
    err = make_bundle(mpiskel, "hashed.c", sizes=("10", "11", "15", "20", "28", "40"))
    if told not in err or "% (hashed.c:12): communication depends on it" not in err:
        sys.exit(f"fit does not warn of the value:\n{err}")
    if "hardly told" in make_bundle(mpiskel, "capped.c", sizes=("10", "20", "30", "40")):
        sys.exit("fit warns of a value that it tells exactly")


def generate_and_fit_told(mpiskel, source, sizes, kept, *options):
    """generate, profiling runs and fit; which lines generate has computed, and how many values are
    not told."""
    place = os.getcwd()
    write_json("compile_commands.json",
               [{"directory": place, "file": source, "output": "app.o",
                 "arguments": ["mpicc", "-O1", "-c", source, "-o", "app.o"]}])
    write_json("link_commands.json", [{"directory": place, "output": "app",
                                       "arguments": ["mpicc", "app.o", "-o", "app", "-lm"]}])
    err = run(0, 90, mpiskel, "generate", "-o", "app.skel", "--assume=cuts", "--scout",
              "mpirun --oversubscribe -np 2 {}", *options)[1]
    for size in sizes:
        run(0, 90, "mpirun", "--oversubscribe", "-np", "2", "app.skel/profile", size)
    told = run(0, 90, mpiskel, "fit", "--no-check", "app.skel", *kept)[1]
    counted = re.search(r"(\d+) values? (?:is|are) not told to within", told)
    computed = re.search("computed, as models did not tell (?:it|them): (.*) \\(app.skel/untold.json", err)
    return (re.findall(source + r":(\d+)", computed.group(1)) if computed else [],
            int(counted.group(1)) if counted else 0)


def case_predictions_by_values_that_models_do_not_tell_are_warned_of(mpiskel):
    """Of runs that were profiled only where ranks differ."""
    warning = r"warning: communication depends on given values that models predict badly: (\S+):\d+ \(off by up to (\d+) %\)"
    cases = (("lopsided.c", ("2000", "4000", "8000"), (("2000", True), ("3000", True))),
             ("hashed.c", ("10", "11", "15", "20", "28", "40"), (("15", False), ("30", True))),
             ("capped.c", ("10", "20", "30", "40"), (("20", False), ("25", False))))
    for source, sizes, wanted in cases:
        shutil.copy(os.path.join(HERE, source), source)
        generate_and_fit_told(mpiskel, source, sizes, ())
        for size, is_told in wanted:
            out = run(0, 90, mpiskel, "run", "app.skel", "-np", "2", "--", size)[0]
            found = re.search(warning, out)
            check((source, size, is_told), (source, size, found is not None))
            check(True, found is None or (found.group(1) == source and int(found.group(2)) > 10))
        shutil.rmtree("app.skel")


def line_of(source, text):
    with open(source, encoding="latin-1") as file:
        return str(1 + next(i for i, line in enumerate(file) if text in line))


def case_values_that_no_model_tells_are_computed_if_asked_for(mpiskel):
    """As large as they turn out on sizes and ranks that nobody profiled, and not given a statement
    further on or before instead. Models give them again when they are asked to."""
    kept = ("--keep-untold",)
    cases = (("hashed.c", ("10", "11", "15", "20", "28", "40"), "return (int)"),
             ("lopsided.c", ("2000", "4000", "8000"), "return count;"))
    for source, sizes, statement in cases:
        shutil.copy(os.path.join(HERE, source), source)
        check(([], 0), generate_and_fit_told(mpiskel, source, sizes, ()))
        check(False, os.path.exists("app.skel/untold.json"))
        verify(mpiskel, 2, 90, "--tolerance", "2", "--", "3000")
        check(([], 1), generate_and_fit_told(mpiskel, source, sizes, kept))
        check(([line_of(source, statement)], 0),
              generate_and_fit_told(mpiskel, source, sizes, kept))
        check("identical", verify(mpiskel, 0, 90, "--", "3000")[0].split(":")[0])
        os.remove("app.skel/untold.json")
        check(([], 0), generate_and_fit_told(mpiskel, source, sizes, ()))
        verify(mpiskel, 2, 90, "--tolerance", "2", "--", "3000")
        shutil.rmtree("app.skel")


def given_lines():
    with open("app.skel/regions.json", encoding="utf-8") as file:
        return sorted(str(region["line"]) for region in json.load(file)["regions"] if region["kind"] == "value")


def case_what_cut_hints_ask_for_is_given_though_no_model_tells_it(mpiskel):
    """What else is not told is computed; where that does all of its work as well, generate says so."""
    shutil.copy(os.path.join(HERE, "leaves.c"), "leaves.c")
    first, second = (line_of("leaves.c", text) for text in ("leaving = count", "all = count"))
    sizes, kept = ("200", "400", "800"), ("--keep-untold",)
    for hinted, lines, told in ((first, [first, second], [(1, [first, second]), (0, [])]),
                                (first + second, [first, second], [(0, [first, second])])):
        with open("app.hints", "w", encoding="utf-8") as file:
            file.write(f"cut leaves.c:{first}\n" + (f"cut leaves.c:{second}\n" if second in hinted else ""))
        for count, given in told:
            check(count, generate_and_fit_told(mpiskel, "leaves.c", sizes, kept, "--hints", "app.hints")[1])
            check(given, given_lines())
            err = run(0, 90, mpiskel, "generate", "--no-compile", "-o", "app.skel", "--assume=cuts",
                      "--hints", "app.hints")[1]
            check(given_lines() == [], f"what begins on line {first} of leaves.c is computed all the same" in err)
        shutil.rmtree("app.skel")


def case_untold_values_are_found_again_when_lines_were_added(mpiskel):
    check_untold_is_found(mpiskel, "", "/* One line\n * more. */\n")


def case_untold_values_are_found_again_whatever_their_text_is(mpiskel):
    """One that is not UTF-8 is none in JSON."""
    check_untold_is_found(mpiskel, " + 0 * (int)sizeof \"\xe9\"")


def check_untold_is_found(mpiskel, behind, *added):
    sizes, kept = ("10", "11", "15", "20", "28", "40"), ("--keep-untold",)
    with open(os.path.join(HERE, "hashed.c"), encoding="latin-1") as file:
        text = file.read().replace("(1000 * x * x * x)", "(1000 * x * x * x)" + behind)
    for begin in ("",) + (added or (" ",)):
        with open("hashed.c", "w", encoding="latin-1") as file:
            file.write(begin + text)
        computed, count = generate_and_fit_told(mpiskel, "hashed.c", sizes, kept)
        check(([line_of("hashed.c", "return (int)")], 0) if begin else ([], 1), (computed, count))


def case_values_that_models_tell_are_given_whatever_is_asked_for(mpiskel):
    shutil.copy(os.path.join(HERE, "capped.c"), "capped.c")
    sizes = ("10", "20", "30", "40")
    for _ in range(2):
        check(([], 0), generate_and_fit_told(mpiskel, "capped.c", sizes, ("--keep-untold=0.5",)))
    with open("app.skel/regions.json", encoding="utf-8") as file:
        check(True, any(region["kind"] == "value" for region in json.load(file)["regions"]))


def case_values_that_differ_from_rank_to_rank_are_named_by_fit(mpiskel):
    err = make_bundle(mpiskel, "lopsided.c", sizes=("2000", "4000", "8000"))
    if not re.search(r"1 value differs from rank to rank, by up to 9\d%, as nothing tells "
                     r"\(lopsided.c:\d+\): each rank gets the mean of all", err):
        sys.exit(f"fit does not warn of the value:\n{err}")
    if "rank to rank" in make_bundle(mpiskel, "capped.c", sizes=("10", "20", "30", "40")):
        sys.exit("fit warns of a value that is the same on all ranks")


def case_loops_that_a_limit_ended_begin_anew(mpiskel):
    """What was left of the iterations that the model told is none of the next loop's."""
    make_bundle(mpiskel, "capped.c", sizes=("10", "20", "30", "40"))
    for size, loops in (("48", 48), ("70", 50)):
        out, _ = verify(mpiskel, 0, 100, "--", size)
        check(f"identical: {4 * (2 + 2 * 3 * loops)} calls on 4 ranks\n", out)


def case_both_sides_read_what_stands_on_standard_input(mpiskel):
    make_plain_bundle(mpiskel, "asks.c")
    command = [mpiskel, "verify", "app.skel", "-np", "3"]
    with open("answers", "w", encoding="utf-8") as file:
        file.write("not this line\n7\n")
    with open("answers", encoding="utf-8") as file:
        os.lseek(file.fileno(), len("not this line\n"), os.SEEK_SET)
        read = subprocess.run(command, stdin=file, capture_output=True, text=True, timeout=600,
                              env=ENVIRONMENT, check=False)
    check("identical: 30 calls on 3 ranks\n", read.stdout)
    for answer, calls in ((b"7", 30), (b"9\n", 36), (b"", 12)):
        with piped(command, answer) as process:
            check(f"identical: {calls} calls on 3 ranks\n", process.communicate(timeout=600)[0])
    with piped(command, b"7" + 70_000_000 * b" ") as process:
        _, err = process.communicate(timeout=600)
        check((1, True), (process.returncode, "more than can be kept" in err))
    with piped(command, b"7\n", goes_on=True) as waiting:
        wait_until(lambda: unread(waiting.pipe) == 0, "verify does not read")
        waiting.terminate()
        check(143, waiting.wait(timeout=600))


def case_all_scenarios_read_what_stands_on_standard_input(mpiskel):
    make_plain_bundle(mpiskel, "asks.c")
    for answer in ("7", "30"):
        subprocess.run(["mpirun", "--oversubscribe", "-np", "2", "app.skel/profile"], input=answer,
                       capture_output=True, text=True, timeout=600, env=ENVIRONMENT, check=True)
    run(0, 90, mpiskel, "fit", "--no-check", "app.skel")
    done = subprocess.run([mpiskel, "whatif", "app.skel", "-np", "3", "--try",
                           "same: --bandwidth 0.99x"], input="50", capture_output=True, text=True,
                          timeout=600, env=ENVIRONMENT, check=True)
    seconds = [float(line.split()[1]) for line in done.stdout.splitlines()
               if line.split()[:1] in (["base"], ["same"])]
    if len(seconds) != 2 or not 0.8 < seconds[1] / seconds[0] < 1.25:
        sys.exit(f"a scenario had other input than the base:\n{done.stdout}{done.stderr}")


def case_files_that_the_original_left_are_named(mpiskel):
    make_plain_bundle(mpiskel, "once.c")
    _, err = verify(mpiskel, 2, 1)
    if "the original left once.out here before the skeleton began" not in err:
        sys.exit(f"nothing tells of the file:\n{err}")
    if "the original, run once more, differs from its first run on 4 of 4 ranks" not in err:
        sys.exit(f"nothing tells that the original itself is another one now:\n{err}")


def case_times_of_compilation_are_the_same_in_all_programs(mpiskel):
    make_plain_bundle(mpiskel, "compiled.c")
    out, err = verify(mpiskel, 0, 1)
    if not out.startswith("identical"):
        sys.exit(f"the sides differ:\n{out}{err}")


def case_clocks_may_go_by_calls(mpiskel):
    make_bundle(mpiskel, "spans.c", ())
    # Each loop has two calls at a time, and one when it is over; two calls are around them.
    out, err = verify(mpiskel, 0, 100, "--clock-step", "0.25")
    check(f"identical: {4 * (2 * (2 * 2 + 1) + 2)} calls on 4 ranks\n", out + err)
    out, _ = verify(mpiskel, 0, 600, "--clock-step=0.5")
    check(f"identical: {4 * (2 * (2 * 6 + 1) + 2)} calls on 4 ranks\n", out)
    for step in ("0", "-1", "nan", "soon"):
        _, err = run(64, 1, mpiskel, "verify", "app.skel", "-np", "4", "--clock-step", step)
        if "--clock-step" not in err:
            sys.exit(f"nothing tells what is wrong with {step}:\n{err}")


def make_measuring_bundle(mpiskel, text, name):
    with open("app.c", "w", encoding="utf-8") as file:
        file.write(text)
    write_json("compile_commands.json",
               [{"directory": os.getcwd(), "file": "app.c", "output": "app.o",
                 "arguments": ["mpicc", "-O2", "-fopenmp", "-c", "app.c", "-o", "app.o"]}])
    write_json("link_commands.json",
               [{"directory": os.getcwd(), "output": "app",
                 "arguments": ["mpicc", "-fopenmp", "-o", "app", "app.o", "-lm"]}])
    run(0, 1, mpiskel, "generate", "--skeleton", "-o", name)


def sends(side):
    with open(f"kept/{side}/rank-0.calls", encoding="utf-8") as file:
        return file.read().count(" MPI_Send ")


def case_clocks_see_the_time_of_what_is_computed_between_them(mpiskel):
    with open(os.path.join(HERE, "measures.c"), encoding="utf-8") as file:
        text = file.read()
    make_measuring_bundle(mpiskel, text, "app.skel")
    for count in ("100000", "200000", "400000"):
        run(0, 1, "mpirun", "--oversubscribe", "-np", "2", "app.skel/profile", count)
    run(0, 1, mpiskel, "fit", "--no-check", "app.skel")
    out, _ = run(0, 1, mpiskel, "run", "app.skel", "-np", "2", "--no-jitter", "--", "300000")
    check(True, "8 blocks moved" in out)
    # Without latencies nothing takes time on either side; with them clocks advance on both.
    verify_two = (mpiskel, "verify", "app.skel", "-np", "2")
    out, err = run(0, 1, *verify_two, "--keep", "kept", "--", "300000")
    check(True, out.startswith("identical: ") and "identical, too, where regions take" in err)
    check([0, 0, 8, 8], [sends(side + how) for how in ("", "-with-latencies")
                         for side in ("original", "skeleton")])
    # A skeleton that takes another way by what its clocks say.
    make_measuring_bundle(mpiskel, text.replace("1.5 * other", "1.5e9 * other"), "other.skel")
    shutil.copy("other.skel/skeleton", "app.skel/skeleton")
    out, err = run(2, 1, *verify_two, "--", "300000")
    check(True, "but where they take what the models say" in err)
    check(True, out.startswith("different: 2 of 2 ranks"))


def case_a_layer_of_the_programs_own_is_profiled_and_counted(mpiskel):
    with open(os.path.join(HERE, "layered.c"), encoding="utf-8") as file:
        make_measuring_bundle(mpiskel, file.read(), "app.skel")
    for count in ("10000", "20000", "40000"):
        run(0, 1, "mpirun", "--oversubscribe", "-np", "2", "app.skel/profile", count)
    check(3, len(os.listdir("app.skel/samples")))
    run(0, 1, mpiskel, "fit", "--no-check", "app.skel")
    out, _ = run(0, 1, mpiskel, "run", "app.skel", "-np", "4", "--format=json", "--", "30000")
    calls = {row["name"]: row["count"] for row in json.loads(out)["calls"]}
    check({"MPI_Init": 4, "MPI_Send": 10, "MPI_Recv": 10, "MPI_Bcast": 4, "MPI_Finalize": 4}, calls)


def loaded_ns3(mpiskel, name):
    """Directories from which the simulations of `verify` have libraries of ns-3."""
    os.mkdir(name)
    done = subprocess.run([mpiskel, "verify", "app.skel", "-np", "4"], capture_output=True, text=True,
                          timeout=600, env=dict(ENVIRONMENT, LIMIT="90", LD_DEBUG="libs",
                                                LD_DEBUG_OUTPUT=os.path.join(name, "libraries")))
    check((0, "identical"), (done.returncode, done.stdout[:9]))
    text = "".join(open(os.path.join(name, file), encoding="utf-8", errors="replace").read()
                   for file in os.listdir(name))
    if "libsimgrid" not in text:
        sys.exit("no simulation was seen")
    return {os.path.dirname(path) for path in re.findall(r"calling init: (\S*/libns3\S*)", text)}


def case_ns3_is_not_loaded_unless_simgrid_is_another(mpiskel):
    make_bundle(mpiskel, "shares.c")
    shutil.copytree(os.path.join(os.path.dirname(mpiskel), "..", "lib", "mpiskel"), "tree/lib/mpiskel")
    os.mkdir("tree/bin")
    copied = shutil.copy(mpiskel, "tree/bin")
    mark = "tree/lib/mpiskel/without-ns3/simgrid"
    standins = os.path.dirname(os.path.realpath(mark))
    if not os.path.exists(mark):  # a SimGrid without it
        return check(set(), loaded_ns3(copied, "log"))
    check({standins}, loaded_ns3(copied, "before"))
    size, time = open(mark, encoding="utf-8").read().split()
    for number, text in enumerate((f"{size} {int(time) - 1}", f"{int(size) + 1} {time}", "", "x")):
        with open(mark, "w", encoding="utf-8") as file:
            file.write(text)
        loaded = loaded_ns3(copied, f"another-{number}")
        if not loaded or standins in loaded:
            sys.exit(f"with '{text}' libraries of ns-3 come from {loaded}")


def case_polls_take_about_as_long_as_waits(mpiskel):
    make_bundle(mpiskel, "polls.c", ("wait", "test", "probe"))
    seconds = {}
    for how in ("wait", "test", "probe"):
        out, _ = run(0, 90, mpiskel, "run", "app.skel", "-np", "4", "--format=json", "--", how)
        seconds[how] = json.loads(out)["predicted_s"]
    for how in ("test", "probe"):
        if not 0.9 * seconds["wait"] < seconds[how] < 2 * seconds["wait"]:
            sys.exit(f"of the ring's time too much is that of polls: {seconds}")


def case_tolerance_decides_the_exit_code(mpiskel):
    make_bundle(mpiskel, "shares.c")
    out, _ = verify(mpiskel, 0, 100, "--tolerance", "10")
    check("within the tolerance of 10 %, in total and on each rank", out.splitlines()[-1])
    check(ROWS, rows(out))
    # The total of bytes differs by 6.7 %, that of ranks 1 and 3 by 10 %.
    out, _ = verify(mpiskel, 2, 100, "--tolerance", "9.9")
    check("above the tolerance of 9.9 %: bytes, -10 % (rank 1)", out.splitlines()[-1])
    out, _ = verify(mpiskel, 0, 100, "--tolerance", "9.85", "--rank-tolerance", "10")
    check("within the tolerance of 9.85 % in total, and of 10 % on each rank", out.splitlines()[-1])
    out, _ = verify(mpiskel, 2, 100, "--tolerance", "9.8", "--rank-tolerance", "10")
    check("above the tolerance of 9.8 %: collectives, -9.836 % in total", out.splitlines()[-1])


def case_json_has_ranks_and_pairs(mpiskel):
    make_bundle(mpiskel, "shares.c")
    out, _ = verify(mpiskel, 0, 100, "--tolerance=10", "--format=json")
    root = json.loads(out)
    volume = root["volume"]
    check((False, True, 10), (root["identical"], volume["within"], volume["tolerance"]))
    check(10, volume["rank_tolerance"])
    check({"original": [9600, 4800, 9600, 4800], "skeleton": [9120, 4320, 9120, 4320]},
          volume["bytes"]["per_rank"])
    check([(0, 1), (1, 2), (2, 3), (3, 0)],
          [(pair["from"], pair["to"]) for pair in volume["pairs"]])
    check({"from": 1, "to": 2, "messages": {"original": 6, "skeleton": 6, "percent": 0.0},
           "bytes": {"original": 4800, "skeleton": 4320, "percent": -10.0}}, volume["pairs"][1])
    check({"rank": 1, "percent": -10.0}, volume["bytes"]["largest_rank"])
    check({"given": 1, "differ": [
        {"region": root["values"]["differ"][0]["region"], "file": "shares.c", "line": 24,
         "value": "integer", "text": "return count", "original": {"count": 24, "sum": 2400.0},
         "skeleton": {"count": 24, "sum": 2160.0}, "percent": -10.0,
         "largest_rank": {"rank": 0, "percent": -10.0}}]}, root["values"])


def case_failures_name_the_values_that_were_given(mpiskel):
    make_bundle(mpiskel, "waits.c")
    documents = subprocess.run([mpiskel, "--documents"], capture_output=True, text=True, check=True).stdout.strip()
    told = ("mpiskel: these values steer communication, and come from models, which may be why "
            f"({documents}/docs/explanation/cuts.md):\n"
            "  waits.c:22: return count\n"
            "    rank 1: 3 times, last 90; rank 3: 3 times, last 90; ")
    # With 100 the odd ranks wait for three more messages, with 50 theirs are too long for them.
    for command in (["verify", "app.skel", "--tolerance=50"], ["run", "app.skel"]):
        _, err = run(1, 100, mpiskel, *command, "-np", "4")
        if "deadlock at" not in err or told + "rank 0 (finished): 3 times, last 90; " not in err:
            sys.exit(f"the values are not told after a deadlock:\n{err}")
        _, err = run(1, 50, mpiskel, *command, "-np", "4")
        if "signal 6" not in err or told not in err:
            sys.exit(f"the values are not told after a crash:\n{err}")
    for command in (["verify", "app.skel"], ["run", "app.skel"]):
        _, err = run(0, 90, mpiskel, *command, "-np", "4")
        if "these values" in err or "no sums" in err:
            sys.exit(f"values are told of a run that did not fail:\n{err}")


def case_values_for_all_ranks_that_are_needed_before_mpi_init_are_told(mpiskel):
    make_bundle(mpiskel, "early.c", ("20", "40", "80"), scout="mpirun --oversubscribe -np 2 {} 50")
    for engine in "own", "smpi":
        _, err = run(1, 90, mpiskel, "run", "app.skel", "--engine", engine, "--even-if-unknown", "--even-if-wrong",
                     "-np", "2", "--", "60")
        if "value 1 is the same for all ranks, and is needed before MPI_Init" not in err or "by a hint" not in err:
            sys.exit(f"{engine}: not told:\n{err}")
    with open("app.hints", "w", encoding="utf-8") as file:
        file.write("keep early.c:20\n")
    make_bundle(mpiskel, "early.c", ("20", "40", "80"), ("--hints", "app.hints"), "mpirun --oversubscribe -np 2 {} 50")
    run(0, 90, mpiskel, "run", "app.skel", "-np", "2", "--", "60")


def case_values_are_named_when_a_skeleton_that_never_ends_is_interrupted(mpiskel):
    """A hint says that something has always changed."""
    with open(os.path.join(HERE, "settles.c"), encoding="utf-8") as file:
        line = 1 + [line.strip() for line in file].index("changed = sweep(x);")
    with open("app.hints", "w", encoding="utf-8") as file:
        file.write(f"value settles.c:{line} changed = 1\n")
    make_bundle(mpiskel, "settles.c", ("",), ("--hints", "app.hints"))
    process = subprocess.Popen([mpiskel, "verify", "app.skel", "-np", "4", "--keep", "kept"], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=dict(ENVIRONMENT, LIMIT="90"), start_new_session=True)
    record = "kept/skeleton/rank-0.calls"
    wait_until(lambda: process.poll() is not None or os.path.exists(record) and os.path.getsize(record) > 10000,
               "the skeleton does not begin")
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=600)
    if process.returncode != 130 or "interrupted" not in err:
        sys.exit(f"verify ended with {process.returncode}:\n{err}")
    if f"settles.c:{line}" not in err:
        sys.exit(f"the value by which it never ends is not named:\n{err}")


def write_size(size):
    with open("size.txt", "w", encoding="utf-8") as file:
        file.write(f"{size}\n")


def case_iterations_go_by_a_size_that_is_in_a_file(mpiskel):
    """The runs differ in nothing that ranks or arguments tell."""
    sizes = (400, 900, 1600, 2500)
    write_size(400)
    make_bundle(mpiskel, "deck.c", ())
    for size in sizes:
        write_size(size)
        run(0, 90, "mpirun", "--oversubscribe", "-np", "2", "app.skel/profile")
    run(0, 90, mpiskel, "fit", "--no-check", "app.skel")
    for size in sizes:
        write_size(size)
        out, _ = verify(mpiskel, 0, 90)
        check("identical", out.split(":")[0])
    write_size(40000)
    verify(mpiskel, 0, 90, "--tolerance", "2")  # 16 times the largest, and each trained number rounded


def write_hint(keyword, source, statement):
    with open(os.path.join(HERE, source), encoding="utf-8") as file:
        line = 1 + [line.strip() for line in file].index(statement)
    with open("app.hints", "w", encoding="utf-8") as file:
        file.write(f"{keyword} {source}:{line}\n")


def case_time_goes_on_beyond_what_was_profiled(mpiskel):
    """Its mean would never come to the end."""
    write_hint("cut", "clock.c", "t = t + dt;")
    write_size(5)
    make_bundle(mpiskel, "clock.c", (), ("--hints", "app.hints"))
    for size in (5, 10):
        write_size(size)
        run(0, 90, "mpirun", "--oversubscribe", "-np", "2", "app.skel/profile")
    run(0, 90, mpiskel, "fit", "--no-check", "app.skel")
    for size, tolerance in ((10, "0"), (30, "3")):
        write_size(size)
        verify(mpiskel, 0, 90, "--tolerance", tolerance)


def case_pivots_are_those_of_the_same_matrix_and_uncertain_elsewhere(mpiskel):
    """The order of the matrix is another region's, and no feature is the column within a panel."""
    write_size(384)
    make_bundle(mpiskel, "panels.c", ())
    for ranks in (1, 2, 4):
        for size in (128, 256, 384):
            write_size(size)
            run(0, 90, "mpirun", "--oversubscribe", "-np", str(ranks), "app.skel/profile")
    text, _ = run(0, 300, mpiskel, "fit", "app.skel")
    check(1, len(re.findall(r"sizes left out: cannot be checked: .*; uncertain until then: .*panels.c:\d+", text)))
    for size in (128, 256, 384):
        write_size(size)
        out, _ = run(0, 90, mpiskel, "verify", "app.skel", "-np", "16")
        check("identical", out.split(":")[0])


def train_on_meshes(mpiskel):
    write_size(800)
    make_bundle(mpiskel, "mesh.c", ())
    for ranks in (1, 2, 4):
        for size in (400, 800, 1600):
            write_size(size)
            run(0, 90, "mpirun", "--oversubscribe", "-np", str(ranks), "app.skel/profile")
    run(0, 90, mpiskel, "fit", "--no-check", "app.skel")


def case_time_steps_are_those_of_the_same_mesh(mpiskel):
    """Its size is in a file; ranks have parts of it, as many cells as of other meshes elsewhere."""
    train_on_meshes(mpiskel)
    for ranks in (8, 16):
        for size in (400, 800, 1600):
            write_size(size)
            out, _ = run(0, 90, mpiskel, "verify", "app.skel", "-np", str(ranks))
            check("identical", out.split(":")[0])


def case_steps_on_meshes_that_were_not_seen_are_shorter(mpiskel):
    """Eight times as many cells as were profiled take eight times as many steps, and a few cells
    take few; as they are those of the nearest mesh would be wrong by -87 and +33 %."""
    train_on_meshes(mpiskel)
    for size in (304, 1200, 3200, 12800):
        write_size(size)
        verify(mpiskel, 0, 90, "--tolerance", "3")


def case_a_clock_goes_by_sizes_that_features_tell(mpiskel):
    """A strip of 16 ranks has as many cells as one of other meshes on fewer ranks; the steps of the
    nearest of these would be wrong by a factor of two or more."""
    write_hint("cut", "strips.c", "t = t + dt;")
    text = profile_strips(mpiskel, ("--hints", "app.hints"), (1,))
    check(1, len(re.findall("with other sizes steps of time as in the nearest run, times .*"
                            "of all ranks", text)))
    for size in (32, 64, 128):
        write_size(size)
        run(0, 90, mpiskel, "verify", "app.skel", "-np", "16", "--tolerance", "3")


def profile_strips(mpiskel, options, ends):
    write_size(48)
    make_bundle(mpiskel, "strips.c", (), options)
    for ranks in (1, 4):
        for size in (16, 32, 64):
            for end in ends:
                write_size(f"{size} {end}")
                run(0, 90, "mpirun", "--oversubscribe", "-np", str(ranks), "app.skel/profile")
    return run(0, 90, mpiskel, "fit", "--no-check", "app.skel")[0]


def case_steps_that_grow_are_no_time(mpiskel):
    """They rise from one to the next, as time does; the nearest run's would be wrong by a factor of
    two."""
    check(1, profile_strips(mpiskel, (), (1,)).count(" value "))
    for size in (32, 64, 128):
        write_size(size)
        run(0, 90, mpiskel, "verify", "app.skel", "-np", "16", "--tolerance", "1")


def case_steps_go_by_sizes_whichever_times_runs_ended_at(mpiskel):
    """How often the loop steps goes by the time at which the run ends, which is in a file: no model
    tells it, and so it is computed, from times that are given."""
    write_size(16)
    make_bundle(mpiskel, "strips.c", (), ("--no-compile",))
    write_json("app.skel/untold.json", {"format": "mpiskel-untold", "version": 1, "values": [
        {"file": "strips.c", "function": "main", "text": "while (t < mesh.end)", "line": 62,
         "error": 0.2}]})
    profile_strips(mpiskel, (), (0.5, 1))
    for size, end in ((32, 0.5), (64, 1), (128, 0.5), (128, 0.75)):
        write_size(f"{size} {end}")
        run(0, 90, mpiskel, "verify", "app.skel", "-np", "16", "--tolerance", "1")


def case_elements_of_an_array_are_told_apart(mpiskel):
    """One number for what leaves, vanishes and stays would have ranks send a third of all, and wait
    where the original does not."""
    make_bundle(mpiskel, "elements.c", (), scout="mpirun --oversubscribe -np 2 {} 10000 20")
    for ranks in (1, 2, 4):
        for arguments in ("1000 10", "2000 20", "4000 30"):
            run(0, 90, "mpirun", "--oversubscribe", "-np", str(ranks), "app.skel/profile", *arguments.split())
    run(0, 90, mpiskel, "fit", "--no-check", "app.skel")
    for arguments in ("2000 30", "8000 40"):
        run(0, 90, mpiskel, "verify", "app.skel", "-np", "16", "--tolerance", "2", "--", *arguments.split())


def case_profiled_runs_have_their_own_numbers_whatever_others_had(mpiskel):
    """Runs with the same sizes iterate as often on average, but in another order."""
    make_bundle(mpiskel, "alike.c", ("100 1", "100 2", "200 1", "200 2"),
                scout="mpirun --oversubscribe -np 2 {} 400 1")
    for arguments in ("100", "1"), ("100", "2"), ("200", "2"):
        out, _ = run(0, 90, mpiskel, "verify", "app.skel", "-np", "2", "--", *arguments)
        check("identical", out.split(":")[0])


def case_what_all_ranks_have_alike_is_asked_for_once(mpiskel):
    """Ranks with an element more iterate as often as others; each for itself would go by its own
    size, and wait for ever."""
    make_bundle(mpiskel, "alike.c", ("100 1", "200 1", "300 1", "400 1"),
                scout="mpirun --oversubscribe -np 2 {} 400 1")
    verify(mpiskel, 0, 90, "--tolerance", "30", "--", "150", "1")



# ---- The real run ----

UNDER = r"calls under mpirun\S* --oversubscribe -np 3\n$"
FAULT = r"real run: different from the simulated original: the simulation is at fault, and the skeleton is right"
REAL = {  # argument of third.c: exit code, the last of what is printed
    "same": (0, r"^identical: 18 calls on 3 ranks\nreal run: identical to the original: 18 " + UNDER),
    "returns": (0, r"real run: identical to the original: 18 " + UNDER),
    "abort": (0, r"real run: identical to the original up to MPI_Abort: \d+ " + UNDER),
    "calls": (3, FAULT + r"(.*\n)*  original  MPI_Finalize\n.*\n  real run  MPI_Allreduce .*\n"
                         r" +at third.c:\d+\n$"),
    "aborts": (3, FAULT + r"(.*\n)*.* a rank called MPI_Abort\n$"),
    "crash": (3, FAULT + r".*\n.* signal 6 \(Aborted\) ended it\n$"),
    "twice": (0, r"real run: run twice, it differs from itself, .*: on 3 of 3 ranks; .*\n$"),
}


def make_third():
    make_plain_bundle(sys.argv[1], "third.c")
    return lambda *options, code=0, env=(), input=None: verify_really(options, code, env, input)


def verify_really(options, code, env, given):
    for name in ("first", "runs"):
        if os.path.exists(name):
            os.remove(name)
    done = subprocess.run([sys.argv[1], "verify", "app.skel", "-np", "3", *options], text=True, timeout=600,
                          capture_output=True, env=dict(ENVIRONMENT, **dict(env)),
                          **({"input": given} if given else {"stdin": subprocess.DEVNULL}))
    if done.returncode != code:
        sys.exit(f"{options} ended with {done.returncode} instead of {code}:\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def check_text(pattern, text):
    if re.search(pattern, text) is None:
        sys.exit(f"no {pattern} in:\n{text}")


def case_a_real_run_tells_whether_the_simulated_original_is_right(mpiskel):
    verify = make_third()
    for what, (code, pattern) in REAL.items():
        check_text(pattern, verify("--real", "--", what, code=code)[0])
    check_text(r"real run: nothing follows .* --ranks-per-node=3 places", verify("--real", "--", "hosts")[0])
    check_text(r"real run: identical to the original: 24 ",
               verify("--real", "--ranks-per-node=3", "--", "hosts")[0])
    check_text(r"real run: identical to the original: 36 ", verify("--real", "--", "input", input="8\n")[0])
    told = json.loads(verify("--real", "--format=json", "--", "calls", code=3)[0])
    check((True, "different", True, "MPI_Finalize"),
          (told["identical"], told["real"]["verdict"], told["real"]["simulation_at_fault"],
           told["real"]["first"]["original"]["call"]))


def case_what_the_time_of_messages_decides_is_no_fault_of_the_simulation(mpiskel):
    """In a real run one rank comes last, and in the other real run the other."""
    verify = make_third()
    for what, pattern in (("turns", r"identical to the original, but for what only the time of messages decides: "),
                          ("replies", r"the original's calls in another order, which the time of messages decides: "),
                          ("first", r"identical to the original until time decides what comes next ")):
        told = [verify("--real", "--", what, last)[0].splitlines()[1] for last in ("1", "2")]
        if re.match("real run: identical to the original: ", told[0]) is None:
            told.reverse()
        check_text(r"^real run: identical to the original: ", told[0])
        check_text(r"^real run: " + pattern, told[1])


def is_alive(number):
    """Also for the moment until whoever started it notes that it ended."""
    try:
        with open(f"/proc/{number}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def check_hang(verify, *options, **env):
    """More time where the ranks have not come to their last calls before it was up."""
    for limit in (2, 10, 60):
        out, _ = verify(*options, f"--real-limit={limit}", "--", "hang", **env)
        told = fr"real run: not done within {limit} s \(--real-limit\), and ended; its 12 calls until then are the original's\n$"
        if re.search(told, out):
            return
        check_text(fr"not done within {limit} s \(--real-limit\)", out)
    check_text(told, out)


def case_a_real_run_that_hangs_is_ended_with_all_its_ranks(mpiskel):
    verify = make_third()
    check_hang(verify, "--real", code=1)
    for name in ("pid-0", "pid-1"):
        with open(name, encoding="ascii") as file:
            number = int(file.read())
        wait_until(lambda: not is_alive(number), f"{name} is left over")
    check_hang(verify, env={"MPISKEL_REAL_RANKS": "3"})


def profile_spreads(mpiskel, more):
    make_bundle(mpiskel, "spreads.c", (), scout="mpirun --oversubscribe -np 4 {} 2000 2 " + more)
    for ranks in (1, 2, 4):
        for size in (2000, 4000, 6000, 8000):
            run(0, 90, "mpirun", "--oversubscribe", "-np", str(ranks), "app.skel/profile", str(size), "2", *more.split())
    check_text(r"calls as in 12 of 12 profiled runs", run(0, 90, mpiskel, "fit", "--no-repair", "app.skel")[0])


def case_vectors_add_up_on_more_ranks_and_are_shared_out_as_on_few(mpiskel):
    """A histogram: each gets as much, so that what all send is what all receive."""
    profile_spreads(mpiskel, "")
    run(0, 90, mpiskel, "verify", "app.skel", "--no-real", "-np", "9", "--tolerance", "1", "--", "16000", "2")
    out, _ = run(0, 90, mpiskel, "verify", "app.skel", "--no-real", "-np", "16", "--", "16000", "2")
    check("identical", out.split(":")[0])


def case_vectors_of_slabs_go_to_those_beside_a_rank(mpiskel):
    profile_spreads(mpiskel, "slabs")
    for ranks in ("3", "16"):
        out, _ = run(0, 90, mpiskel, "verify", "app.skel", "--no-real", "-np", ranks, "--", "16000", "2", "slabs")
        check("identical", out.split(":")[0])


def case_vectors_of_what_comes_by_chance_have_the_sum_of_their_samples(mpiskel):
    """No number of walkers that a step had comes again, and the guard allows for chance: of one rank,
    some 70 in 20 steps."""
    make_bundle(mpiskel, "wanders.c", (), scout="mpirun --oversubscribe -np 4 {} 500 20")
    for ranks in (1, 2, 4):
        for size in (500, 1000, 1500, 2000):
            run(0, 90, "mpirun", "--oversubscribe", "-np", str(ranks), "app.skel/profile", str(size), "20")
    check_text(r"calls as in 12 of 12 profiled runs", run(0, 90, mpiskel, "fit", "--no-repair", "app.skel")[0])
    out, _ = run(2, 90, mpiskel, "verify", "app.skel", "--no-real", "-np", "4", "--", "4000", "20")
    off = re.search(r"their bytes +\d+ +\d+ +([-+][\d.]+) %", out)
    check(True, abs(float(off.group(1))) < 1)


def path_without_mpirun():
    os.mkdir("bin")
    for folder in reversed(os.environ["PATH"].split(":")):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            place = os.path.join("bin", name)
            if not re.match(r"mpirun|mpiexec|orterun|prterun", name):
                if os.path.lexists(place):
                    os.remove(place)
                os.symlink(os.path.join(folder, name), place)
    return os.path.abspath("bin")


def case_few_ranks_are_run_really_where_there_is_an_mpirun(mpiskel):
    verify = make_third()
    plain, line = "identical: 18 calls on 3 ranks\n", r"\nreal run: identical to the original: 18 "
    check_text(line, verify(env={"MPISKEL_REAL_RANKS": "3"})[0])
    check((plain, ""), verify(env={"MPISKEL_REAL_RANKS": "2"}))
    check((plain, ""), verify("--no-real", env={"MPISKEL_REAL_RANKS": "3"}))
    here = {"MPISKEL_REAL_RANKS": "3", "PATH": path_without_mpirun()}
    check((plain, ""), verify(env=here))
    check_text(r"error: --real: there is no mpirun\n", verify("--real", env=here, code=1)[1])
    check_text(r"error: --real: there is no nowhere\n", verify("--real=nowhere -x", code=1)[1])
    check_text(line, verify("--real=mpirun --oversubscribe --bind-to none")[0])
    check_text(r"MPISKEL_REAL_RANKS is 'four'; it takes", verify(env={"MPISKEL_REAL_RANKS": "four"}, code=1)[1])
    check_text(r"--real and --no-real do not go together", verify("--real", "--no-real", code=64)[1])
    if os.geteuid() == 0:
        refused = {"MPISKEL_REAL_RANKS": "3", "OMPI_ALLOW_RUN_AS_ROOT": ""}
        ENVIRONMENT.pop("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")
        out, err = verify(env=refused)
        check(plain, out)
        check_text(r"no real run: mpirun does not start as root; OMPI_ALLOW_RUN_AS_ROOT=1", err)


def case_the_real_run_may_be_that_of_the_applications_own_build(mpiskel):
    """What it was compiled with is seen then, too."""
    verify = make_third()
    run(0, 1, "mpicc", "-DNEVER_REAL", os.path.join(HERE, "third.c"), "-o", "other")
    check_text(r"real run: identical to the original: 18 ", verify("--real", "--real-program=./other", "--", "calls")[0])
    run(0, 1, "mpicc", os.path.join(HERE, "third.c"), "-o", "other")
    check_text(r"  real run  MPI_Allreduce .*\n +at \w+\+0x[0-9a-f]+\n$",
               verify("--real", "--real-program=./other", "--", "calls", code=3)[0])


def case_a_skeleton_that_is_wrong_differs_from_the_real_run_too(mpiskel):
    make_bundle(mpiskel, "shares.c")
    out, _ = verify(mpiskel, 2, 100, "--real")
    check_text(r"\nreal run: identical to the original: 280 calls under .*; the difference is the skeleton's\n$", out)
