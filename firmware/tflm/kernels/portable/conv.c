#include "../common/plain_conv.h"
