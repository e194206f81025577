// The library is the modules that this target depends on.
