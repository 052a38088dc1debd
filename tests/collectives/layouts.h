/* SPDX-License-Identifier: Apache-2.0
 *
 * Datatypes with one type signature and different places: an item has ITEM_ELEMENTS unsigned ints,
 * wherever these lie. A block of n items is `n * per_item` elements of the datatype.
 */
#pragma once

#include <mpi.h>

#define ITEM_ELEMENTS 4
#define MARGIN_BYTES                                                                               \
    64 /* before and after what is used; some datatypes begin before their address */

struct layout {
    const char *name;
    MPI_Datatype type;
    int per_item;
    MPI_Aint item_bytes;             /* from one item to the next */
    MPI_Aint offsets[ITEM_ELEMENTS]; /* of the elements of an item, in the order of the data */
};

/* `most_items`: of a buffer, among which those of a column lie. Returns the number of layouts. */
int layouts_make(struct layout **out, int most_items);
void layouts_free(struct layout *layouts, int count);

/* Of a buffer of so many items, with margins; and of an element in it. */
size_t layout_bytes(const struct layout *layout, int items);
unsigned *layout_element(const struct layout *layout, char *base, int item, int element);
