/* SPDX-License-Identifier: Apache-2.0
 *
 * What ranks differ by that stays for a whole run, without any luck: rank r of n has one of the n
 * expected order statistics of a normal distribution (normal scores, G. Blom, Statistical Estimates
 * and Transformed Beta-Variables, 1958: the quantiles (i - 3/8) / (n + 1/4)), so that the slowest
 * rank is as slow as the slowest of n is on average, in each run. Which rank has which is a fixed
 * permutation that looks random, since neighbours are no more alike than others. Linked into other
 * people's programs like eval.h.
 */
#ifndef MODEL_EVAL_NORMAL_SCORES_H
#define MODEL_EVAL_NORMAL_SCORES_H

/* What a normal number exceeds with this probability, from 1e-300 to 0.5. */
double bsim_normal_quantile(double above);

/* The score of a rank, 0 <= rank < ranks; about 0.2 us. */
double bsim_rank_score(int rank, int ranks);

/* The expected largest of `count` numbers; 0 for one. */
double bsim_largest_score(double count);

/* The mean of the squares of all scores, nearly 1 for many ranks and 0 for one; at most 10 ms. With
 * it exp(d z - d^2 / 2 * square) is 1 on average over the scores z. */
double bsim_score_square(int ranks);

#endif
