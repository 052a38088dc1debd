/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays that grow.
 */
#include "base/vec.h"
#include "tests/unit/unit.h"

TEST(an_element_is_there_once_and_in_its_order) {
    (void)state;
    VEC(int) numbers = {0};
    assert_false(vec_has(&numbers, 0));
    assert_true(vec_push_new(&numbers, 7));
    assert_true(vec_push_new(&numbers, 3));
    assert_false(vec_push_new(&numbers, 7));
    assert_false(vec_push_new(&numbers, 3));
    assert_int_equal(numbers.count, 2);
    assert_int_equal(numbers.items[0], 7);
    assert_int_equal(numbers.items[1], 3);
    assert_false(vec_has(&numbers, 5));
    vec_dispose(&numbers);
}
