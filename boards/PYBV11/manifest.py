include("$(PORT_DIR)/boards/PYBV10/manifest.py")
include("../common/manifest.py", tests=False)  # it nearly fills its flash
