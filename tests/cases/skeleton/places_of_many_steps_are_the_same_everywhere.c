/* SPDX-License-Identifier: Apache-2.0
 *
 * The places of a struct datatype are worked out in seventy steps, all of which go by no rank: each member arrives where
 * it was sent from.
 *
 * kept: told.count = 3 + argc
 * gone: told.x[i] = i * 0.25
 */
#include <mpi.h>

struct world {
    double x[100];
    int count;
};

static struct world told;
static MPI_Aint p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39, p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59, p60, p61, p62, p63, p64, p65, p66, p67, p68, p69;

static void broadcast(void) {
    int lengths[2] = {100, 1};
    MPI_Aint places[2];
    MPI_Datatype type, types[2] = {MPI_DOUBLE, MPI_INT};
    p0 = 0;
    p1 = p0 + 8;
    p2 = p1 + 8;
    p3 = p2 + 8;
    p4 = p3 + 8;
    p5 = p4 + 8;
    p6 = p5 + 8;
    p7 = p6 + 8;
    p8 = p7 + 8;
    p9 = p8 + 8;
    p10 = p9 + 8;
    p11 = p10 + 8;
    p12 = p11 + 8;
    p13 = p12 + 8;
    p14 = p13 + 8;
    p15 = p14 + 8;
    p16 = p15 + 8;
    p17 = p16 + 8;
    p18 = p17 + 8;
    p19 = p18 + 8;
    p20 = p19 + 8;
    p21 = p20 + 8;
    p22 = p21 + 8;
    p23 = p22 + 8;
    p24 = p23 + 8;
    p25 = p24 + 8;
    p26 = p25 + 8;
    p27 = p26 + 8;
    p28 = p27 + 8;
    p29 = p28 + 8;
    p30 = p29 + 8;
    p31 = p30 + 8;
    p32 = p31 + 8;
    p33 = p32 + 8;
    p34 = p33 + 8;
    p35 = p34 + 8;
    p36 = p35 + 8;
    p37 = p36 + 8;
    p38 = p37 + 8;
    p39 = p38 + 8;
    p40 = p39 + 8;
    p41 = p40 + 8;
    p42 = p41 + 8;
    p43 = p42 + 8;
    p44 = p43 + 8;
    p45 = p44 + 8;
    p46 = p45 + 8;
    p47 = p46 + 8;
    p48 = p47 + 8;
    p49 = p48 + 8;
    p50 = p49 + 8;
    p51 = p50 + 8;
    p52 = p51 + 8;
    p53 = p52 + 8;
    p54 = p53 + 8;
    p55 = p54 + 8;
    p56 = p55 + 8;
    p57 = p56 + 8;
    p58 = p57 + 8;
    p59 = p58 + 8;
    p60 = p59 + 8;
    p61 = p60 + 8;
    p62 = p61 + 8;
    p63 = p62 + 8;
    p64 = p63 + 8;
    p65 = p64 + 8;
    p66 = p65 + 8;
    p67 = p66 + 8;
    p68 = p67 + 8;
    p69 = p68 + 8;
    places[0] = p0;
    places[1] = p69 + 248;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&told, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        told.x[i] = i * 0.25;
    told.count = 3 + argc;
    broadcast();
    for (int i = 0; i < told.count; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
