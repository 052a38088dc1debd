/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables. All kinds begin with rank, site, function and place.
 */
#include "analysis/matched/trace_fields.h"

#define WHERE                                                                                      \
    {"rank", EVENT_INT, NULL}, {"site", EVENT_INT, NULL}, {"function", EVENT_STRING, NULL}, {      \
        "place", EVENT_STRING, NULL                                                                \
    }
#define TIMES {"t0", EVENT_INT, "ns"}, {"t1", EVENT_INT, "ns"}
#define MESSAGE                                                                                    \
    {"peer", EVENT_INT, NULL}, {"tag", EVENT_INT, NULL}, {"bytes", EVENT_INT, "B"}, {              \
        "comm", EVENT_INT, NULL                                                                    \
    }

static const struct event_field call_fields[] = {
    WHERE, TIMES, MESSAGE, {"root", EVENT_INT, NULL}, {"waited", EVENT_INT, "ns"}};
static const struct event_field send_fields[] = {WHERE, TIMES, MESSAGE, {"msg", EVENT_INT, NULL}};
static const struct event_field recv_fields[] = {WHERE,
                                                 TIMES,
                                                 MESSAGE,
                                                 {"msg", EVENT_INT, NULL},
                                                 {"send_t0", EVENT_INT, "ns"},
                                                 {"waited", EVENT_INT, "ns"}};
static const struct event_field enter_fields[] = {WHERE,
                                                  {"t0", EVENT_INT, "ns"},
                                                  {"comm", EVENT_INT, NULL},
                                                  {"root", EVENT_INT, NULL},
                                                  {"bytes", EVENT_INT, "B"},
                                                  {"coll", EVENT_INT, NULL},
                                                  {"members", EVENT_INT, NULL},
                                                  {"entered", EVENT_INT, NULL}};
static const struct event_field coll_fields[] = {WHERE,
                                                 TIMES,
                                                 {"comm", EVENT_INT, NULL},
                                                 {"root", EVENT_INT, NULL},
                                                 {"bytes", EVENT_INT, "B"},
                                                 {"coll", EVENT_INT, NULL},
                                                 {"members", EVENT_INT, NULL},
                                                 {"left", EVENT_INT, NULL},
                                                 {"last_t0", EVENT_INT, "ns"},
                                                 {"root_t0", EVENT_INT, "ns"},
                                                 {"waited", EVENT_INT, "ns"}};
static const struct event_field region_fields[] = {WHERE, TIMES, {"id", EVENT_INT, NULL}};
static const struct event_field iter_fields[] = {
    WHERE, {"t0", EVENT_INT, "ns"}, {"i", EVENT_INT, NULL}};
static const struct event_field op_fields[] = {WHERE,
                                               TIMES,
                                               {"bytes", EVENT_INT, "B"},
                                               {"queue", EVENT_INT, NULL},
                                               {"lane", EVENT_INT, NULL},
                                               {"device", EVENT_INT, NULL}};

#define KIND(name, fields) {name, fields, sizeof(fields) / sizeof *(fields)}

const struct source_kind trace_source_kinds[TRACE_SOURCE_KINDS] = {
    KIND("CALL", call_fields),   KIND("SEND", send_fields), KIND("RECV", recv_fields),
    KIND("ENTER", enter_fields), KIND("COLL", coll_fields), KIND("REGION", region_fields),
    KIND("ITER", iter_fields),   KIND("OP", op_fields),
};
