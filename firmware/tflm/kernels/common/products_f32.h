// Sums of float32 products in integers, for cores without an FPU: the same bits as a call for each
// multiplication and one for each addition give, for a third of their instructions on a Cortex-M0.
#ifndef TFLM_PRODUCTS_F32_H
#define TFLM_PRODUCTS_F32_H

#include "normal_products_f32.h"

// Adds all products, one after the other.
float tflm_add_products(float sum, tflm_products_t products);

#endif
