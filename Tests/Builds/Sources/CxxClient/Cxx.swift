import CxxStdlib

/// Uses a class of C++: this module can import them.
func greeting() -> Int { std.string("Interlock").length() }
