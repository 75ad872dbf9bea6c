// QEMU does not emulate the clock controller, whose ready bits the port's function waits for.
#include "py/mphal.h"
#include "powerctrl.h"

void SystemClock_Config(void) {
    SystemCoreClock = 168000000;
    HAL_InitTick(TICK_INT_PRIORITY);
}
