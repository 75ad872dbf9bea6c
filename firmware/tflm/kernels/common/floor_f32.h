// Quotients of float32 that are rounded down, and what is left.
#ifndef TFLM_FLOOR_F32_H
#define TFLM_FLOOR_F32_H

// floor(a / b) as TFLM computes it, in double precision, and rounds it.
float tflm_floor_div(float a, float b);

// What is left of a, with the sign of b.
float tflm_floor_mod(float a, float b);

#endif
