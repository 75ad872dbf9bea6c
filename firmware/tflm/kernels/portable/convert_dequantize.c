#include "../common/plain_convert_dequantize.h"
