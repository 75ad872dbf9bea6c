include("$(MPY_DIR)/extmod/asyncio")
include("../common/manifest.py")
