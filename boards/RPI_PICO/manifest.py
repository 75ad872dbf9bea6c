include("../common/rp2_manifest.py")
