#include "boards/RPI_PICO_W/mpconfigboard.h"
#include "../common/rp2_config.h"
