/* SPDX-License-Identifier: Apache-2.0
 *
 * What base/hash_table promises, and that a table is as large as what is in it.
 */
#include "base/hash_table.h"
#include "base/memory.h"
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

#define KEY_BYTES 16 /* two words, of which the second has the byte that differs at its end */
#define FRONTS 50000
#define GROUPS 10
#define LETTERS 26
#define KEYS (FRONTS + GROUPS * LETTERS)
#define MOST_BYTES 100e6 /* the keys take 10 MB; a table that is doubled for each group 400 */

/* Many keys, and then groups that differ from one of them in their last byte. */
static void write_key(char *out, int index) {
    int other = index - FRONTS, front = other < 0 ? index : other / LETTERS;
    memset(out, '0', KEY_BYTES);
    memcpy(out, &front, sizeof front);
    out[KEY_BYTES - 1] = (char)(other < 0 ? '-' : 'a' + other % LETTERS);
}

TEST(keys_that_differ_at_the_end_of_a_word_take_no_more_memory) {
    struct hash_table table = {0};
    char key[KEY_BYTES];
    double before = memory_resident_bytes(getpid());
    (void)state;
    for (int i = 0; i < KEYS; i++) {
        write_key(key, i);
        *(int *)hash_table_add(&table, key, KEY_BYTES, sizeof(int)) = i;
    }
    assert_true(memory_resident_bytes(getpid()) - before < MOST_BYTES);
    for (int i = 0; i < KEYS; i++) {
        write_key(key, i);
        assert_int_equal(*(int *)hash_table_find(&table, key, KEY_BYTES), i);
    }
    hash_table_dispose(&table);
}

TEST(values_are_in_the_order_in_which_keys_came) {
    struct hash_table table = {0};
    static const char *const keys[] = {"gamma", "alpha", "beta"};
    int count = 0;
    (void)state;
    for (int i = 0; i < 3; i++)
        hash_table_add_text(&table, keys[i], sizeof(int));
    assert_null(hash_table_find_text(&table, "delta"));
    hash_table_remove(&table, hash_table_find_text(&table, "alpha"));
    for (void *value = hash_table_first(&table); value != NULL; value = hash_table_next(value))
        assert_string_equal(hash_table_key(value), keys[2 * count++]);
    assert_int_equal(count, 2);
    hash_table_dispose(&table);
}
