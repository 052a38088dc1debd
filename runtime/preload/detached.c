/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes SimGrid forget eager messages quickly. Loaded with runtime/preload/count_messages.c.
 *
 * SMPI sends small messages detached: nobody waits for them. SimGrid's kernel (3.32) keeps these in
 * one list for all ranks, only so that they are not freed, and when one is done looks for it from
 * one end to the other: with 1,024 ranks and more that is most of a simulation's time. In its place
 * CommImpl::detach() here holds the reference itself, and CommImpl::finish() gives it back, both
 * under SimGrid's own names. Nothing that is simulated changes.
 * Where the flag `detached` lies is read from the machine code of SimGrid's detach(), which begins
 * by setting it; if that does not look as expected, or SimGrid is not of the version that was read
 * for this, SimGrid's own functions are called, and all is as it was. SimGrid's kernel is one
 * thread.
 */
#include "runtime/preload/interpose.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL "_ZN7simgrid6kernel8activity"
#define DETACH KERNEL "8CommImpl6detachEv"
#define FINISH KERNEL "8CommImpl6finishEv"
#define CODE_BYTES 64 /* of detach() that are looked at */

static void *(*original_detach)(void *message);
static void (*original_finish)(void *message);
static void (*add_reference)(void *message);
static void (*release)(void *message);
static size_t flag_offset; /* 0: not known */

/* Where messages that were held are counted; NULL: nowhere. */
uint64_t *bsim__detached_count __attribute__((visibility("hidden")));

void *bsim__detach(void *message) __asm__(DETACH);
void bsim__finish(void *message) __asm__(FINISH);

/* Messages that are held: open addressing, removed by moving up what follows. */
static struct {
    void **slots;
    size_t capacity, count; /* a power of two */
} held;

static size_t slot_of(const void *message) {
    return (size_t)((uintptr_t)message * 0x9e3779b97f4a7c15ull >> 20) & (held.capacity - 1);
}

static size_t find(const void *message) {
    size_t slot = slot_of(message);
    while (held.slots[slot] != NULL && held.slots[slot] != message)
        slot = (slot + 1) & (held.capacity - 1);
    return slot;
}

static int enlarge(void) {
    void **old = held.slots;
    size_t old_capacity = held.capacity;
    void **larger = calloc(old_capacity > 0 ? 2 * old_capacity : 1024, sizeof *larger);
    if (larger == NULL)
        return -1;
    held.capacity = old_capacity > 0 ? 2 * old_capacity : 1024;
    held.slots = larger;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i] != NULL)
            held.slots[find(old[i])] = old[i];
    free(old);
    return 0;
}

static void forget(size_t hole) {
    size_t mask = held.capacity - 1;
    held.slots[hole] = NULL;
    held.count--;
    for (size_t at = (hole + 1) & mask; held.slots[at] != NULL; at = (at + 1) & mask) {
        void *message = held.slots[at];
        held.slots[at] = NULL;
        held.slots[find(message)] = message;
    }
}

/* `movb $1, OFFSET(%rdi)`: c6 87, four bytes, 01. */
static size_t flag_of(const void *code) {
    unsigned char bytes[CODE_BYTES];
    memcpy(bytes, code, sizeof bytes);
    for (size_t i = 0; i + 7 <= sizeof bytes; i++) {
        uint32_t offset;
        memcpy(&offset, bytes + i + 2, sizeof offset);
        if (bytes[i] == 0xc6 && bytes[i + 1] == 0x87 && bytes[i + 6] == 1 && offset < 4096)
            return offset;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    void *code = dlsym(RTLD_NEXT, DETACH);
    interpose_look_up(&original_detach, DETACH);
    interpose_look_up(&original_finish, FINISH);
    interpose_look_up(&add_reference, KERNEL "21intrusive_ptr_add_refEPNS1_12ActivityImplE");
    interpose_look_up(&release, KERNEL "21intrusive_ptr_releaseEPNS1_12ActivityImplE");
#ifdef __x86_64__
    if (interpose_is_known_version() && code != NULL && original_finish != NULL &&
        add_reference != NULL && release != NULL)
        flag_offset = flag_of(code);
#else
    (void)code;
#endif
}

void *bsim__detach(void *message) {
    if (flag_offset == 0 || (held.count * 4 >= held.capacity * 3 && enlarge() != 0))
        return original_detach(message);
    ((unsigned char *)message)[flag_offset] = 1;
    size_t slot = find(message);
    if (held.slots[slot] == NULL) {
        held.slots[slot] = message;
        held.count++;
        add_reference(message);
        if (bsim__detached_count != NULL)
            ++*bsim__detached_count;
    }
    return message;
}

void bsim__finish(void *message) {
    size_t slot = held.capacity > 0 ? find(message) : 0;
    int is_held = held.capacity > 0 && held.slots[slot] == message;
    if (is_held)
        forget(slot);
    original_finish(message);
    if (is_held)
        release(message);
}
