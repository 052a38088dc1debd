#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# test.sh MPISKEL: `make skeleton` in small projects of others: a Makefile with a subdirectory and an
# archive that is made in two steps and copied, two executables, and the include line at the very top. Checks
# that the bundles are there and agree with their originals, and that the project's own build is what
# it was.
set -euo pipefail
mpiskel=$1
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
PATH=$(dirname "$mpiskel"):$PATH
cd "$project"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

mkdir lib tools
cat > lib/ring.h <<'END'
double ring_pass(int n);
END
cat > lib/ring.c <<'END'
#include "ring.h"
#include <mpi.h>
#include <stdlib.h>

double scale(int rank);

double ring_pass(int n) {
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *field = malloc(n * sizeof *field), sum = 0;
    for (int i = 0; i < n; i++)
        field[i] = scale(rank) + 0.5 * i;
    MPI_Sendrecv_replace(field, n, MPI_DOUBLE, (rank + 1) % size, 7, (rank + size - 1) % size, 7,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        sum += field[i];
    free(field);
    return sum;
}
END
echo 'double scale(int rank) { return 0.25 * rank; }' > lib/scale.c
cat > main.c <<'END'
#include "lib/ring.h"
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int step = 0; step < STEPS; step++)
        printf("%g\n", ring_pass(100));
    MPI_Finalize();
    return 0;
}
END
cat > Makefile <<'END'
-include $(shell mpiskel --makefile)
CC = mpicc

all: one tools/two
one: one.o lib/libring.a
	mkdir -p installed && cp lib/libring.a installed
	$(CC) -o $@ one.o -Linstalled -lring
tools/two: two.o lib/libring.a
	cd tools && $(CC) -o ../tools/two ../two.o ../lib/libring.a
one.o: main.c
	$(CC) -O2 -DSTEPS=1 -c -o $@ main.c
two.o: main.c
	$(CC) -O2 -DSTEPS=2 -c -o $@ main.c
lib/libring.a: lib/ring.c
	$(MAKE) -C lib
