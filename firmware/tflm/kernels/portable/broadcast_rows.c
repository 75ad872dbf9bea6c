#include "../common/plain_broadcast_rows.h"
