/* SPDX-License-Identifier: Apache-2.0
 *
 * Through atomic objects, copied bytes, unions, lists, arguments of any number, sorted arrays, and
 * from functions that return them, and meet once when they are asked: all are called.
 *
 * gone: y[i] += i;
 * args:
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef void (*function)(int);

union any {
    function f;
    long l;
    char bytes[sizeof(function)];
};
struct item {
    function f;
    struct item *next;
};

static _Atomic(function) by_atomic;
static function by_memcpy, by_builtin, by_sort[2], by_parameter, by_arguments, *by_realloc;
static union any by_union, by_bytes;
static struct item by_record, *by_list;

static void meet(int n) {
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static struct {
    char name[8];
    function f;
} table[] = {{"none", 0}, {"meet", meet}};

static void set(function *p, function f) {
    *p = f;
}

static function get(int k) {
    MPI_Barrier(MPI_COMM_WORLD);
    return k ? meet : NULL;
}

static function (*getter)(int);

static void set_last(int n, ...) {
    va_list list;
    va_start(list, n);
    by_arguments = va_arg(list, function);
    va_end(list);
}

static int compare(const void *a, const void *b) {
    return *(const function *)a < *(const function *)b;
}

int main(int argc, char **argv) {
    function f = meet;
    struct item other = {meet, NULL};
    double y[100] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        y[i] += i;
    atomic_store(&by_atomic, meet);
    memcpy(&by_memcpy, &f, sizeof f);
    __atomic_store_n(&by_builtin, meet, 0);
    by_sort[1] = meet;
    qsort(by_sort, 2, sizeof(function), compare);
    set(&by_parameter, meet);
    by_union.l = (long)meet;
    memcpy(by_bytes.bytes, &f, sizeof f);
    by_record = other;
    by_list = malloc(sizeof *by_list);
    *by_list = by_record;
    by_list->next = by_list;
    set_last(1, meet);
    getter = get;
    by_realloc = realloc(NULL, 2 * sizeof(function));
    by_realloc[1] = meet;
    by_atomic(1);
    by_memcpy(2);
    by_builtin(3);
    if (by_sort[0])
        by_sort[0](4);
    if (by_sort[1])
        by_sort[1](5);
    by_parameter(6);
    by_union.f(7);
    by_bytes.f(8);
    by_record.f(9);
    by_list->next->next->f(10);
    by_arguments(11);
    getter(1)(12);
    get(1)(13);
    by_realloc[1](14);
    table[1].f(15);
    MPI_Finalize();
    return 0;
}
