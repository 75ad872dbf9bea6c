#include "conv_slabs.h"

#if TFLM_M0_HAS_SLABS

enum { CHANNELS = 4 };  // of a channel block, at least, if each repeats the im2col

// Returns the channels of a channel block; only the last block may have fewer.
static int32_t slab_of(const tflm_m0_walk_t *walk, int32_t bytes, bool is_prepared) {
    const int32_t most = bytes / tflm_m0_slabs_size(walk, 1, is_prepared);
    const int32_t slabs = most > 0 ? (walk->output_depth + most - 1) / most : walk->output_depth;
    return (walk->output_depth + slabs - 1) / slabs;
}

// Returns how many positions from places[0] on can take one channel block after the other, `left` at
// most. It is the number computed at once. Or it is the rest of the row, because outputs of a row
// overlap nothing that its windows or later ones read. Or it is the number of positions whose outputs
// lie before everything that they read, or behind the input.
static int32_t block_at(const tflm_m0_walk_t *walk, const int8_t *input_end, int32_t left) {
    const tflm_m0_geometry_t *geometry = &walk->geometry;
    const tflm_m0_place_t *place = &walk->places[0];
    const int32_t top = place->y * geometry->stride_height - geometry->pad_top;
    const int32_t row = top < 0 ? 0 : tflm_m0_smaller(top, geometry->input_height);
    const uintptr_t needed =
        (uintptr_t)(place->image + row * geometry->input_width * geometry->input_depth);
    const uintptr_t output = (uintptr_t)walk->output;
    const uintptr_t room = output < needed ? (needed - output) / (uint32_t)walk->output_depth : 0;
    if (output >= (uintptr_t)input_end || room >= (uint32_t)left) {
        return left;
    }
    const int32_t in_row = geometry->output_width - place->x;
    const int32_t count = in_row < (int32_t)room ? (int32_t)room : in_row;
    const int32_t at_once = tflm_m0_at_once(walk->has_quads, left);
    // The last ones of a row that are too few go with the first ones of the next.
    return count >= left ? left : count < at_once ? at_once : count & -at_once;
}

// Copies the windows of a block of positions (im2col) and computes some of their channels.
static void walk_slab(tflm_m0_walk_t *walk, int32_t first, int32_t channels, int32_t block) {
    for (int32_t count; block > 0; block -= count) {
        count = tflm_m0_walk_follow(walk, block);
        tflm_m0_walk_gather(walk, 0);
        tflm_m0_walk_run(walk, first, channels);
        tflm_m0_walk_leave(walk, count);
    }
}

// Every second block takes the channel blocks from the last to the first. So each begins with the bytes
// that the cache still holds. Windows of positions at once stay in the buffer.
void tflm_m0_walk_slabs(
    tflm_m0_walk_t *walk, const int8_t *input_end, int32_t left, bool is_prepared) {
    const int32_t channels = walk->output_depth;
    const bool is_held = tflm_m0_slabs_size(walk, channels, is_prepared) <= TFLM_M0_CACHE;
    const int32_t slab = slab_of(walk, is_held ? TFLM_M0_SLAB / 3 : TFLM_M0_SLAB, is_prepared);
    const bool is_single = is_held || slab < CHANNELS;
    int32_t first = 0, step = slab;
    while (left > 0) {
        const int32_t at_once = tflm_m0_walk_follow(walk, left);
        const int32_t block = is_single ? at_once : block_at(walk, input_end, left);
        const tflm_m0_place_t place = walk->places[0];
        int8_t *output = walk->output;
        if (block == at_once) {
            tflm_m0_walk_gather(walk, 0);
        }
        for (int32_t done = 0; done < channels; done += slab, first += step) {
            const int32_t some = tflm_m0_smaller(slab, channels - first);
            if (block == at_once) {
                tflm_m0_walk_run(walk, first, some);
            } else {
                walk->places[0] = place;
                walk->output = output;
                walk_slab(walk, first, some, block);
            }
        }
        if (block == at_once) {
            tflm_m0_walk_leave(walk, block);
        }
        step = -step;
        first += step;
        left -= block;
    }
}

#endif
