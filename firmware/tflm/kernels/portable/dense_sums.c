#include "../common/plain_dense_sums.h"
