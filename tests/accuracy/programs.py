# SPDX-License-Identifier: Apache-2.0
"""Which programs are profiled where, and predicted where: a table.

A case is one program. `small` are its profiling runs, `large` its predictions: ranks, a colon, arguments. Of a
prediction with the clock `caches` the last word says where it lies: `inside` what was profiled, by all features of the
regions that matter and their ratios, or `beyond`, at most four times what was profiled; `profiled` is one of the small runs."""


class Case:
    def __init__(self, name, clocks, small, large, options=(), fit=(), example=False, waits_for_messages=False):
        self.name, self.clocks, self.example = name, clocks.split(), example
        self.waits_for_messages = waits_for_messages    # so that caches hardly matter
        self.options, self.fit = options, fit    # of generate and fit
        self.small = [self.run(text) for text in small.split(";")]
        self.large = [(text.split()[-1], self.run(text.rsplit(None, 1)[0])) for text in large.split(";")]

    @staticmethod
    def run(text):
        ranks, arguments = text.split(":")
        return int(ranks), tuple(arguments.split())


def example(name, small, large, clocks="blocks caches", **more):
    return Case(name, clocks, small, large, example=True, **more)


CASES = [
    example("heat3d", "1: 32 32 32 6; 1: 40 40 40 6; 1: 16 24 24 6; 2: 40 40 40 6; 4: 40 48 48 6; 2: 48 48 40 6",
            "1: 32 32 32 6 profiled; 16: 64 64 64 6 inside; 64: 128 128 128 6 inside; 16: 128 128 128 6 beyond"),
    example("lu", "1: 128 16; 1: 192 32; 1: 256 16; 2: 192 16; 4: 256 32; 4: 320 16",
            "2: 192 16 profiled; 16: 512 16 inside; 64: 768 16 inside"),
    example("cg", "1: 48 7; 1: 64 7; 1: 96 7; 2: 64 7; 2: 96 7; 4: 96 7",
            "1: 64 7 profiled; 16: 192 7 inside; 64: 320 7 inside", options=("--assume=cuts",)),
    example("sort", "1: 5000 2; 1: 10000 2; 1: 20000 2; 2: 10000 2; 4: 20000 2; 4: 10000 2",
            "2: 10000 2 profiled; 16: 15000 2 inside; 64: 15000 2 inside"),
    example("fft", "1: 32 2; 1: 64 2; 1: 128 2; 2: 64 2; 4: 128 2; 2: 128 2",
            "1: 64 2 profiled; 16: 256 2 inside; 64: 512 2 inside"),
    example("sweep", "1: 16 16 16 8 2; 1: 24 24 24 8 2; 1: 24 24 32 8 2; 2: 24 24 16 8 2; 4: 32 32 24 8 2; 4: 24 24 16 8 2",
            "4: 24 24 16 8 2 profiled; 16: 64 64 24 8 2 inside; 64: 128 128 24 8 2 inside"),
    example("hydro", "1: 24 12 0.05; 1: 32 16 0.05; 1: 48 24 0.05; 2: 32 16 0.05; 4: 48 24 0.05; 4: 64 32 0.05",
            "1: 32 16 0.05 profiled; 16: 96 48 0.05 inside; 64: 128 96 0.05 inside"),
    example("particles", "1: 24 12 6; 1: 32 12 6; 1: 48 12 6; 2: 48 12 6; 4: 64 12 6; 4: 96 12 6",
            "2: 48 12 6 profiled; 16: 256 12 6 inside; 64: 1024 12 6 inside"),
    example("plu", "1: 64 8; 1: 96 8; 1: 128 8; 2: 96 8; 4: 128 8; 4: 160 8",
            "1: 96 8 profiled; 16: 256 8 inside; 64: 320 8 inside"),
    example("farm", "2: 60 500; 3: 60 1000; 4: 60 1500; 2: 90 1000; 3: 120 1500; 4: 120 1000",
            "3: 60 1000 profiled; 16: 240 1000 inside; 64: 640 1500 inside", fit=("--no-check",),
            waits_for_messages=True),
    Case("triangular", "blocks", "1: 60 3; 1: 120 3; 1: 240 3; 2: 120 3; 4: 240 3; 4: 480 3",
         "1: 120 3 profiled; 16: 960 3 inside; 64: 1920 3 inside"),
    Case("butterfly", "blocks", "1: 256; 1: 1024; 1: 4096; 2: 2048; 4: 4096; 4: 8192",
         "1: 1024 profiled; 16: 32768 inside; 64: 131072 inside"),
    Case("sparse", "blocks caches", "1: 500; 1: 1000; 1: 2000; 2: 2000; 4: 4000; 4: 6000",
         "1: 1000 profiled; 16: 5600 inside; 64: 6400 inside; 16: 16000 beyond"),
    Case("gather", "blocks caches", "1: 500; 1: 1500; 1: 4000; 1: 12000; 1: 25000; 1: 40000; 2: 40000; 4: 60000",
         "1: 40000 profiled; 1: 12000 profiled; 16: 160000 inside; 16: 480000 inside; 64: 5120000 beyond"),
    Case("branchy", "blocks", "1: 3000 2; 1: 6000 2; 1: 9000 3; 2: 6000 2; 4: 12000 3; 4: 9000 2",
         "1: 6000 2 profiled; 16: 48000 2 inside; 64: 96000 4 inside"),
    Case("recursive", "blocks", "1: 1000; 1: 3000; 1: 9000; 2: 5000; 4: 16000; 4: 30000",
         "1: 3000 profiled; 16: 100000 inside; 64: 300000 inside"),
    Case("qsort", "blocks caches", "1: 500; 1: 2000; 1: 8000; 2: 6000; 4: 16000; 4: 20000",
         "1: 2000 profiled; 16: 64000 inside; 64: 300000 inside"),
    Case("transposed", "blocks caches", "1: 36; 1: 60; 1: 100; 1: 132; 2: 132; 4: 196; 4: 260",
         "1: 100 profiled; 4: 228 inside; 16: 240 beyond; 16: 464 beyond"),
    Case("stencil", "blocks caches", "1: 24 4; 1: 48 4; 1: 96 4; 1: 160 4; 2: 128 4; 4: 192 4; 4: 320 4",
         "1: 96 4 profiled; 16: 448 4 inside; 64: 832 4 inside; 16: 1280 4 beyond"),
    Case("alike", "blocks", "1: 2000 200; 1: 4000 400; 2: 4000 400; 2: 8000 800; 4: 8000 800; 4: 16000 1600",
         "1: 4000 400 profiled; 16: 16000 100 inside; 64: 64000 300 inside"),
    Case("gaps", "blocks", "1: 128 64; 1: 256 64; 2: 128 64; 2: 256 64; 4: 256 64",
         "4: 256 64 profiled; 16: 256 256 inside; 64: 128 512 inside"),
    Case("blocks", "blocks caches", "1: 48; 1: 60; 2: 60; 2: 92; 4: 92; 4: 124",
         "4: 92 profiled; 16: 208 inside; 64: 320 beyond"),
    Case("primes", "blocks", "1: 1000; 1: 2000; 1: 4000; 1: 8000; 2: 8000; 4: 16000",
         "1: 2000 profiled; 1: 8000 profiled; 16: 32000 inside; 64: 64000 beyond"),
    Case("divisions", "blocks", "1: 4000; 1: 8000; 1: 16000; 2: 8000; 4: 16000; 2: 16000",
         "1: 4000 profiled; 16: 100000 beyond; 64: 200000 beyond"),
    Case("searches", "blocks", "1: 1000; 1: 2000; 1: 4000; 1: 8000; 2: 8000; 4: 16000",
         "1: 2000 profiled; 16: 32000 inside; 64: 64000 beyond"),
    Case("powers", "blocks", "1: 1000; 1: 3000; 1: 9000; 1: 27000; 2: 9000",
         "1: 3000 profiled; 1: 27000 profiled; 16: 20000 inside; 64: 81000 beyond"),
    Case("ends", "blocks caches", "1: 100 6; 1: 200 6; 1: 400 6; 2: 200 12; 4: 400 12; 4: 300 6",
         "1: 200 6 profiled; 16: 350 9 inside; 64: 250 12 inside"),
    Case("squares", "blocks", "1: 64; 1: 128; 1: 256; 4: 128; 4: 256; 4: 512",
         "4: 256 profiled; 16: 640 inside; 64: 1280 inside"),
]
