# SPDX-License-Identifier: Apache-2.0
"""Projects and bundles that move: `mpiskel gather` and its --replay, renamed bundles, copied projects."""
import io
import json
import os
import shutil
import socket
import subprocess
import tarfile

from support import APPLICATION, expect

HEADER = "#define STEPS 20\n"


def project(session, folder="project"):
    """Sources in two folders, a header in a third; built in a fourth, with an include path that is absolute."""
    session.write(f"{folder}/src/app.c", '#include "steps.h"\n' + APPLICATION.replace("step < 20", "step < STEPS"))
    session.write(f"{folder}/include/steps.h", HEADER)
    session.write(f"{folder}/unused.c", "int unused;\n")
    os.makedirs(session.path(f"{folder}/build"), exist_ok=True)
    build = session.path(f"{folder}/build")
    session.write(f"{folder}/build/compile_commands.json", json.dumps(
        [{"directory": build, "file": "../src/app.c", "output": "app.o",
          "arguments": ["mpicc", "-I" + session.path(f"{folder}/include"), "-c", "../src/app.c"]}]))
    return build


def generate(session):
    build = project(session)
    session.fine("generate", "-p", build, "-o", "app.skel")
    session.profile("app.skel", "fine", "100")


def members(session, archive):
    """{name: bytes}"""
    packed = subprocess.run(["zstd", "-dc", session.path(archive)], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}


def pack(session, name, contents, link=None):
    with tarfile.open(session.path(name), "w:gz") as tar:
        for path, text in contents.items():
            info = tarfile.TarInfo(path)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
        if link:
            info = tarfile.TarInfo(link[0])
            info.type, info.linkname = tarfile.SYMTYPE, link[1]
            tar.addfile(info)


def case_a_case_gives_the_same_bundle_where_the_project_is_not(session):
    generate(session)
    session.fine("gather", "app.skel", "-o", "case.tar.zst")
    held = members(session, "case.tar.zst")
    expect({"tree/project/src/app.c", "tree/project/include/steps.h", "tree/project/build/compile_commands.json"} <= set(held), f"{list(held)}")
    expect("tree/project/unused.c" not in held, "a file that nothing needs is packed")
    for name, content in held.items():
        expect(session.directory.encode() not in content, f"{name} has the path of the project")
    shutil.rmtree(session.path("project"))
    shutil.rmtree(session.path("app.skel"))
    os.makedirs(session.path("elsewhere"))
    session.fine("gather", "--replay", "case.tar.zst", "-o", "elsewhere/again")
    session.prints("the same regions as where it was gathered")
    session.fine("verify", "elsewhere/again/app.skel", "--no-real", "-np", "2")
    session.fine("fit", "elsewhere/again/app.skel")
    session.prints("calls as in 1 of 1 profiled runs")


def case_another_bundle_is_told(session):
    generate(session)
    session.fine("gather", "app.skel", "-o", "case.tar.zst")
    held = members(session, "case.tar.zst")
    held["tree/project/src/app.c"] = held["tree/project/src/app.c"].replace(b"x[i] * 0.5", b"x[i] * x[i]")
    pack(session, "case.tar.gz", held)
    session.run("gather", "--replay", "case.tar.gz")
    expect(session.code == 2, session.told("the exit code should be 2"))
    session.prints("other regions than where it was gathered")


def case_an_anonymous_case_names_no_machine_and_no_user(session):
    generate(session)
    os.rename(session.path("app.skel"), session.path("secretname.skel"))
    names = [socket.gethostname(), session.directory, os.path.basename(session.directory), "secretname"]
    session.fine("gather", "secretname.skel", "-o", "open.tar.zst")
    whole = b"".join(members(session, "open.tar.zst").values())
    expect(socket.gethostname().encode() in whole, "the host is in no case: this test shows nothing")
    session.fine("gather", "--anonymous", "secretname.skel", "-o", "case.tar.zst")
    for name, content in members(session, "case.tar.zst").items():
        for secret in names:
            expect(secret.encode() not in content, f"{name} names {secret}")
    session.fine("gather", "--replay", "case.tar.zst")
    session.fine("fit", "case/app.skel")


