"""Services: modules that no model needs to run. TFLM_OPS names the services of a build."""
