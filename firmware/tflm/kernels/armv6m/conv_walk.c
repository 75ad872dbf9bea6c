#include "conv_walk.h"

int32_t tflm_m0_walk_follow(tflm_m0_walk_t *walk, int32_t left) {
    const int32_t count = tflm_m0_at_once(walk->has_quads, left);
    tflm_m0_follow(&walk->geometry, walk->places, count);
    walk->job.second = count > 1 ? walk->output_depth : 0;
    walk->job.more = count > 2 ? walk->more : NULL;
    return count;
}

void tflm_m0_walk_gather(tflm_m0_walk_t *walk, int32_t depth) {
    const tflm_m0_place_t *places = walk->places;
    const bool is_quad = walk->job.more != NULL;
    tflm_meet(walk->member);
    if (walk->member.is_two && !is_quad) {
        const tflm_items_t rows = tflm_items_of(walk->member, walk->geometry.filter_height);
        tflm_m0_geometry_t part = walk->geometry;
        part.first_row = rows.first;
        part.end_row = rows.last;
        tflm_m0_gather(&part, &places[0], &places[1], depth, walk->window);
    } else {
        if (tflm_has_item(walk->member, 0)) {
            tflm_m0_gather(&walk->geometry, &places[0], &places[1], depth, walk->window);
        }
        if (is_quad && tflm_has_item(walk->member, 1)) {
            tflm_m0_gather(&walk->geometry, &places[2], &places[3], depth, walk->more);
        }
    }
    tflm_meet(walk->member);
}

void tflm_m0_walk_run(tflm_m0_walk_t *walk, int32_t first, int32_t channels) {
    const tflm_items_t share = tflm_items_of(walk->member, channels);
    tflm_m0_pairs_t *job = &walk->job;
    first += share.first;
    channels = share.last - share.first;
    if (channels == 0) {
        return;
    }
    job->filter = walk->filter + first * job->taps;
    job->channels = tflm_m0_channel_at(walk->made.form, walk->made.channels, first);
    job->end = tflm_m0_channel_at(walk->made.form, job->channels, channels);
    job->output = walk->output + first;
    tflm_m0_pairs(walk->made.form, job);
}

void tflm_m0_walk_leave(tflm_m0_walk_t *walk, int32_t count) {
    walk->places[0] = walk->places[count - 1];
    tflm_m0_next(&walk->geometry, &walk->places[0]);
    walk->output += count * walk->output_depth;
}
