/* SPDX-License-Identifier: Apache-2.0
 *
 * Sod's shock tube (1978): gas of density and pressure 1 on the left of a membrane, of density
 * 0.125 and pressure 0.1 on the right. In: place and time; out: the exact gas there. When the
 * membrane is gone a rarefaction runs to the left, a shock to the right, and the border of the two
 * gases between them. The pressure between the waves is where the velocities behind both agree; it
 * is found by bisection.
 */
#include "hydro.h"

#include <math.h>

#define MEMBRANE 0.5

static const struct gas left = {1.0, {0.0, 0.0}, 1.0};
static const struct gas right = {0.125, {0.0, 0.0}, 0.1};

static double sound(const struct gas *gas) {
    return sqrt(GAMMA * gas->pressure / gas->density);
}

/* The velocity behind the rarefaction if the pressure is p there. */
static double rarefied_velocity(double p) {
    double power = (GAMMA - 1.0) / (2.0 * GAMMA);
    return 2.0 * sound(&left) / (GAMMA - 1.0) * (1.0 - pow(p / left.pressure, power));
}

/* The velocity behind the shock if the pressure is p there. */
static double shocked_velocity(double p) {
    double a = 2.0 / ((GAMMA + 1.0) * right.density);
    double b = (GAMMA - 1.0) / (GAMMA + 1.0) * right.pressure;
    return (p - right.pressure) * sqrt(a / (p + b));
}

static double middle_pressure(void) {
    double low = right.pressure, high = left.pressure;
    for (int i = 0; i < 60; i++) {
        double p = 0.5 * (low + high);
        if (rarefied_velocity(p) > shocked_velocity(p))
            low = p;
        else
            high = p;
    }
    return low;
}

static struct gas inside_rarefaction(double speed) {
    double factor = 2.0 / (GAMMA + 1.0);
    double c = sound(&left);
    double local_sound = factor * (c - 0.5 * (GAMMA - 1.0) * speed);
    double ratio = local_sound / c;
    return (struct gas){left.density * pow(ratio, 2.0 / (GAMMA - 1.0)),
                        {factor * (c + speed), 0.0},
                        left.pressure * pow(ratio, 2.0 * GAMMA / (GAMMA - 1.0))};
}

struct gas sod_exact(double x, double t) {
    if (t <= 0.0)
        return x < MEMBRANE ? left : right;
    double speed = (x - MEMBRANE) / t;
    double p = middle_pressure();
    double velocity = shocked_velocity(p);
    double tail = velocity - sound(&left) * pow(p / left.pressure, (GAMMA - 1.0) / (2.0 * GAMMA));
    double ratio = p / right.pressure, weak = (GAMMA - 1.0) / (GAMMA + 1.0);
    double shocked_density = right.density * (ratio + weak) / (weak * ratio + 1.0);
    double shock = velocity * shocked_density / (shocked_density - right.density);
    if (speed < -sound(&left))
        return left;
    if (speed < tail)
        return inside_rarefaction(speed);
    if (speed < velocity)
        return (struct gas){left.density * pow(p / left.pressure, 1.0 / GAMMA), {velocity, 0.0}, p};
    if (speed < shock)
        return (struct gas){shocked_density, {velocity, 0.0}, p};
    return right;
}
