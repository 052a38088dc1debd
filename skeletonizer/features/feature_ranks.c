/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of ranks: they are no sizes, but what only one rank does is told by a condition that
 * names one.
 */
#include "skeletonizer/features/feature_walk.h"

bool features_is_rank(const struct function *function,
                      bool (*is_same)(const struct ast *ast, const void *subject),
                      const void *subject) {
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++) {
            const struct call *call = function->nodes.items[i]->calls.items[k];
            bool asks = mpi_call_is(call->mpi, MPI_TELLS_RANK);
            for (size_t a = 0; call->mpi != NULL && a < call->arguments.count &&
                               a < (size_t)call->mpi->parameter_count;
                 a++) {
                enum mpi_role role = call->mpi->parameters[a].role;
                if ((asks || role == MPI_ROLE_PEER || role == MPI_ROLE_ROOT) &&
                    is_same(call->arguments.items[a].ast, subject))
                    return true;
            }
        }
    return false;
}

static bool names_rank(const struct function *function, const struct ast *expression) {
    if (expression == NULL)
        return false;
    const object_list *const lists[] = {&function->parameters, &function->locals};
    for (size_t l = 0; l < 2 && expression->kind == AST_REFERENCE; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            if (lists[l]->items[i]->declaration == expression->declaration &&
                features_is_rank(function, features_is_reference, lists[l]->items[i]))
                return true;
    bool found = false;
    for (int i = 0; i < expression->kid_count && !found; i++)
        found = names_rank(function, expression->kids[i]);
    return found;
}

/* A loop, or a call of a function of the program. */
static bool has_work(const struct tree *tree) {
    bool found = tree_is_loop(tree);
    for (size_t i = 0; i < tree->nodes.count && !found; i++)
        for (size_t k = 0; k < tree->nodes.items[i]->calls.count && !found; k++)
            found = tree->nodes.items[i]->calls.items[k]->targets.count > 0;
    for (size_t i = 0; i < tree->kids.count && !found; i++)
        found = has_work(tree->kids.items[i]);
    return found;
}

bool features_tell_ranks_apart(const struct walk *w, const struct frame *frame,
                               const struct tree *tree, const struct ast *condition) {
    return w->region->value == NULL && names_rank(frame->function, condition) && has_work(tree);
}

bool features_follow_from_loops(const struct walk *w, size_t first, int unknown_loops) {
    bool found = false;
    for (size_t i = first; i < w->candidates.count; i++)
        found = found ||
                (w->candidates.items[i].expression != NULL && w->candidates.items[i].rank >= 0);
    return found && w->unknown_loops == unknown_loops;
}
