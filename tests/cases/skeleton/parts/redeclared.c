/* SPDX-License-Identifier: Apache-2.0 */
struct config {
    int length;
    double weight;
    int rounds;
};

void configure(struct config *c) {
    c->length = 11;
    c->weight = 0.5;
    c->rounds = 3;
}
