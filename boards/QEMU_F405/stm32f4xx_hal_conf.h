// Oscillators in Hz, and how long ST's HAL waits for them in ms.
#ifndef QEMU_F405_STM32F4XX_HAL_CONF_H
#define QEMU_F405_STM32F4XX_HAL_CONF_H

#define HSE_VALUE (8000000)
#define HSE_STARTUP_TIMEOUT (100)
#define LSE_VALUE (32768)
#define LSE_STARTUP_TIMEOUT (5000)
#define EXTERNAL_CLOCK_VALUE (12288000)

#include "boards/stm32f4xx_hal_conf_base.h"

#endif
