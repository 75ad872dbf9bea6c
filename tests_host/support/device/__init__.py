"""What runs on boards, and the models that scripts of tests_device/ carry."""
