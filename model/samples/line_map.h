/* SPDX-License-Identifier: Apache-2.0
 *
 * From a line of the skeleton's sources to the line of the application's it came from.
 *
 * In: regions.json, whose member "lines" (it may be missing) gives for each source file a sorted
 * list of [skeleton line, original line]: from that line of the skeleton on, both count alike, or
 * nothing is there (0).
 * Where the original records values, its sources are rewritten, too: "original_lines" maps those.
 * Those of the profiling build, which is what runs really, are mapped by "profile_lines".
 * Out: the original's line for `src/heat3d.c:91`. Places that the map does not know stay unmapped.
 */
#pragma once

#include "base/error.h"

#include <stddef.h>

struct line_map;

int line_map_read(struct line_map **out, const char *regions_file, struct error *error);
void line_map_free(struct line_map *map);

/* `file` as the skeleton's calls name it: its path in the application's tree, perhaps behind a
 * directory that ends in src/. Returns the line, or 0 if it is not known; *out_file is the path in
 * the application's tree, borrowed from the map. */
long line_map_find(const char **out_file, const struct line_map *map, const char *file, long line);

/* The same for a line that the original names; 0 as well if its sources are not rewritten. */
long line_map_find_original(const char **out_file, const struct line_map *map, const char *file,
                            long line);

/* The same for a line that the profiling build names. */
long line_map_find_profile(const char **out_file, const struct line_map *map, const char *file,
                           long line);

/* The other way: lines of the skeleton that come from that line of a file in the application's
 * tree. Puts at most `most` into out; returns how many. */
size_t line_map_skeleton_lines(long *out, size_t most, const struct line_map *map, const char *file,
                               long line);
