// Sums of normal float32 products in integers, for cores without an FPU.
#ifndef TFLM_NORMAL_PRODUCTS_F32_H
#define TFLM_NORMAL_PRODUCTS_F32_H

#include <stdint.h>

// What is to be added: products of x and w, both at multiples of 4 bytes.
typedef struct {
    const uint8_t *x, *w;    // the next factors
    int32_t next_x, next_w;  // bytes to the ones after them; next_x is not 0
    const uint8_t *end;      // of x
} tflm_products_t;

// Adds products to the sum, whose bits it takes and returns, up to the end or to the first that
// it leaves to its caller: where a factor is subnormal, infinite or NaN, or where the product, or
// either sum, is that or -0.
uint32_t tflm_add_normal_products(uint32_t sum, tflm_products_t *products);

#endif
