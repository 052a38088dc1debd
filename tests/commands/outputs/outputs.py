# SPDX-License-Identifier: Apache-2.0
"""Every output of every command is written through links, devices and pipes.

The options are those of --help: one that takes a file and stands in neither table below fails the test.
Devices and links to them are the test's own: no node of the machine is ever at risk."""
import os
import re
import stat
import subprocess

from support import APPLICATION, ENVIRONMENT, Failure

HERE = os.path.dirname(os.path.abspath(__file__))

MEASURED = os.path.join(HERE, "..", "calibrate_network", "recorded.messages")
PROGRAM = "#include <stdio.h>\n" + APPLICATION.replace("free(x);", 'free(x);\n    printf("%d of %d\\n", rank, size);')
RUN = ["run", "app.skel", "-np", "2"]
# (command, option): command lines, in which @ is the output.
FILES = {
    ("capture", "--output"): [["capture", "-o", "@", "--", "mpicc", "-c", "app.c"]],
    ("calibrate", "--output"): [["calibrate", "--network", "--measurements", MEASURED, "-o", "@"]],
    ("machines", "--output"): [["machines", "export", "app.skel", "default", "-o", "@"]],
    ("platform", "--draw"): [["platform", "fat-tree", "--nodes", "8", "--draw", "@"]],
    ("run", "--trace"): [RUN + ["--trace", "@"]],
    ("run", "--app-output"): [RUN + ["--original", "--app-output", "@"]],
    ("run", "--report"): [RUN + ["--report", "@"]],
    ("trace", "--output"): [["trace", "cut", "run.trace", "-o", "@"],
                            ["trace", "convert", "run.trace", "--to", "csv", "-o", "@"],
                            ["trace", "convert", "run.trace", "--to", "chrome", "-o", "@"],
                            ["trace", "import", "run.csv.paje", "-o", "@"]],
    ("report", "--output"): [["report", "app.skel", "-o", "@"]],
    ("gather", "--output"): [["gather", "app.skel", "-o", "@"]],
    ("whatif", "--report"): [["whatif", "app.skel", "-np", "2", "--try", "fast: --latency 1us", "--report", "@"]],
    ("scale", "--plot"): [["scale", "points.csv", "--plot", "@"]],
    ("events", "--output"): [["events", "--view", "csv", "-e", "output int time time = ideal;", "run.trace", "-o", "@"]],
}
DIRECTORIES = {
    ("generate", "--output"): ["generate", "-o", "@"],
    ("platform", "--output"): ["platform", "fat-tree", "--nodes", "8", "-o", "@"],
    ("verify", "--keep"): ["verify", "app.skel", "-np", "2", "--keep", "@"],
    ("record", "--output"): ["record", "-o", "@", "--", "mpirun", "--oversubscribe", "-np", "2", "./app"],
    ("synthesize", "--output"): ["synthesize", "recorded", "--as-recorded", "-o", "@"],
}
NEW = {("reduce", "--output")}  # what is there is refused: tests/commands/reduce
DATABASES = {("sweep", "--store"): ["sweep", "app.skel", "-np", "2", "--store", "@"]}
INPUTS = {"--hints", "-p", "--hostfile", "--network", "--placement", "--platform", "--kernels", "--bundle",
          "--measurements", "--noise-of", "--device", "--processor", "--iterations", "--set", "--check", "--file", "--synthesis",
          "--clock"}
OPTION = re.compile(r"^ {2,6}(?:(-\w)(?:, +| ))?(?:(--[\w-]+)=)?(\S*)")


def options_with_files(session):
    """(command, option) of all commands whose value is a file or a directory."""
    session.fine("--help")
    for command in re.findall(r"^  ([a-z]+) ", session.out, re.M):
        session.fine(command, "--help")
        for line in session.out.splitlines():
            letter, name, value = OPTION.match(line).groups() if OPTION.match(line) else (None, None, "")
            if (letter or name) and re.search(r"FILE|DIR|PATH|APP\.", value):
                yield command, name or letter


def make_inputs(session):
    session.program(("app.c", PROGRAM))
    session.fine("generate", "-o", "app.skel")
    session.profile("app.skel")
    session.fine("fit", "app.skel")
    session.fine(*RUN, "--trace", "run.trace")
    session.fine("trace", "convert", "run.trace", "--to", "paje", "-o", "run.csv.paje")
    session.write("points.csv", "ranks,time_s\n1,8\n2,4\n4,2\n8,1\n")


def node(session, name, minor, real):
    """A device of the test's own, or a link to one that nobody but root can replace."""
    path = session.path(name)
    if os.path.lexists(path):
        os.unlink(path)
    if os.geteuid() == 0:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
    else:
        os.symlink(real, path)
    return name


def expect(session, good, what):
    if not good:
        raise Failure(session.told(what))


def at(words, output):
    return [output if word == "@" else word for word in words]


