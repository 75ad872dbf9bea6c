# The unix build whose allocations fail on request: see firmware/memfail.
include $(VARIANT_DIR)/../unix/mpconfigvariant.mk
MEMFAIL = 1
