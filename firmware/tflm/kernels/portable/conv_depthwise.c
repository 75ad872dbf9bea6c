#include "../common/plain_conv_depthwise.h"
