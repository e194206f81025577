// `Platform` has the operations that differ between systems. Each supported system has a file with its own
// `Platform`: `Platform+Linux.swift` or `Platform+Darwin.swift`. On any other system the build must fail.
#if !(os(Linux) || canImport(Darwin))
  #error("Interlock has no Platform file for this system: add one beside Platform+Linux.swift.")
#endif
