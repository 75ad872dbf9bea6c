include("$(PORT_DIR)/boards/manifest.py")
include("../common/c_only_manifest.py")
