# What upstream freezes, without the driver of a display: /rom has taken flash from the firmware.
include("$(MPY_DIR)/extmod/asyncio")
require("dht")
require("onewire")
include("../common/c_only_manifest.py")
