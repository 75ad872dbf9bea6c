# The module `memfail`, in boards/unix-memfail alone.
ifeq ($(MEMFAIL),1)
SRC_USERMOD_C += $(USERMOD_DIR)/modmemfail.c
LDFLAGS_USERMOD += -Wl,--wrap=gc_alloc,--wrap=gc_realloc
endif
