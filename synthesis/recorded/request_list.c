/* SPDX-License-Identifier: Apache-2.0 */
#include "synthesis/recorded/request_list.h"

#include <string.h>

struct request_made *request_list_make(struct request_list *list, uint64_t number) {
    struct request_made *made = hash_table_find(&list->made, &number, sizeof number);
    if (made == NULL)
        made = hash_table_add(&list->made, &number, sizeof number, sizeof *made);
    *made = (struct request_made){.call = SIZE_MAX};
    return made;
}

struct request_made *request_list_find(struct request_list *list, uint64_t number) {
    return hash_table_find(&list->made, &number, sizeof number);
}

void request_list_begin(struct request_list *list, uint64_t number) {
    if (number != 0)
        vec_push(&list->outstanding, number);
}

int request_list_position(const struct request_list *list, uint64_t number) {
    for (size_t i = 0; i < list->outstanding.count; i++)
        if (list->outstanding.items[i] == number)
            return (int)i;
    return -1;
}

struct request_made *request_list_end(struct request_list *list, uint64_t number) {
    int position = request_list_position(list, number);
    if (position < 0)
        return NULL;
    size_t behind = list->outstanding.count - (size_t)position - 1;
    uint64_t *at = list->outstanding.items + position;
    memmove(at, at + 1, behind * sizeof *at);
    list->outstanding.count--;
    return request_list_find(list, number);
}

void request_list_dispose(struct request_list *list) {
    hash_table_dispose(&list->made);
    vec_dispose(&list->outstanding);
}
