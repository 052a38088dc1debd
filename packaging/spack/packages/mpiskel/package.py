# SPDX-License-Identifier: Apache-2.0
"""mpiskel for Spack: `spack repo add packaging/spack`, then `spack dev-build mpiskel@main` in the tree."""
from spack.package import *


class Mpiskel(CMakePackage):
    """Predicts how long MPI programs in C take on more ranks or another network, from skeletons of them."""

    license("Apache-2.0")

    version("main")

    generator("ninja")
    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("bison", type="build")
    depends_on("flex", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("llvm@19+clang")
    depends_on("simgrid@3.32+smpi", type=("build", "link", "run"))
    depends_on("openmpi@4.1", type=("build", "link", "run"))
    depends_on("xgboost", type=("build", "run"))
    depends_on("otf2@3")
    for library in ("gsl", "jansson", "sqlite", "expat", "uthash", "zlib-api", "zstd", "xxhash", "libunwind"):
        depends_on(library)

    def cmake_args(self):
        return [self.define("MPISKEL_TESTS", False),
                self.define("LIBCLANG_INCLUDE", self.spec["llvm"].prefix.include)]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installed(self):
        Executable(self.prefix.bin.mpiskel)("doctor")