clean:
	rm -f one tools/two *.o lib/*.o lib/*.a
END
cat > lib/Makefile <<'END'
CC = mpicc
libring.a: ring.o scale.o
	ar rc $@ ring.o
	ar rs $@ scale.o
ring.o: ring.c ring.h
	$(CC) -O2 -c ring.c
scale.o: scale.c
	$(CC) -O2 -c scale.c
END

make --no-print-directory > plain.log
[ -x one ] && [ -x tools/two ] || fail "the default goal is no longer the project's own: $(cat plain.log)"
[ ! -e .mpiskel ] || fail "a plain build records"

make -n skeleton > printed.log
grep -q 'mpiskel" capture' printed.log || fail "make -n skeleton does not tell what it would do"
[ ! -e .mpiskel ] && [ ! -e one.skel ] || fail "make -n skeleton does more than print"

make -j2 skeleton
for bundle in one.skel tools/two.skel; do
    [ -x "$bundle/profile" ] || fail "$bundle/profile is missing"
    [ -e "$bundle/src/lib/ring.c" ] || fail "$bundle lacks the source of its library"
    verdict=$(mpiskel verify "$bundle" -np 4)
    [[ $verdict == identical:* ]] || fail "verify $bundle: $verdict"
done
[ "$(cat .mpiskel/.gitignore)" = '*' ] || fail ".mpiskel/ would turn up in git status"
make --no-print-directory -q all || fail "after make skeleton the project is not up to date"

rm -rf ./*.skel tools/*.skel
make skeleton MPISKEL_EXECUTABLES=one > chosen.log
[ -d one.skel ] && [ ! -e tools/two.skel ] || fail "MPISKEL_EXECUTABLES does not choose"

# Another compiler than the one that smpicc calls: it takes an option and a source of its own.
mkdir other
cat > other/other-gcc <<'END'
#!/bin/bash
[[ " $* " == *" -fof-its-own "* || " $* " == *.o" "* ]] || exit 1
for word in "$@"; do [ "$word" = -fof-its-own ] || words+=("$word"); done
exec gcc -DOTHER "${words[@]}"
END
chmod +x other/other-gcc
cat > other/main.c <<'END'
#include <mpi.h>
#if (defined(BSIM_ORIGINAL) || defined(BSIM_SKELETON)) && !defined(OTHER)
#error only for the other compiler
#endif
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
END
(cd other && export OMPI_CC="$PWD/other-gcc" &&
    mpiskel capture -- mpicc -fof-its-own -c main.c && mpicc main.o -o main &&
    mpiskel generate -o main.skel && mpiskel verify main.skel -np 2) > other.log 2>&1 ||
    fail "with another compiler: $(cat other.log)"

# Two programs that a C++ driver links, with a library behind a symbolic link.
mkdir linked
echo '#include <mpi.h>
void talk(void) { MPI_Barrier(MPI_COMM_WORLD); }' > linked/talk.c
for name in one two; do
    echo '#include <mpi.h>
    void talk(void);
    int main(int argc, char **argv) { MPI_Init(&argc, &argv); talk(); MPI_Finalize(); return 0; }' \
        > linked/$name.c
done
cat > linked/Makefile <<'END'
all: one two
one two: %: %.o libtalk.so
	mpicxx -o $@ $@.o -L. -ltalk -Wl,-rpath,.
%.o: %.c
	mpicc -fPIC -c $<
libtalk.so: talk.o
	mpicc -shared -o libtalk.so.1 talk.o && ln -s libtalk.so.1 libtalk.so
END
(cd linked && mpiskel capture -- make && mpiskel generate --link two -o two.skel &&
    mpiskel verify two.skel -np 2) > linked.log 2>&1 || fail "linked by C++: $(cat linked.log)"
grep -q "^two.skel: 2 units" linked.log || fail "the library's unit is missing: $(cat linked.log)"
grep -q "^identical: 6 calls" linked.log || fail "a library behind a link: $(cat linked.log)"

# Objects with suffixes that the compiler does not know, of which the linker is told nothing else.
mkdir levels
echo '#include <mpi.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < LEVEL; i++) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize(); return 0; }' > levels/a.c
cat > levels/Makefile <<'END'
all: strong weak
%.o_s: %.c
	mpicc -DLEVEL=1 -c $< -o $@
%.o_w: %.c
	mpicc -DLEVEL=2 -c $< -o $@
strong: a.o_s
	mpicc $^ -o $@
weak: a.o_w
	mpicc $^ -o $@
END
(cd levels && mpiskel capture -- make && mpiskel generate --link weak -o weak.skel &&
    mpiskel verify weak.skel -np 2) > levels.log 2>&1 || fail "odd suffixes: $(cat levels.log)"
grep -q "^identical: 10 calls" levels.log || fail "objects with odd suffixes: $(cat levels.log)"
rm levels/link_commands.json
if (cd levels && mpiskel generate --link weak -o weak.skel) > levels.log 2>&1; then
    fail "--link is taken where nothing is linked"
fi
grep -q "error: no link command" levels.log || fail "--link without links: $(cat levels.log)"

# A library that is made by a compiler of a name that nobody knows.
mkdir paths
echo 'int half(int n) { return n / 2; }' > paths/half.c
echo '#include <mpi.h>
int half(int n);
int main(int argc, char **argv) { static double x[8]; MPI_Init(&argc, &argv);
    MPI_Bcast(x, half(4), MPI_DOUBLE, 0, MPI_COMM_WORLD); MPI_Finalize(); return 0; }' > paths/main.c
ln -s "$(command -v gcc)" paths/translate
cat > paths/Makefile <<END
app: main.o
	./translate -c half.c && ar cr libhalf.a half.o
	mpicc main.o libhalf.a -o app
main.o: main.c
	mpicc -c main.c
END
(cd paths && mpiskel capture -- make) > paths.log 2>&1 || fail "an unknown compiler: $(cat paths.log)"
grep -q "of what libhalf.a holds, .* nothing was compiled in this build" paths.log ||
    fail "a library that nothing is known of is not told: $(cat paths.log)"

# A tool in C++, and a library of C++ that the program is linked to: neither is made again.
mkdir mixed
echo 'int main() { return 0; }' > mixed/tool.cpp
echo 'extern "C" int count_of(int n) { return n + 1; }' > mixed/count.cpp
echo '#include <mpi.h>
int count_of(int n);
int main(int argc, char **argv) {
    static double x[100];
    MPI_Init(&argc, &argv);
    MPI_Bcast(x, count_of(argc), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}' > mixed/main.c
cat > mixed/Makefile <<'END'
all: tool app
tool: tool.o
	g++ -o $@ tool.o
app: main.o libcount.so
	mpicc -o $@ main.o -L. -lcount -Wl,-rpath,$(CURDIR)
libcount.so: count.cpp
	g++ -fPIC -c count.cpp
	g++ -shared -o $@ count.o
main.o: main.c
	mpicc -c main.c
END
(cd mixed && mpiskel capture -- make && mpiskel generate -o app.skel && mpiskel verify app.skel -np 2) \
    > mixed.log 2>&1 || fail "beside C++: $(cat mixed.log)"
grep -q "^identical: 6 calls" mixed.log || fail "with a library of C++: $(cat mixed.log)"

# C++ is recorded, alone and linked together with C; C files by a C++ driver are named as such.
mkdir cxx
echo 'int main() { return 0; }' > cxx/only.cpp
echo 'int main(void) { return 0; }' > cxx/plain.c
echo 'extern "C" int steps() { return 3; }' > cxx/steps.cc
echo 'int steps(void); int main(void) { return steps(); }' > cxx/main.c
while IFS='|' read -r command message; do
    (cd cxx && mpiskel capture -- sh -c "$command") > cxx.log 2>&1 || [ "${message%%:*}" = error ] ||
        fail "'$command' is refused: $(cat cxx.log)"
    grep -q "$message" cxx.log || fail "of '$command' is told: $(cat cxx.log)"
done <<'END'
mpicxx only.cpp -o only|recorded 1 compile and 1 link commands
g++ -c plain.c && g++ plain.o -o plain|error: the build compiled 1 C file as C++ (plain.c, by g++): .*(CC=mpicc)
mpicc -c main.c && mpicxx -c plain.c && mpicxx -c steps.cc && mpicxx main.o steps.o -o both|warning: 1 C file was compiled as C++ (plain.c, by mpicxx)
mpicc -c main.c && mpicxx -c steps.cc && mpicxx main.o steps.o -o both|recorded 2 compile and 1 link commands
mpicc -c main.c && mpicxx -c steps.cc && ar cr libs.a steps.o && mpicc main.o libs.a -o it|recorded 2 compile and 2 link commands
mpicc -c main.c && mpicxx main.o steps.cc -o both|recorded 2 compile and 1 link commands
mpicc -c main.c && mpicc -c steps.cc && mpicc main.o steps.o -o both|recorded 2 compile and 1 link commands
END

echo 'int main(void) { return missing; }' > main.c
if make skeleton > broken.log 2>&1; then
    fail "a build that fails gives a skeleton"
fi
grep -q "missing" broken.log || fail "the compiler's message is lost: $(cat broken.log)"
