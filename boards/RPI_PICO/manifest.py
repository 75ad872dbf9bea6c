include("../common/rp2_manifest.py", image=False)
