# SPDX-License-Identifier: Apache-2.0
"""One example for each command, which works in the demo's directory, heat3d, with its bundle. The page of commands
is a session: the test documents/reference_commands executes them all, in the order of the help."""

EXAMPLES = {
    "doctor": "mpiskel doctor",
    "capture": "mpiskel capture -- make -B",
    "generate": "mpiskel generate -o heat3d.skel",
    "cc": "make -B CC='mpiskel cc'",
    "cxx": "",    # heat3d is C
    "explain": "mpiskel explain heat3d.skel main.c:48",
    "verify": "mpiskel verify heat3d.skel -np 4 -- 16 16 16 20",
    "fit": "mpiskel fit heat3d.skel",
    "calibrate": "mpiskel calibrate --noise --time 2 --machine default --bundle heat3d.skel",
    "loops": "mpiskel loops heat3d.skel",
    "machines": "mpiskel machines list heat3d.skel",
    "models": "mpiskel models show heat3d.skel",
    "signature": "mpiskel signature heat3d.skel",
    "plan": "mpiskel plan heat3d.skel --target '-np 64 128 128 128 20'",
    "platform": "mpiskel platform fat-tree --nodes 64 -o fabric",
    "run": "mpiskel run heat3d.skel -np 64 -- 128 128 128 20",
    "record": "mpiskel record -o runs/4 --set n=16 -- mpirun --oversubscribe -np 4 ./heat3d 16 16 16 20",
    "synthesize": "mpiskel synthesize runs/* -o heat3d.synth",
    "trace": "mpiskel trace info run.trace",
    "report": "mpiskel report heat3d.skel run.trace -o run.html",
    "whatif": "mpiskel whatif heat3d.skel -np 16 --try 'slow links: --bandwidth 1GBps' -- 64 64 64 20",
    "sweep": "mpiskel sweep heat3d.skel -np 4..16:x2 -- 64 64 64 20",
    "scale": "mpiskel scale heat3d.skel -np 1..16:x2 --predict 64 -- 64 64 64 20",
    "events": "mpiskel events run.trace",
    "validate": "mpiskel validate heat3d.skel -np 4 -- 64 64 64 20",
    "reduce": "",    # nothing goes wrong with heat3d
    "gather": "mpiskel gather heat3d.skel -o case.tar.zst",
}

# What is executed before an example, and not shown.
BEFORE = {
    "fit": ["for n in 16 32 64; do for ranks in 1 2 4; do "
            "mpirun --oversubscribe -np $ranks heat3d.skel/profile $n $n $n 20; done; done"],
    "record": ["make -B"],
    "synthesize": ["for n in 1 2 3; do mpiskel record -o runs/$n --set n=16 -- "
                   "mpirun --oversubscribe -np $n ./heat3d 16 16 16 20; done"],
    "trace": ["mpiskel run heat3d.skel -np 4 --trace=run.trace -- 16 16 16 20"],
}
