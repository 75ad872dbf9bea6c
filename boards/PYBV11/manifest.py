include("$(PORT_DIR)/boards/PYBV10/manifest.py")
include("../common/manifest.py")
