#include "../common/plain_elementwise_curves_s16.h"
