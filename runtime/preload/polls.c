/* SPDX-License-Identifier: Apache-2.0
 *
 * What MPI_Testany takes that finds nothing. SimGrid 3.32 lets each one of any rank take longer
 * than the one before, until one finds something, also where smpi/grow-injected-times is off, which
 * MPI_Test and MPI_Iprobe heed. It sleeps by sleep_for(double), which this file has under the same
 * name: called by Request::testany it takes what smpi/test says.
 */
#include "runtime/preload/interpose.h"

#include <stdint.h>

#define SLEEP "_ZN7simgrid3s4u10this_actor9sleep_forEd"
#define TEST_ANY "_ZN7simgrid4smpi7Request7testanyEiPPS1_PiS4_P10MPI_Status"

static void (*original)(double seconds);
static double (*ask_number)(const char *setting);
static int (*ask_boolean)(const char *setting);
static uintptr_t test_any, test_any_bytes; /* machine code */

void bsim__sleep_for(double seconds) __asm__(SLEEP);

__attribute__((constructor)) static void begin(void) {
    interpose_look_up(&original, SLEEP);
    interpose_look_up(&ask_number, "sg_cfg_get_double");
    interpose_look_up(&ask_boolean, "sg_cfg_get_boolean");
    if (interpose_is_known_version() && ask_number != NULL && ask_boolean != NULL)
        test_any_bytes = interpose_find_code(&test_any, TEST_ANY);
}

void bsim__sleep_for(double seconds) {
    if ((uintptr_t)__builtin_return_address(0) - test_any < test_any_bytes &&
        !ask_boolean("smpi/grow-injected-times"))
        seconds = ask_number("smpi/test");
    original(seconds);
}
