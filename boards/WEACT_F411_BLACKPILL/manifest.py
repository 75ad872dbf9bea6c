include("$(PORT_DIR)/boards/manifest.py")
include("../common/manifest.py")
