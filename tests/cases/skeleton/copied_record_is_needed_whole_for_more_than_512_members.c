/* SPDX-License-Identifier: Apache-2.0
 *
 * As in copied_record_is_needed_by_five_hundred_members.c, but there are 520: the whole record is needed.
 *
 * kept: from.waste += i * argc
 * gone: x[i] = to.waste * 0.5
 */
#include <mpi.h>
#include <string.h>

#define TEN_MEMBERS(p) p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9
#define SUM_OF_TEN(p)                                                                              \
    to.p##0 + to.p##1 + to.p##2 + to.p##3 + to.p##4 + to.p##5 + to.p##6 + to.p##7 + to.p##8 + to.p##9

struct members {
    int
        TEN_MEMBERS(aa), TEN_MEMBERS(ab), TEN_MEMBERS(ac), TEN_MEMBERS(ad), TEN_MEMBERS(ae), TEN_MEMBERS(af),
        TEN_MEMBERS(ag), TEN_MEMBERS(ah), TEN_MEMBERS(ai), TEN_MEMBERS(aj), TEN_MEMBERS(ak), TEN_MEMBERS(al),
        TEN_MEMBERS(am), TEN_MEMBERS(an), TEN_MEMBERS(ao), TEN_MEMBERS(ap), TEN_MEMBERS(aq), TEN_MEMBERS(ar),
        TEN_MEMBERS(as), TEN_MEMBERS(at), TEN_MEMBERS(au), TEN_MEMBERS(av), TEN_MEMBERS(aw), TEN_MEMBERS(ax),
        TEN_MEMBERS(ay), TEN_MEMBERS(az), TEN_MEMBERS(ba), TEN_MEMBERS(bb), TEN_MEMBERS(bc), TEN_MEMBERS(bd),
        TEN_MEMBERS(be), TEN_MEMBERS(bf), TEN_MEMBERS(bg), TEN_MEMBERS(bh), TEN_MEMBERS(bi), TEN_MEMBERS(bj),
        TEN_MEMBERS(bk), TEN_MEMBERS(bl), TEN_MEMBERS(bm), TEN_MEMBERS(bn), TEN_MEMBERS(bo), TEN_MEMBERS(bp),
        TEN_MEMBERS(bq), TEN_MEMBERS(br), TEN_MEMBERS(bs), TEN_MEMBERS(bt), TEN_MEMBERS(bu), TEN_MEMBERS(bv),
        TEN_MEMBERS(bw), TEN_MEMBERS(bx), TEN_MEMBERS(by), TEN_MEMBERS(bz);
    int waste;
};

int main(int argc, char **argv) {
    static struct members from, to;
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    memset(&from, 0, sizeof from);
    for (int i = 0; i < 100; i++)
        from.waste += i * argc;
    to = from;
    int sum = 1 +
              SUM_OF_TEN(aa) + SUM_OF_TEN(ab) + SUM_OF_TEN(ac) + SUM_OF_TEN(ad) + SUM_OF_TEN(ae) + SUM_OF_TEN(af) +
              SUM_OF_TEN(ag) + SUM_OF_TEN(ah) + SUM_OF_TEN(ai) + SUM_OF_TEN(aj) + SUM_OF_TEN(ak) + SUM_OF_TEN(al) +
              SUM_OF_TEN(am) + SUM_OF_TEN(an) + SUM_OF_TEN(ao) + SUM_OF_TEN(ap) + SUM_OF_TEN(aq) + SUM_OF_TEN(ar) +
              SUM_OF_TEN(as) + SUM_OF_TEN(at) + SUM_OF_TEN(au) + SUM_OF_TEN(av) + SUM_OF_TEN(aw) + SUM_OF_TEN(ax) +
              SUM_OF_TEN(ay) + SUM_OF_TEN(az) + SUM_OF_TEN(ba) + SUM_OF_TEN(bb) + SUM_OF_TEN(bc) + SUM_OF_TEN(bd) +
              SUM_OF_TEN(be) + SUM_OF_TEN(bf) + SUM_OF_TEN(bg) + SUM_OF_TEN(bh) + SUM_OF_TEN(bi) + SUM_OF_TEN(bj) +
              SUM_OF_TEN(bk) + SUM_OF_TEN(bl) + SUM_OF_TEN(bm) + SUM_OF_TEN(bn) + SUM_OF_TEN(bo) + SUM_OF_TEN(bp) +
              SUM_OF_TEN(bq) + SUM_OF_TEN(br) + SUM_OF_TEN(bs) + SUM_OF_TEN(bt) + SUM_OF_TEN(bu) + SUM_OF_TEN(bv) +
              SUM_OF_TEN(bw) + SUM_OF_TEN(bx) + SUM_OF_TEN(by) + SUM_OF_TEN(bz);
    for (int i = 0; i < 100; i++)
        x[i] = to.waste * 0.5;
    MPI_Bcast(x, sum, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
