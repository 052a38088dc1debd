/* SPDX-License-Identifier: Apache-2.0
 *
 * A switch in user space, between hosts that are network namespaces.
 *
 *     relay HOSTS BITS_PER_S DELAY_S LIMIT_BYTES
 *
 * Creates the TAP devices link1 to linkN and passes Ethernet frames between them. Each host has a
 * full duplex link of BITS_PER_S with DELAY_S in each direction. The switch stores and forwards: a
 * frame is serialised on the link to the switch, arrives DELAY_S later, is serialised on the link
 * to its host when that is free, and arrives DELAY_S later there. At most LIMIT_BYTES wait for a
 * host's link; a frame beyond that is lost. Hosts have the MAC addresses 02:77:00:00:00:HOST.
 *
 * Prints "ready" when the devices exist. On SIGUSR1 it prints one line with what was passed and
 * lost, and by how much frames left late because this process was not scheduled.
 *
 * Not handled: frames of more than FRAME_BYTES (jumbo frames up to 9000 bytes fit), VLANs, learning
 * of addresses.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define FRAME_BYTES 9216
#define HOSTS_MOST 60
#define NS_PER_S 1000000000LL

struct frame {
    struct frame *next_free;
    int64_t due_ns;
    uint64_t order; /* of frames that are due at the same time */
    int link;       /* that it has come from, or goes to */
    int leaves;     /* on the way to its host, not to the switch */
    int size;
    unsigned char data[FRAME_BYTES];
};

static struct frame **heap, *free_frames;
static int heap_count, heap_room;
static uint64_t order;

static int hosts;
static double ns_per_byte, limit_bytes;
static int64_t delay_ns;
static struct pollfd links[HOSTS_MOST];
static double up_free_ns[HOSTS_MOST], down_free_ns[HOSTS_MOST];

static struct {
    uint64_t frames, bytes, lost, events;
    double late_ns, latest_ns;
} counts;

static volatile sig_atomic_t is_asked;

static void ask(int signal) {
    (void)signal;
    is_asked = 1;
}

