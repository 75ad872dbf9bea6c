include("../common/manifest.py")
