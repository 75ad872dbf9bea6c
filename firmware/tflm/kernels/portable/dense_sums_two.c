#include "../common/plain_dense_sums_two.h"
