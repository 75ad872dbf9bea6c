#include "boards/STM32F4DISC/mpconfigboard.h"
#include "../common/stm32_config.h"
