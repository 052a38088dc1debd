/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the skeleton allocates is given back by the calls that did so: in helpers, behind
 * wrappers, in loops, lists and trees, by realloc; memory that goes is not given back either.
 *
 * kept: free(way[0].buffer);
 * kept: free(way);
 * kept: while (stack->depth > 0) free(stack->blocks[--stack->depth]);
 * kept: for (struct chunk *next; first != NULL; first = next) { next = first->next; free(first->words); free(first); }
 * kept: free(((void **)block)[-1]);
 * kept: if (--shared->users == 0) { free(shared->words); free(shared); }
 * kept: fell(node->left);
 * kept: free(node);
 * made: { free(one); free(other); }
 * kept: realloc(block, 0);
 * kept: MPI_Free_mem(blocks[i]);
 * kept: fclose(files[i]);
 * kept: drop(one);
 * gone: drop(weights);
 * gone: free(sums);
 * gone: weights[i] = i * 0.5;
 * flags: -Wno-unused-result
 * args: 3
 * args: 1
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 300

static int rank, ranks;
static double total;

static void swap(int *out, int *in) {
    for (int i = 0; i < WORDS; i++)
        out[i] = i * (rank + 1);
    MPI_Sendrecv(out, WORDS, MPI_INT, (rank + 1) % ranks, 3, in, WORDS, MPI_INT,
                 (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (in[5] < 0)
        MPI_Barrier(MPI_COMM_WORLD);
}

struct way { int *buffer; };

static void close_way(struct way *way) {
    free(way[0].buffer);
    free(way[1].buffer);
    free(way);
}

static void members_before_their_record(void) {
    struct way *way = malloc(2 * sizeof *way);
    for (int i = 0; i < 2; i++)
        way[i].buffer = malloc(WORDS * sizeof(int));
    swap(way[0].buffer, way[1].buffer);
    close_way(way);
}

static void drop(void *block) {
    if (block != NULL)
        free(block);
}

static void wrapper_of_what_stays_and_what_goes(void) {
    int *one = malloc(WORDS * sizeof *one), *other = malloc(WORDS * sizeof *other);
    double *weights = malloc(WORDS * sizeof *weights);
    double *sums = calloc(WORDS, sizeof *sums);
    for (int i = 0; i < WORDS; i++)
        weights[i] = i * 0.5;
    for (int i = 1; i < WORDS; i++)
        sums[i] = sums[i - 1] + weights[i];
    swap(one, other);
    total += sums[WORDS - 1];
    drop(weights);
    free(sums);
    drop(one);
    drop(other);
}

struct stack { void *blocks[8]; int depth; };

static void *stack_block(struct stack *stack) {
    return stack->blocks[stack->depth++] = malloc(WORDS * sizeof(int));
}

static void stack_clear(struct stack *stack) {
    while (stack->depth > 0)
        free(stack->blocks[--stack->depth]);
}

static void stack_of_blocks(void) {
    struct stack stack = {.depth = 0};
    int *one = stack_block(&stack), *other = stack_block(&stack);
    swap(one, other);
    stack_clear(&stack);
}

struct chunk { struct chunk *next; int *words; };

static void chain_of_chunks(int length) {
    struct chunk *first = NULL;
    int *in = malloc(WORDS * sizeof *in);
    for (int i = 0; i < length; i++) {
        struct chunk *chunk = malloc(sizeof *chunk);
        chunk->words = malloc(WORDS * sizeof(int));
        chunk->next = first;
        first = chunk;
        swap(chunk->words, in);
    }
    for (struct chunk *next; first != NULL; first = next) {
        next = first->next;
        free(first->words);
        free(first);
    }
    free(in);
}

static void *block_at_a_line(size_t bytes) {
    void *whole = malloc(bytes + 64 + sizeof(void *));
    void **block = (void **)(((uintptr_t)whole + sizeof(void *) + 63) & ~(uintptr_t)63);
    block[-1] = whole;
    return block;
}

static void block_free(void *block) {
    free(((void **)block)[-1]);
}

static void behind_its_own_address(void) {
    int *one = block_at_a_line(WORDS * sizeof *one), *other = block_at_a_line(WORDS * sizeof *one);
    swap(one, other);
    block_free(other);
    block_free(one);
}

struct shared { int users; int *words; };

static void leave(struct shared *shared) {
    if (--shared->users == 0) {
        free(shared->words);
        free(shared);
    }
}

static void counted_users(void) {
    struct shared *shared = malloc(sizeof *shared);
    int *in = malloc(WORDS * sizeof *in);
    shared->users = 2;
    shared->words = malloc(WORDS * sizeof(int));
    leave(shared);
    swap(shared->words, in);
    leave(shared);
    free(in);
}

struct node { struct node *left, *right; int *words; };

static struct node *grow(int depth) {
    struct node *node = malloc(sizeof *node);
    node->words = malloc(WORDS * sizeof(int));
    node->left = depth > 0 ? grow(depth - 1) : NULL;
    node->right = depth > 0 ? grow(depth - 1) : NULL;
    return node;
}

static void fell(struct node *node) {
    if (node == NULL)
        return;
    fell(node->left);
    fell(node->right);
    free(node->words);
    free(node);
}

static void tree_of_nodes(void) {
    struct node *root = grow(1);
    swap(root->left->words, root->right->words);
    fell(root);
}

static void within_expressions(void) {
    int *one = malloc(WORDS * sizeof *one), *other = malloc(WORDS * sizeof *other);
    int *block = malloc(WORDS * sizeof *block);
    swap(one, block);
    swap(block, other);
    if (ranks > 0)
        (free(one), free(other));
    block = realloc(block, 0);
}

static void mem_clear(int **blocks, int count) {
    for (int i = 0; i < count; i++)
        MPI_Free_mem(blocks[i]);
}

static void memory_of_mpi(void) {
    int *blocks[2];
    for (int i = 0; i < 2; i++)
        MPI_Alloc_mem(WORDS * sizeof(int), MPI_INFO_NULL, &blocks[i]);
    swap(blocks[0], blocks[1]);
    mem_clear(blocks, 2);
}

static void close_all(FILE **files, int count) {
    for (int i = 0; i < count; i++)
        fclose(files[i]);
}

static void files_that_are_read(void) {
    FILE *files[2];
    int pages = 0;
    for (int i = 0; i < 2; i++)
        files[i] = fopen("/proc/self/statm", "r");
    for (int i = 0; i < 2; i++)
        if (fscanf(files[i], "%d", &pages) == 1 && pages == 0)
            MPI_Barrier(MPI_COMM_WORLD);
    close_all(files, 2);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < (argc > 1 ? atoi(argv[1]) : 2); step++) {
        members_before_their_record();
        wrapper_of_what_stays_and_what_goes();
        stack_of_blocks();
        chain_of_chunks(2);
        behind_its_own_address();
        counted_users();
        tree_of_nodes();
        within_expressions();
        memory_of_mpi();
        files_that_are_read();
    }
    if (total < 0)
        printf("%g\n", total);
    MPI_Finalize();
    return 0;
}
