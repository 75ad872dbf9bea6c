include("../common/rp2_manifest.py")
require("bundle-networking")
require("aioble")
