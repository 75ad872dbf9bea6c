#include "../unix/mpconfigvariant.h"
