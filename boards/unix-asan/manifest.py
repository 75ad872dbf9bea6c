include("../unix/manifest.py")
