#include "../common/plain_dense.h"
