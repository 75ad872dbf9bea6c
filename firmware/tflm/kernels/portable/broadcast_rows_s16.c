#include "../common/plain_broadcast_rows_s16.h"
