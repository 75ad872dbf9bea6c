#include "boards/NUCLEO_H743ZI/mpconfigboard.h"
#include "../common/stm32_config.h"
