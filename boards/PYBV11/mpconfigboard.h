#include "boards/PYBV11/mpconfigboard.h"
#include "../common/stm32_config.h"
