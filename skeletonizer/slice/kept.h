/* SPDX-License-Identifier: Apache-2.0
 *
 * What of the program's text stays, by its slice.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* Anything in the statement stays. */
bool kept_tree(const struct slice *slice, const struct tree *tree);
/* It stays where it is: it is kept, or something empty that a macro makes, such as an assertion
 * that is switched off, whose place in the text is that of the whole macro call. */
bool kept_in_place(const struct slice *slice, const struct tree *tree);
/* The label is jumped to in the skeleton. */
bool kept_label(const struct slice *slice, const struct tree *label);

/* The definition stays: it is called, its address is used, or it is main. */
bool kept_function(const struct slice *slice, const struct function *function);
/* The same of the function as written or any of its instances. */
bool kept_definition(const struct slice *slice, const struct function *function);

/* The node stays, whole or in part; a call of it does. */
bool kept_part_of_node(const struct slice *slice, const struct node *node);
bool kept_any_call(const struct slice *slice, const struct node *node);

/* The demand that was raised first of something in the node; -1: none. */
int kept_node_demand(const struct slice *slice, const struct node *node);
/* Of two demands; -1 is none. */
int kept_earlier(int one, int other);
