// The library consists of the modules that this target depends on.
