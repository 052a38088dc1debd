/* SPDX-License-Identifier: Apache-2.0
 *
 * A function of some ninety statements has an instance for each call, one of a hundred and fifty is one for all calls.
 *
 * with: mixed.h
 * kept: mix(&first, &second)
 * kept: more = more % 5 + i
 * gone: waste = waste % 3 + i
 */
#include "mixed.h"

static void mix_long(int *one, int *other) {
    int sum = *one;
    sum += 0; sum += 1; sum += 2; sum += 3; sum += 4; sum += 5; sum += 6; sum += 7; sum += 8; sum += 9;
    sum += 10; sum += 11; sum += 12; sum += 13; sum += 14; sum += 15; sum += 16; sum += 17; sum += 18; sum += 19;
    sum += 20; sum += 21; sum += 22; sum += 23; sum += 24; sum += 25; sum += 26; sum += 27; sum += 28; sum += 29;
    sum += 30; sum += 31; sum += 32; sum += 33; sum += 34; sum += 35; sum += 36; sum += 37; sum += 38; sum += 39;
    sum += 40; sum += 41; sum += 42; sum += 43; sum += 44; sum += 45; sum += 46; sum += 47; sum += 48; sum += 49;
    sum += 50; sum += 51; sum += 52; sum += 53; sum += 54; sum += 55; sum += 56; sum += 57; sum += 58; sum += 59;
    sum += 60; sum += 61; sum += 62; sum += 63; sum += 64; sum += 65; sum += 66; sum += 67; sum += 68; sum += 69;
    sum += 70; sum += 71; sum += 72; sum += 73; sum += 74; sum += 75; sum += 76; sum += 77; sum += 78; sum += 79;
    sum += 80; sum += 81; sum += 82; sum += 83; sum += 84; sum += 85; sum += 86; sum += 87; sum += 88; sum += 89;
    sum += 90; sum += 91; sum += 92; sum += 93; sum += 94; sum += 95; sum += 96; sum += 97; sum += 98; sum += 99;
    sum += 100; sum += 101; sum += 102; sum += 103; sum += 104; sum += 105; sum += 106; sum += 107; sum += 108; sum += 109;
    sum += 110; sum += 111; sum += 112; sum += 113; sum += 114; sum += 115; sum += 116; sum += 117; sum += 118; sum += 119;
    sum += 120; sum += 121; sum += 122; sum += 123; sum += 124; sum += 125; sum += 126; sum += 127; sum += 128; sum += 129;
    sum += 130; sum += 131; sum += 132; sum += 133; sum += 134; sum += 135; sum += 136; sum += 137; sum += 138; sum += 139;
    sum += 140; sum += 141; sum += 142; sum += 143; sum += 144; sum += 145; sum += 146; sum += 147; sum += 148; sum += 149;
    *one = sum + *other;
}

int main(int argc, char **argv) {
    double x[100] = {0};
    int first = argc, second = 2, waste = 1, more = 1;
    MPI_Init(&argc, &argv);
    mix(&first, &second);
    mix_long(&first, &second);
    for (int i = 0; i < 100; i++)
        waste = waste % 3 + i;
    mix(&waste, &second);
    for (int i = 0; i < 100; i++)
        more = more % 5 + i;
    mix_long(&more, &second);
    x[0] = waste + more;
    if (argc > 100)
        mix_often(&waste, &more);
    MPI_Bcast(x, first % 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
