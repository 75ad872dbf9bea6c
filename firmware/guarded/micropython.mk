# Only boards/unix-asan asks for this module.
ifdef TFLM_GUARDED
SRC_USERMOD_C += $(USERMOD_DIR)/modguarded.c
endif
