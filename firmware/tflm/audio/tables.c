#include "audio/tables.h"

#include "generated/audio_tables.h"
