#include "products_f32.h"

#include "float32.h"

float tflm_add_products(float sum, tflm_products_t products) {
    for (;;) {
        sum = tflm_float((int32_t)tflm_add_normal_products((uint32_t)tflm_bits(sum), &products));
        if (products.x == products.end) {
            return sum;
        }
        sum += tflm_load_f32(products.x) * tflm_load_f32(products.w);
        products.x += products.next_x;
        products.w += products.next_w;
    }
}
