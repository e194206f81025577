#if CXX
  import CxxStdlib

  /// Uses a C++ class, which shows that this module can import C++.
  func greeting() -> Int { std.string("Interlock").length() }
#endif
