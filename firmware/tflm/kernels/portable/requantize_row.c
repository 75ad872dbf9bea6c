#include "../common/plain_requantize_row.h"
