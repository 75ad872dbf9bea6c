// Rows of a camera's pixels as bytes of grey, or of red, green and blue.
#ifndef TFLM_IMAGE_PIXELS_H
#define TFLM_IMAGE_PIXELS_H

#include "image/picture.h"

// Fills the sums for grey of RGB565: 256 words for the first byte of a pixel, 256 for the second.
// Bits 16 to 23 of the two added are grey, plus `flip`.
void tflm_image_sums(uint32_t *sums, bool is_little, int32_t flip);

// Writes the pixels of a row, of the part that is taken, to fit->line.
void tflm_image_line(tflm_fit_t *fit, const uint8_t *row);

#endif