def goes_through_links(session, words):
    session.write("target", "old")
    for target in ("target", "new"):
        for link, to in (("link", "second"), ("second", target)):
            if os.path.lexists(session.path(link)):
                os.unlink(session.path(link))
            os.symlink(to, session.path(link))
        session.fine(*at(words, "link"))
        for link in ("link", "second"):
            expect(session, os.path.islink(session.path(link)), f"{words}: the link was replaced")
        with open(session.path(target), "rb") as file:
            expect(session, file.read() not in (b"", b"old"), f"{words}: {target} was not written")
        os.unlink(session.path(target))


def goes_into_devices(session, words):
    null = node(session, "null", 3, "/dev/null")
    session.fine(*at(words, null))
    expect(session, stat.S_ISCHR(os.stat(session.path(null)).st_mode), f"{words}: the device was replaced")
    full = node(session, "full", 7, "/dev/full")
    if "--app-output" not in words:    # the application's own writes fail then
        session.refused(*at(words, full), says=[full, "No space left"])
    expect(session, stat.S_ISCHR(os.stat(session.path(full)).st_mode), f"{words}: the device was replaced")


def goes_into_pipes(session, words):
    pipe = session.path("pipe")
    if not os.path.lexists(pipe):
        os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        session.fine(*at(words, "pipe"))
        got = reader.communicate(timeout=600)[0]
    expect(session, stat.S_ISFIFO(os.stat(pipe).st_mode), f"{words}: the pipe was replaced")
    expect(session, got != b"", f"{words}: nothing came out of the pipe")


def goes_to_the_standard_output(session, words):
    """A file that the shell opened stays, with what was printed before and all that is printed later."""
    path, link = session.path("printed"), session.path("stdout")
    if not os.path.islink(link):
        os.symlink("/proc/self/fd/1", link)
    with open(path, "wb") as file:
        file.write(b"before\n")
        file.flush()
        done = subprocess.run([session.mpiskel, *at(words, "stdout")], cwd=session.directory, env=ENVIRONMENT,
                              stdout=file, stderr=subprocess.PIPE, timeout=600)
        session.code, session.err = done.returncode, done.stderr.decode()
        expect(session, done.returncode == 0 and os.path.islink(link) and os.fstat(file.fileno()).st_nlink == 1,
               f"{words}: the standard output was replaced")
    with open(path, "rb") as file:
        got = file.read()
    expect(session, got.startswith(b"before\n") and len(got) > 8, f"{words}: what was printed before is gone")


def case_every_output_file_is_written_through_links_devices_and_pipes(session):
    known = set(FILES) | set(DIRECTORIES) | set(DATABASES) | NEW
    found = set(options_with_files(session))
    unknown = {one for one in found - known if one[1] not in INPUTS}
    expect(session, not unknown, f"an output or an input? {sorted(unknown)}: add it to a table of this test")
    expect(session, known <= found, f"no options any more: {sorted(known - found)}")
    make_inputs(session)
    for lines in FILES.values():
        for words in lines:
            goes_through_links(session, words)
            goes_into_devices(session, words)
            goes_into_pipes(session, words)
            goes_to_the_standard_output(session, words)


def case_directories_are_written_where_links_lead_and_never_replace_a_node(session):
    make_inputs(session)
    session.fine("capture", "--", "mpicc", "-O1", "app.c", "-o", "app")
    session.fine(*at(DIRECTORIES["record", "--output"], "recorded"))
    for words in DIRECTORIES.values():
        os.symlink("place", session.path("link"))
        for _ in range(2):    # the second time it is there
            if "--keep" in words:
                subprocess.run(["rm", "-rf", session.path("place")], check=True)
            if "--keep" in words or "platform" in words:
                os.makedirs(session.path("place"), exist_ok=True)
            session.fine(*at(words, "link"))
            expect(session, os.path.islink(session.path("link")), f"{words}: the link was replaced")
            expect(session, os.listdir(session.path("place")) != [], f"{words}: nothing is where the link leads")
        os.unlink(session.path("link"))
        subprocess.run(["rm", "-rf", session.path("place")], check=True)
        null = node(session, "null", 3, "/dev/null")
        session.run(*at(words, null))
        expect(session, session.code == 1, f"{words}: a device is no directory")
        expect(session, stat.S_ISCHR(os.stat(session.path(null)).st_mode), f"{words}: the device was replaced")
    for words in DATABASES.values():
        session.refused(*at(words, null), says="a store is a regular file")
        expect(session, stat.S_ISCHR(os.stat(session.path(null)).st_mode), f"{words}: the device was replaced")


def case_a_reader_that_has_gone_is_an_error(session):
    make_inputs(session)
    words = ["trace", "convert", "run.trace", "--to", "csv", "-o", "stdout"]
    os.symlink("/proc/self/fd/1", session.path("stdout"))
    for command in (words, ["trace", "print", "run.trace"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([session.mpiskel, *command], cwd=session.directory, env=ENVIRONMENT, stdout=writer,
                              stderr=subprocess.PIPE, timeout=600)
        os.close(writer)
        session.code, session.err = done.returncode, done.stderr.decode()
        session.expect(1, "cannot write")
