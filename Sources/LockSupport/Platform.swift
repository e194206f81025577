// `Platform` has the operations that differ between systems. Each system has a file with its own `Platform`:
// `Platform+Linux.swift`, `Platform+Darwin.swift`. A system without such a file does not build.
#if !(os(Linux) || canImport(Darwin))
  #error("Interlock has no Platform file for this system: add one beside Platform+Linux.swift.")
#endif
