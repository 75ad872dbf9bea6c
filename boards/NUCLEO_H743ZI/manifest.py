include("$(PORT_DIR)/boards/NUCLEO_H743ZI/manifest.py")
include("../common/manifest.py")
