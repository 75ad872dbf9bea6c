#include "boards/RPI_PICO/mpconfigboard.h"
#include "../common/rp2_config.h"