static void fail(const char *what) {
    fprintf(stderr, "relay: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* ---- Frames under way, the one that is due first at the top of a binary heap ---- */

static int is_before(const struct frame *a, const struct frame *b) {
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

static void push(struct frame *frame) {
    if (heap_count == heap_room) {
        heap_room = heap_room > 0 ? 2 * heap_room : 1024;
        heap = realloc(heap, (size_t)heap_room * sizeof(struct frame *));
        if (heap == NULL)
            fail("memory");
    }
    frame->order = order++;
    int i = heap_count++;
    for (; i > 0 && is_before(frame, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = frame;
}

static struct frame *pop(void) {
    struct frame *first = heap[0], *last = heap[--heap_count];
    int i = 0;
    for (int child = 1; child < heap_count; child = 2 * i + 1) {
        child += child + 1 < heap_count && is_before(heap[child + 1], heap[child]);
        if (!is_before(heap[child], last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

static struct frame *take_frame(void) {
    struct frame *frame = free_frames;
    if (frame != NULL)
        free_frames = frame->next_free;
    else if ((frame = malloc(sizeof *frame)) == NULL)
        fail("memory");
    return frame;
}

static void give_frame_back(struct frame *frame) {
    frame->next_free = free_frames;
    free_frames = frame;
}

/* ---- The two ends of a link ---- */

/* The time at which a link that is free at *free_ns has sent `size` bytes that are there at
 * `at_ns`. */
static int64_t serialise(double *free_ns, int64_t at_ns, int size) {
    double start_ns = *free_ns > (double)at_ns ? *free_ns : (double)at_ns;
    *free_ns = start_ns + size * ns_per_byte;
    return (int64_t)*free_ns;
}

static void read_link(int link) {
    for (;;) {
        struct frame *frame = take_frame();
        ssize_t got = read(links[link].fd, frame->data, FRAME_BYTES);
        if (got <= 0) {
            give_frame_back(frame);
            return;
        }
        counts.frames++;
        counts.bytes += (uint64_t)got;
        frame->size = (int)got;
        frame->link = link;
        frame->leaves = 0;
        frame->due_ns = serialise(&up_free_ns[link], now_ns(), frame->size) + delay_ns;
        push(frame);
    }
}

static void queue_for(int link, const struct frame *frame) {
    double waiting_bytes = (down_free_ns[link] - (double)frame->due_ns) / ns_per_byte;
    if (waiting_bytes + frame->size > limit_bytes) {
        counts.lost++;
        return;
    }
    struct frame *copy = take_frame();
    memcpy(copy->data, frame->data, (size_t)frame->size);
    copy->size = frame->size;
    copy->link = link;
    copy->leaves = 1;
    copy->due_ns = serialise(&down_free_ns[link], frame->due_ns, frame->size) + delay_ns;
    push(copy);
}

/* A frame is at the switch: on to its host, or to all others if its address is that of a group. */
static void forward(const struct frame *frame) {
    int is_group = frame->data[0] & 1, host = frame->data[5] - 1;
    for (int link = 0; link < hosts; link++)
        if (link != frame->link && (is_group || link == host))
            queue_for(link, frame);
}

/* What a full queue of the host's device refuses is lost, as in a network card. */
static void deliver(const struct frame *frame) {
    if (write(links[frame->link].fd, frame->data, (size_t)frame->size) < 0)
        counts.lost++;
}

static void handle_due(int64_t now) {
    while (heap_count > 0 && heap[0]->due_ns <= now) {
        struct frame *frame = pop();
        double late_ns = (double)(now - frame->due_ns);
        counts.events++;
        counts.late_ns += late_ns;
        counts.latest_ns = late_ns > counts.latest_ns ? late_ns : counts.latest_ns;
        if (frame->leaves)
            deliver(frame);
        else
            forward(frame);
        give_frame_back(frame);
    }
}

static void wait_for_frames(void) {
    struct timespec wait = {3600, 0};
    if (heap_count > 0) {
        int64_t left = heap[0]->due_ns - now_ns();
        left = left > 0 ? left : 0;
        wait = (struct timespec){left / NS_PER_S, left % NS_PER_S};
    }
    if (ppoll(links, (nfds_t)hosts, &wait, NULL) <= 0)
        return;
    for (int link = 0; link < hosts; link++)
        if (links[link].revents & POLLIN)
            read_link(link);
}

/* ---- Beginning and end ---- */

static void open_link(int link) {
    struct ifreq request = {0};
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    snprintf(request.ifr_name, sizeof request.ifr_name, "link%d", link + 1);
    links[link].events = POLLIN;
    links[link].fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (links[link].fd < 0 || ioctl(links[link].fd, TUNSETIFF, &request) < 0)
        fail("/dev/net/tun");
}

static void print_counts(void) {
    is_asked = 0;
    double events = counts.events > 0 ? (double)counts.events : 1;
    printf("frames %llu bytes %llu lost %llu late_us %.1f latest_us %.1f\n",
           (unsigned long long)counts.frames, (unsigned long long)counts.bytes,
           (unsigned long long)counts.lost, counts.late_ns / events / 1e3, counts.latest_ns / 1e3);
    fflush(stdout);
}

int main(int argc, char **argv) {
    hosts = argc == 5 ? atoi(argv[1]) : 0;
    double rate = argc == 5 ? atof(argv[2]) : 0;
    if (hosts < 1 || hosts > HOSTS_MOST || rate <= 0) {
        fprintf(stderr, "usage: relay HOSTS BITS_PER_S DELAY_S LIMIT_BYTES\n");
        return 64;
    }
    ns_per_byte = 8e9 / rate;
    delay_ns = (int64_t)(atof(argv[3]) * 1e9);
    limit_bytes = atof(argv[4]);
    for (int link = 0; link < hosts; link++)
        open_link(link);
    prctl(PR_SET_TIMERSLACK, 1);
    signal(SIGUSR1, ask);
    puts("ready");
    fflush(stdout);
    for (;;) {
        handle_due(now_ns());
        wait_for_frames();
        if (is_asked)
            print_counts();
    }
}
