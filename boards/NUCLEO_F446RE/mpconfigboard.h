#include "boards/NUCLEO_F446RE/mpconfigboard.h"
#include "../common/stm32_config.h"
