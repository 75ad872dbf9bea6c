// TFLite_Detection_PostProcess: boxes are decoded, and the best that do not overlap too much are
// kept. Source: tensorflow/lite/micro/kernels/detection_postprocess.cc.
//
// TFLM decodes in double precision, and rounds to single. So it is here; e^x is within 1.2 units of
// a double's last bit, which shows in one of some 10^8 results.
#include "generated/layout.h"
#include "../common/exp_f32.h"
#include "../common/float32.h"

// ln 2 / 32 in two parts: products of the first with a number of 16 bits are exact.
static const double step_high = 0x1.62e42feep-6, step_low = 0x1.a39ef35793c76p-38;
static const double largest = 709.78, smallest = -708;  // beyond, a float32 is infinite or 0

static double power(double x) {
    if (!(x <= largest)) {
        return x > largest ? (double)__builtin_inff() : x;
    }
    if (x < smallest) {
        return 0;
    }
    const int32_t k = (int32_t)(x * 0x1.71547652b82fep5 + (x < 0 ? -0.5 : 0.5));
    const double r = (x - k * step_high) - k * step_low;
    const double high = 0x1.5555555555555p-5 + r * (0x1.1111111111111p-7 + r * 0x1.6c16c16c16c17p-10);
    const double p = r + r * r * (0x1p-1 + r * (0x1.5555555555555p-3 + r * high));
    const double s = (double)tflm_exp_powers[k & (TFLM_STEPS - 1)] * 0x1p-62;
    const int64_t bits = (int64_t)(1023 + (k >> 5)) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof(scale));
    return (s + s * p) * scale;
}

// Of one box: ymin, xmin, ymax, xmax.
static void decode(
    const tflm_detection_t *params, const uint8_t *box, const uint8_t *anchor, float *corners) {
    for (int32_t i = 0; i < 2; i++) {
        const double place = (double)tflm_load_f32(anchor + 4 * i);
        const double size = (double)tflm_load_f32(anchor + 8 + 4 * i);
        const double scale = (double)tflm_float(params->scales[i]);
        const double size_scale = (double)tflm_float(params->scales[2 + i]);
        const float centre =
            (float)((double)tflm_load_f32(box + 4 * i) / scale * size + place);
        const float half =
            (float)(0.5 * power((double)tflm_load_f32(box + 8 + 4 * i) / size_scale) * size);
        corners[i] = centre - half;
        corners[2 + i] = centre + half;
    }
}

static inline float larger(float a, float b) {
    return a < b ? b : a;
}

static inline float smaller(float a, float b) {
    return b < a ? b : a;
}

static float area(const float *box) {
    return (box[2] - box[0]) * (box[3] - box[1]);
}

// The boxes that are left, of one class.
typedef struct {
    const float *boxes;
    const uint8_t *scores;
    int32_t step;   // bytes from one score to the next
    int32_t count;
    float overlap;
    uint8_t *left;  // whether a box is
} search_t;

static void begin(const search_t *search, float least) {
    for (int32_t i = 0; i < search->count; i++) {
        search->left[i] = tflm_load_f32(search->scores + i * search->step) >= least;
    }
}

// Returns the first of the best boxes, and takes it and what it overlaps away; -1 where none is.
static int32_t take(const search_t *search, float *score) {
    int32_t best = -1;
    for (int32_t i = 0; i < search->count; i++) {
        const float value = tflm_load_f32(search->scores + i * search->step);
        if (search->left[i] && (best < 0 || value > *score)) {
            best = i;
            *score = value;
        }
    }
    if (best < 0) {
        return best;
    }
    search->left[best] = 0;
    const float *a = search->boxes + 4 * best;
    const float area_a = area(a);
    for (int32_t i = 0; i < search->count; i++) {
        if (search->left[i]) {
            const float *b = search->boxes + 4 * i;
            const float area_b = area(b);
            const float height = larger(smaller(a[2], b[2]) - larger(a[0], b[0]), 0);
            const float width = larger(smaller(a[3], b[3]) - larger(a[1], b[1]), 0);
            const float both = height * width;
            if (!(area_a <= 0 || area_b <= 0)
                && both / (area_a + area_b - both) > search->overlap) {
                search->left[i] = 0;
            }
        }
    }
    return best;
}

typedef struct {
    float score;
    int32_t place;  // box * columns + class
} kept_t;

