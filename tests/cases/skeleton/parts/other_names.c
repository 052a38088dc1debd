/* The other unit of functions_by_other_names.c. */
#include <mpi.h>

void swap_rows(int n);
void collect(int n);
int count_calls(void);
void fill(int n);

int by_default(int n) {
    return 2 * n + 1;
}

int from_elsewhere(int n) {
    fill(n + 1);
    swap_rows(n + 2);
    collect(n);
    return count_calls();
}
