#include "runner.h"

#include "slices.h"

// Runs nodes of the table at the tagged offset `table` (of the arena, or, for a prepared model, of the model)
// from *place on: up to node `last`, to one that has no kernel, or until so many slices are done of
// nodes that take more products than `budget`. Moves on *place; returns whether it is a pause: it
// is to be called again.
bool tflm_run(const tflm_spaces_t *spaces, int32_t table, tflm_place_t *place, int32_t last,
    int32_t slices, int32_t budget) {
    const tflm_node_t *nodes = tflm_at(spaces, table);
    while (slices > 0 && place->node < last) {
        const int32_t done = tflm_run_slice(spaces, nodes + place->node, place->done, budget);
        if (done < 0) {
            return false;
        }
        place->done = done;
        place->node += done == 0;
        slices -= done != 0;
    }
    return place->node < last;
}
