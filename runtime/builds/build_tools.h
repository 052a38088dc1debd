/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a build that make objects or programs, by their names: `exec_calls.c` has them run
 * under mpiskel, which records what they do (cli/capture). Each list ends with NULL.
 */
#pragma once

#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool build_tools_match(const char *const *patterns, const char *name) {
    for (; *patterns != NULL; patterns++)
        if (fnmatch(*patterns, name, 0) == 0)
            return true;
    return false;
}

static inline bool build_tools_has_c(const char *name) {
    static const char *const patterns[] = {
        "cc",    "gcc",  "clang",   "c89",     "c99",    "icc",          "icx",          "tcc",
        "pgcc",  "nvc",  "mpicc",   "mpiicc",  "mpixlc", "mpigcc",       "mpiclang",     "mpiicx",
        "gcc-*", "cc-*", "mpicc.*", "mpicc-*", "*-gcc",  "*-gcc-[0-9]*", "clang-[0-9]*", NULL};
    static const char *const others[] = {"gcc-ar*", "gcc-nm*", "gcc-ranlib*", NULL};
    return build_tools_match(patterns, name) && !build_tools_match(others, name);
}

static inline bool build_tools_has_cxx(const char *name) {
    static const char *const patterns[] = {
        "c++",     "g++",      "clang++",  "mpicxx",         "mpic++", "mpiCC",
        "mpiicpc", "mpiicpx",  "mpigxx",   "g++-*",          "*-g++",  "*-g++-[0-9]*",
        "mpiCC.*", "mpicxx.*", "mpic++.*", "clang++-[0-9]*", NULL};
    return build_tools_match(patterns, name);
}

static inline bool build_tools_has_fortran(const char *name) {
    static const char *const patterns[] = {
        "gfortran", "gfortran-*", "*-gfortran", "*-gfortran-[0-9]*", "f77",       "f95", "mpif77",
        "mpif90",   "mpifort",    "mpif77.*",   "mpif90.*",          "mpifort.*", NULL};
    return build_tools_match(patterns, name);
}

static inline bool build_tools_has_linker(const char *name) {
    static const char *const patterns[] = {"ld",       "ld.bfd",       "ld.gold", "ld.lld",
                                           "ld.lld-*", "*-linux-*-ld", NULL};
    return build_tools_match(patterns, name);
}

/* What comes out is what went in, but for parts. */
static inline bool build_tools_has_copier(const char *name) {
    static const char *const patterns[] = {"objcopy",         "strip",    "llvm-objcopy*",
                                           "llvm-strip*",     "eu-strip", "*-linux-*-objcopy",
                                           "*-linux-*-strip", NULL};
    return build_tools_match(patterns, name);
}

/* In front of a compiler's words. */
static inline bool build_tools_has_launcher(const char *name) {
    static const char *const patterns[] = {"ccache", "sccache",    "distcc",
                                           "icecc",  "buildcache", NULL};
    return build_tools_match(patterns, name);
}

static inline bool build_tools_has(const char *name) {
    return build_tools_has_c(name) || build_tools_has_cxx(name) || build_tools_has_fortran(name) ||
           build_tools_has_linker(name) || build_tools_has_copier(name);
}
