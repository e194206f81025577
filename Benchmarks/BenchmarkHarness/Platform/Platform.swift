// The type `Platform` contains the code that differs between systems. Each supported system defines it in a
// file of its own: `Platform+Linux.swift`, `Platform+Darwin.swift`. On other systems, the build fails here.
#if !(os(Linux) || canImport(Darwin))
  #error("The benchmarks have no Platform file for this system: add one beside Platform+Linux.swift.")
#endif
