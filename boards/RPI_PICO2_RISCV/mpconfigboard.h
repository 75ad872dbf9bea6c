#include "boards/RPI_PICO2/mpconfigboard.h"
#include "../common/rp2_config.h"
