/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank's own variables, without a copy of the program for each rank.
 *
 * In: variables that are _Thread_local (BSIM_PRIVATE), compiled as position-independent code with
 * the general dynamic or local dynamic model (U. Drepper, "ELF Handling For Thread-Local Storage",
 * 2013): the compiler asks __tls_get_addr for their addresses. The one below is what the program's
 * own calls are linked with. Out: an address in the block of the rank that SimGrid is executing,
 * made when it is first asked for, from the program's initial image (PT_TLS), which the dynamic
 * linker has relocated. All ranks are executed by one thread of the operating system, so that the
 * system's own thread-local storage could not tell them apart.
 *
 * Threads that are no rank's (of OpenMP) get a block that they share. Blocks are never freed: they
 * are read until the last rank has ended.
 */
#include "runtime/smpi/executed.h"
#include "runtime/smpi/runtime.h"

#include <link.h>
#include <simgrid/actor.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The x86-64 psABI's argument; the module is always this program. */
struct tls_index {
    unsigned long module, offset;
};

void *__tls_get_addr(struct tls_index *index) __attribute__((visibility("hidden")));

struct image {
    const char *start;
    size_t file_bytes, memory_bytes, alignment;
};

static BSIM__COMMON struct image image;
static BSIM__COMMON char **blocks; /* by the actor's number, from 0 on */
static BSIM__COMMON size_t block_capacity;
static BSIM__COMMON char *block_of_others;
static BSIM__COMMON const void *last; /* what was executed when last_block was asked for */
static BSIM__COMMON char *last_block; /* NULL: nothing was yet */

static bool holds(const struct dl_phdr_info *object, const void *address) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (uintptr_t)address - start < part->p_memsz)
            return true;
    }
    return false;
}

static int find_image(struct dl_phdr_info *object, size_t size, void *out) {
    (void)size;
    if (!holds(object, out))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_TLS)
            *(struct image *)out =
                (struct image){(const char *)(object->dlpi_addr + part->p_vaddr), part->p_filesz,
                               part->p_memsz, part->p_align > 0 ? part->p_align : 1};
    }
    return 1;
}

/* From four pages on a block is a mapping of its own, of which only those pages take memory that
 * the rank touches, as arrays that nobody looks at are not; calloc writes zeroes into all that the
 * heap had already. The last page, which is not shared with another block, is a quarter at most. */
#define MAPPED_BYTES 16384

static char *zeroes(size_t bytes) {
    if (bytes < MAPPED_BYTES)
        return calloc(1, bytes);
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return map != MAP_FAILED ? map : NULL;
}

static char *new_block(void) {
    if (image.memory_bytes == 0)
        dl_iterate_phdr(find_image, &image);
    if (bsim__replace_worlds != NULL)
        bsim__replace_worlds();
    char *block = zeroes(image.memory_bytes + image.alignment);
    if (block == NULL)
        bsim__stop("mpiskel: error: out of memory for the variables of a rank (%zu bytes)",
                   image.memory_bytes);
    /* As the ABI has it: congruent to the image. */
    size_t off = ((uintptr_t)image.start - (uintptr_t)block) % image.alignment;
    memcpy(block + off, image.start, image.file_bytes);
    return block + off;
}

static char *block_of(sg_actor_t actor) {
    size_t number = (size_t)sg_actor_get_pid(actor);
    if (number >= block_capacity) {
        size_t capacity = number + number / 2 + 16;
        blocks = bsim__grow(blocks, block_capacity * sizeof *blocks, capacity * sizeof *blocks);
        block_capacity = capacity;
    }
    if (blocks[number] == NULL)
        blocks[number] = new_block();
    return blocks[number];
}

static __attribute__((noinline)) char *other_block(const void *now) {
    sg_actor_t actor = sg_actor_self();
    if (actor == NULL) {
        if (block_of_others == NULL)
            block_of_others = new_block();
        return block_of_others; /* remembered by nobody: a rank may be at work at the same time */
    }
    last_block = block_of(actor);
    last = now;
    return last_block;
}

void *__tls_get_addr(struct tls_index *index) {
    const void *now = bsim__executed();
    char *block = now == last && last_block != NULL ? last_block : other_block(now);
    return block + index->offset;
}
