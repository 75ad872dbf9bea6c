#include "../common/plain_svdf.h"