def case_an_archive_cannot_write_outside(session):
    generate(session)
    session.fine("gather", "app.skel", "-o", "case.tar.zst")
    held = members(session, "case.tar.zst")
    session.write("victim", "@ROOT@")
    pack(session, "link.tar.gz", {name: text for name, text in held.items() if name != "tree/project/src/app.c"},
         ("tree/project/src/app.c", session.path("victim")))
    session.refused("gather", "--replay", "link.tar.gz", says="the archive has links or devices in it")
    manifest = json.loads(held["gather.json"])
    for change in ({"files": ["../../victim"]}, {"directory": "../.."}, {"bundle": "../x.skel"}, {"bundle": ".."}):
        pack(session, "odd.tar.gz", {**held, "gather.json": json.dumps({**manifest, **change}).encode()})
        session.refused("gather", "--replay", "odd.tar.gz", says="error: ")
        shutil.rmtree(session.path("odd"))
    expect(session.read("victim") == "@ROOT@", "a file outside was written")


def case_what_is_no_case_is_refused(session):
    session.refused("gather", "--replay", "nothing.tar.zst", says="no archive nothing.tar.zst")
    pack(session, "other.tar.gz", {"a": b"b"})
    session.refused("gather", "--replay", "other.tar.gz", says="it has no gather.json")
    session.refused("gather", "--replay", "other.tar.gz", says="is there; choose another directory with -o")
    session.refused("gather", "no.skel", says="no.skel")


def case_a_cmake_build_is_gathered(session):
    session.write("cm/CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES C)\n"
                  "find_package(MPI REQUIRED)\nadd_library(work STATIC work.c)\nadd_executable(app app.c)\n"
                  "target_link_libraries(app work MPI::MPI_C)\ntarget_link_libraries(work MPI::MPI_C)\n"
                  "add_executable(other work.c other.c)\ntarget_link_libraries(other MPI::MPI_C)\n")
    session.write("cm/work.c", "#include <mpi.h>\nvoid work(void) { MPI_Barrier(MPI_COMM_WORLD); }\n")
    session.write("cm/other.c", "int main(void) { return 0; }\n")
    session.write("cm/app.c", "#include <mpi.h>\nvoid work(void);\nint main(int argc, char **argv) {\n"
                  "    MPI_Init(&argc, &argv);\n    work();\n    MPI_Finalize();\n    return 0;\n}\n")
    for command in (["cmake", "-S", "cm", "-B", "cm/build", "-G", "Unix Makefiles",
                     "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], ["cmake", "--build", "cm/build"]):
        subprocess.run(command, cwd=session.directory, check=True, capture_output=True)
    session.fine("generate", "-p", "cm/build", "--link", "app", "-o", "app.skel")
    session.fine("gather", "app.skel", "-o", "case.tar.zst")
    shutil.rmtree(session.path("cm"))
    session.fine("gather", "--replay", "case.tar.zst")
    session.fine("verify", "case/app.skel", "--no-real", "-np", "2")
    session.prints("identical: 6 calls")


def case_a_renamed_bundle_works(session):
    session.bundle()
    os.makedirs(session.path("there"))
    os.rename(session.path("app.skel"), session.path("there/a new name.skel"))
    bundle = "there/a new name.skel"
    session.fine("verify", bundle, "--no-real", "-np", "2")
    session.profile(bundle, "fine", "300")
    expect(len(os.listdir(session.path(bundle + "/samples"))) == 2, "samples go elsewhere")
    session.fine("fit", bundle)
    session.fine("run", bundle, "-np", "2", "--", "fine", "200")
    session.fine("run", bundle, "-np", "2", "--original")


def case_a_copied_project_does_not_take_the_other_ones_sources(session):
    build = project(session)
    session.fine("generate", "-p", build, "-o", "first.skel")
    shutil.copytree(session.path("project"), session.path("copy"))
    session.refused("generate", "-p", "copy/build", "-o", "copy.skel", says=[
        "copy/build/compile_commands.json:1:1: error: this database names " + session.path("project/src/app.c"),
        "lies beside " + session.path("copy/src/app.c"), "was copied or moved"])
    shutil.rmtree(session.path("project"))
    session.refused("generate", "-p", "copy/build", "-o", "copy.skel", says="was copied or moved")


def case_a_database_elsewhere_and_a_linked_project_are_taken(session):
    build = project(session)
    os.makedirs(session.path("databases"))
    shutil.copy(build + "/compile_commands.json", session.path("databases"))
    session.fine("generate", "-p", "databases", "-o", "one.skel", "--no-compile")
    os.symlink(session.path("project"), session.path("linked"))
    session.fine("generate", "-p", "linked/build", "-o", "two.skel", "--no-compile")
