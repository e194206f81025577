// This target has no code of its own. The library consists of the modules that the target depends on.
