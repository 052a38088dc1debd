/* SPDX-License-Identifier: Apache-2.0
 *
 * What writes each object: the other end of a demand for its contents. Computed once, after
 * points-to analysis.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

enum event_kind {
    EVENT_NODE,      /* an assignment in `node` */
    EVENT_MOVE,      /* a record copied in `node` from `from` */
    EVENT_PARAMETER, /* the object is parameter `detail` of `function` */
    EVENT_CALL,      /* code without source writes it */
    EVENT_DEVICE,    /* likewise, with what comes from a device */
    EVENT_COPY,      /* code without source copies it from `from` */
    EVENT_PAYLOAD,   /* a message is received into it */
    EVENT_SENT,   /* a vector is sent from it: no write, but where it may be given (versions.c) */
    EVENT_RESULT, /* the object is what `call` returns */
};

struct event {
    enum event_kind kind;
    struct node *node;
    struct call *call;
    struct function *function;
    int detail;
    struct lvalue from;
    struct event_sources *sources; /* of what is copied; NULL: not asked for yet */
};

/* Locations that `from` may be. What has been demanded of all of them is not demanded again, by
 * class: slice.generation + 1 at that time, 0: it was not. */
struct event_sources {
    int_list whole, others; /* members of which are not told apart, and are */
    unsigned whole_done[CLASS_COUNT], others_done[CLASS_COUNT];
};

/* An event at one of the locations that it may write, of which one that writes through a pointer
 * may have thousands, and a program millions. */
struct event_at {
    struct event *event;
    int location;
    enum value_class class : 4;
    unsigned
        raised : 28; /* when what it demands was demanded: slice.generation + 1, 0: it was not */
};

#define EVENT_RAISED_MOST ((1u << 28) - 2)

/* What is known of an event without the rest, for questions that are asked of all of them: there
 * may be millions. */
struct event_writer {
    int function, node; /* by their ids; -1: of no function */
    int location;
    enum value_class class;
};

struct event_list {
    VEC(struct event_at) items;
    struct event_writer *writers; /* NULL: not asked for yet */
    size_t writer_count;
};

void events_compute(struct slice *slice);
void events_dispose(struct slice *slice);

/* What writes the object; NULL: nothing does. */
static inline struct event_list *events_of_object(const struct slice *slice, int object) {
    return (size_t)object < slice->events.count ? slice->events.items[object] : NULL;
}

/* Sets writers: the events that happen in statements, those of one function together. */
void events_find_writers(struct event_list *list);

/* How far an argument's pointee is read or written: the object itself for `&object`, else unknown.
 */
struct lvalue events_pointee(const struct argument *argument, enum value_class class);

/* The same for an argument of a function of the library, some of which are told how far to go. */
struct lvalue events_library_pointee(const struct slice *slice, const struct call *call, int index);

/* The class of a message's elements, from its datatype argument. */
enum value_class events_payload_class(const struct call *call, int payload);

/* A payload that MPI moves: its contents are no criterion. Packing moves them as well. */
bool events_is_message(const struct call *call, enum mpi_role role);

/* Adds what the stream of a library's call may be: where it moves data, not what was opened for the
 * other direction only. */
void events_add_streams(lvalue_list *out, const struct slice *slice, const struct call *call);

/* The call changes a file that could be read again. */
bool events_write_file(const struct slice *slice, const struct call *call);
/* MPI_File_write and its kin. */
bool events_writes_mpi_file(const struct call *call);
/* The mode that the call opens a stream with: 'r', 'w' or 'a'; 0: both ways, or not known. NULL is
 * no call. */
char events_mode(const struct slice *slice, const struct call *call);

/* The name of a predefined handle (datatype, operation, communicator), such as "MPI_DOUBLE", that
 * is passed as argument `index`, or that the expression is; NULL: not a predefined one. */
const char *events_handle(const struct call *call, int index);
const char *events_handle_of(const struct ast *ast);

/* The next object from `index` on that is memory of a window that the call makes; -1: there is
 * none. Other ranks read it and write it, as that which MPI_Win_create is given. */
int events_next_of_window(const struct slice *slice, const struct call *call, int index);