// Keeps the best `most` of all classes, descending. Returns how many there are.
static int32_t keep(kept_t *kept, int32_t count, int32_t most, kept_t item) {
    int32_t i = count < most ? count : most;
    for (; i > 0 && kept[i - 1].score < item.score; i--) {
        if (i < most) {
            kept[i] = kept[i - 1];
        }
    }
    if (i < most) {
        kept[i] = item;
    }
    return count < most ? count + 1 : count;
}

static int32_t search_classes(const tflm_detection_t *params, search_t *search,
    const uint8_t *scores, kept_t *kept) {
    const int32_t columns = params->score_columns;
    int32_t count = 0;
    search->step = 4 * columns;
    for (int32_t c = 0; c < columns - params->background; c++) {
        search->scores = scores + 4 * (c + params->background);
        begin(search, tflm_float(params->least_score));
        kept_t item;
        for (int32_t k = 0; k < params->most_of_class; k++) {
            const int32_t box = take(search, &item.score);
            if (box < 0) {
                break;
            }
            item.place = box * columns + c;
            count = keep(kept, count, params->most, item);
        }
    }
    return count;
}

// The same, each box having the class that is its best: kept holds all boxes.
static int32_t search_boxes(const tflm_detection_t *params, search_t *search,
    const uint8_t *scores, kept_t *kept) {
    const int32_t columns = params->score_columns;
    for (int32_t i = 0; i < params->count; i++) {
        int32_t best = 0;
        const uint8_t *row = scores + 4 * (i * columns + params->background);
        for (int32_t c = 1; c < columns - params->background; c++) {
            if (tflm_load_f32(row + 4 * c) > tflm_load_f32(row + 4 * best)) {
                best = c;
            }
        }
        kept[i] = (kept_t) {tflm_load_f32(row + 4 * best), i * columns + best};
    }
    search->scores = (const uint8_t *)kept;
    search->step = (int32_t)sizeof(kept_t);
    begin(search, tflm_float(params->least_score));
    return params->count;
}

static void write(uint8_t *to, int32_t i, float value) {
    tflm_store_f32(to + 4 * i, value);
}

// boxes          float32 [count, box_columns]: y, x, height and width, relative to anchors
// scores         float32 [count, score_columns]
// anchors        float32 [count, 4]: y, x, height and width
// output         float32 [most, 4]: ymin, xmin, ymax, xmax; here and below 0 where there are none
// classes        float32 [most]
// output_scores  float32 [most]
// found          float32 [1]: how many there are
// scratch        4 words a box, 2 for each that is kept, a byte a box
void tflm_detection(const tflm_detection_t *params, const uint8_t *boxes, const uint8_t *scores,
    const uint8_t *anchors, uint8_t *output, uint8_t *classes, uint8_t *output_scores,
    uint8_t *found, int32_t *scratch) {
    const int32_t count = params->count, columns = params->score_columns;
    float *corners = (float *)scratch;
    kept_t *kept = (kept_t *)(scratch + 4 * count);
    const int32_t places = params->regular ? params->most : count;
    search_t search = {corners, NULL, 0, count, tflm_float(params->overlap),
        (uint8_t *)(kept + places)};
    int all_sound = 1;
    for (int32_t i = 0; i < count; i++) {
        float *box = corners + 4 * i;
        decode(params, boxes + 4 * i * params->box_columns, anchors + 16 * i, box);
        all_sound = all_sound && !(box[0] >= box[2] || box[1] >= box[3]);
    }
    int32_t left = 0, rows = 0;
    if (all_sound) {
        left = params->regular ? search_classes(params, &search, scores, kept)
                               : search_boxes(params, &search, scores, kept);
    }
    for (; rows < params->most && rows < left; rows++) {
        float score;
        const int32_t i = params->regular ? rows : take(&search, &score);
        if (i < 0) {
            break;
        }
        const int32_t box = kept[i].place / columns;
        memcpy(output + 16 * rows, corners + 4 * box, 16);
        write(classes, rows, (float)(kept[i].place - box * columns));
        write(output_scores, rows, kept[i].score);
    }
    write(found, 0, (float)rows);
    const size_t rest = (size_t)(params->most - rows);
    memset(output + 16 * rows, 0, 16 * rest);
    memset(classes + 4 * rows, 0, 4 * rest);
    memset(output_scores + 4 * rows, 0, 4 * rest);
}
