/* SPDX-License-Identifier: Apache-2.0
 *
 * One small block for each kind of result of a library function: pointers into arguments, copies,
 * numbers behind pointers, formatted and scanned text. Nothing of a block is needed but its count.
 *
 * flags: -Wno-unused-value
 * kept: memcpy(a, "xx4", 4)
 * kept: wide[0] = L'7'
 * gone: x[i] = 0.5 * i
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static double x[64];

static void send(int count) {
    MPI_Bcast(x, count < 0 ? 0 : count % 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static int same(const void *a, const void *b) {
    return *(const int *)a != *(const int *)b;
}

static void format(char *out, const char *how, ...) {
    va_list list;
    va_start(list, how);
    vsnprintf(out, 20, how, list);
    va_end(list);
}

static void scan(const char *text, const char *how, ...) {
    va_list list;
    va_start(list, how);
    vsscanf(text, how, list);
    va_end(list);
}

static void texts(void) {
    {
        char a[8];
        memcpy(a, "xx4", 4);
        send(atoi(strpbrk(a, "0123456789")));
    }
    {
        char a[8] = "", *end;
        strcat(a, "12k");
        send((int)strtol(a, &end, 10) + (*end == 'k'));
    }
    {
        char a[8];
        strcpy(a, "5:6");
        char *b = strdup(a), *c = strndup(strchr(b, ':') + 1, 1);
        send(atoi(b) * atoi(c));
        free(b);
        free(c);
    }
    {
        char a[20], b[20];
        strcpy(b, "9");
        format(a, "%s%d", b, 3);
        send(atoi(a));
    }
    {
        int n = 0, m = 0;
        scan("3 8", "%d %d", &n, &m);
        send(n * m);
    }
    {
        wchar_t wide[4] = {0};
        wide[0] = L'7';
        send((int)wcstol(wide, NULL, 10));
    }
    {
        char a[8] = "abc", b[8];
        char *end = mempcpy(b, a, 2);
        *end = '\0';
        send((int)strlen(b) + toupper(b[0]) - 'A');
    }
}

static void numbers(void) {
    {
        int exponent, quotient;
        double whole;
        send((int)(frexp(24.0, &exponent) * 4) + exponent);
        modf(13.75, &whole);
        remquo(17, 5, &quotient);
        send((int)whole + quotient);
    }
    {
        div_t d = div(17, 5);
        send(d.quot + d.rem);
    }
    {
        int sign;
        double big = lgamma_r(10.0, &sign);
        send((int)big + sign);
    }
    {
        fesetround(FE_UPWARD);
        send((int)rint(4.2));
        fesetround(FE_TONEAREST);
    }
}

static void arrays(void) {
    {
        int list[5] = {4, 9, 2, 7, 1}, wanted = 7;
        size_t count = 5;
        int *found = lfind(&wanted, list, &count, sizeof *list, same);
        send((int)(found - list) + *found);
        wanted = 30;
        lsearch(&wanted, list, &count, sizeof *list, same);
        send((int)count);
    }
    {
        int *list = malloc(2 * sizeof *list);
        list[1] = 21;
        list = realloc(list, 100 * sizeof *list);
        send(list[1]);
        free(list);
    }
    {
        char bytes[16];
        memset(bytes, 0, 16);
        bytes[11] = 1;
        send((int)((char *)memchr(bytes, 1, 16) - bytes));
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    texts();
    numbers();
    arrays();
    MPI_Finalize();
    return 0;
}
