#include "../common/plain_normal_products_f32.h"
