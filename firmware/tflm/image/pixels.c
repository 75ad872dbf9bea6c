// See pixels.h. Grey is (19595 r + 38470 g + 7471 b + 32768) >> 16, as Pillow's. Of RGB565 it is a
// sum of two tables, exactly: bits of both bytes that make up green do not overlap.
#include "image/pixels.h"

#include <string.h>

#include "image/loops.h"

enum { RED = 19595, GREEN = 38470, BLUE = 7471, HALF = 1 << 15 };

void tflm_image_sums(uint32_t *sums, bool is_little, int32_t flip) {
    uint32_t *high = sums + (is_little ? TFLM_IMAGE_CODES : 0);
    uint32_t *low = sums + (is_little ? 0 : TFLM_IMAGE_CODES);
    for (uint32_t code = 0; code < TFLM_IMAGE_CODES; code++) {
        const uint32_t r = code >> 3, g = code & 7, b = code & 31;
        high[code] = RED * (r << 3 | r >> 2) + GREEN * (g << 5 | g >> 1) + HALF
            + ((uint32_t)flip << 16);
        low[code] = GREEN * (code >> 5 << 2) + BLUE * (b << 3 | b >> 2);
    }
}

typedef struct {
    uint8_t *to;
    bool is_grey;
} writer_t;

static inline void put(writer_t *writer, uint32_t r, uint32_t g, uint32_t b) {
    uint8_t *to = writer->to;
    if (writer->is_grey) {
        *to++ = (uint8_t)((RED * r + GREEN * g + BLUE * b + HALF) >> 16);
    } else {
        *to++ = (uint8_t)r;
        *to++ = (uint8_t)g;
        *to++ = (uint8_t)b;
    }
    writer->to = to;
}

static void read_rgb565(writer_t *writer, const uint8_t *row, int32_t count, int32_t low) {
    for (const uint8_t *end = row + 2 * count; row < end; row += 2) {
        const uint32_t word = (uint32_t)row[1 - low] | (uint32_t)row[low] << 8;
        const uint32_t r = word >> 11, g = word >> 5 & 63, b = word & 31;
        put(writer, r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2);
    }
}

static void read_rgb888(writer_t *writer, const uint8_t *row, int32_t count) {
    for (const uint8_t *end = row + 3 * count; row < end; row += 3) {
        put(writer, row[0], row[1], row[2]);
    }
}

static inline uint32_t saturated(int32_t value) {
    return (uint32_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void read_grey(writer_t *writer, const uint8_t *row, int32_t count) {
    if (writer->is_grey) {
        memcpy(writer->to, row, (size_t)count);
        return;
    }
    for (const uint8_t *end = row + count; row < end; row++) {
        put(writer, *row, *row, *row);
    }
}

// Full range, as of JFIF: 16 bits behind the point.
static void read_yuv422(
    writer_t *writer, const uint8_t *row, int32_t first, int32_t count, int32_t luma) {
    const uint8_t *chroma = row + 1 - luma;
    for (int32_t x = first; x < first + count; x++) {
        const int32_t y = row[2 * x + luma];
        if (writer->is_grey) {
            *writer->to++ = (uint8_t)y;
            continue;
        }
        const int32_t u = chroma[2 * (x & ~1)] - 128, v = chroma[2 * (x | 1)] - 128;
        put(writer, saturated(y + ((91881 * v + 32768) >> 16)),
            saturated(y - ((22554 * u + 46802 * v + 32767) >> 16)),
            saturated(y + ((116130 * u + 32768) >> 16)));
    }
}

// Squares of four: red, the mean of two greens, blue.
static void read_bayer(
    writer_t *writer, const uint8_t *upper, const uint8_t *lower, int32_t count, int32_t order) {
    const uint8_t *red = order & 2 ? lower : upper, *blue = order & 2 ? upper : lower;
    const int32_t at = order & 1;
    for (int32_t x = 0; x < 2 * count; x += 2) {
        const uint32_t greens = (uint32_t)red[x + 1 - at] + blue[x + at];
        put(writer, red[x + at], (greens + 1) >> 1, blue[x + 1 - at]);
    }
}

void tflm_image_line(tflm_fit_t *fit, const uint8_t *row) {
    const tflm_picture_t *of = &fit->of;
    const int32_t left = of->left, count = of->columns;
    writer_t writer = {tflm_image_at(fit, fit->line), of->channels == 1};
    switch (of->format) {
        case TFLM_RGB565:
            if (fit->sums != 0) {
                const uint32_t *sums = tflm_image_at(fit, fit->sums);
                tflm_image_greys(sums, sums + TFLM_IMAGE_CODES, row + 2 * left, count, writer.to);
            } else {
                read_rgb565(&writer, row + 2 * left, count, of->order);
            }
            break;
        case TFLM_RGB888:
            read_rgb888(&writer, row + 3 * left, count);
            break;
        case TFLM_YUV422:
            read_yuv422(&writer, row, left, count, of->order);
            break;
        case TFLM_BAYER:
            read_bayer(&writer, (uint8_t *)tflm_image_at(fit, fit->kept) + 2 * left, row + 2 * left,
                count, of->order);
            break;
        default:
            read_grey(&writer, row + left, count);
    }
}
