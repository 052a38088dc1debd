# SPDX-License-Identifier: Apache-2.0
"""case.py FILE MPISKEL CASE: calls the function case_CASE of a file, with a directory of its own that goes with it.

What it gets goes by the name of its parameter: nothing, for it gives its commands one after the other in that
directory (commands.py); the path of mpiskel, likewise; or a Session, its file's or that of support.py."""
import importlib
import inspect
import os
import sys
import tempfile

FILE, MPISKEL = (os.path.abspath(word) for word in sys.argv[1:3])
sys.path[:1] = [os.path.dirname(FILE), os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands", "bad_input")]
import support  # noqa: E402


def run(module, case, directory):
    parameters = list(inspect.signature(case).parameters)
    if parameters and parameters[0] != "mpiskel":
        case(getattr(module, "Session", support.Session)(MPISKEL, directory))
        return
    os.chdir(directory)
    case(*[MPISKEL] * len(parameters))


def main():
    del sys.argv[1]  # as if the file had been started itself
    module = importlib.import_module(os.path.basename(FILE)[:-len(".py")])
    place = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="mpiskel-case-") as directory:
        try:
            run(module, getattr(module, "case_" + sys.argv[2]), os.path.realpath(directory))
        except support.Failure as failure:
            sys.exit(f"{sys.argv[2]}: {failure}")
        finally:
            os.chdir(place)
    print(f"{sys.argv[2]}: fine")


main()
