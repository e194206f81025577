// What differs between systems is in `Platform`, one file per system: `Platform+Linux.swift`,
// `Platform+Darwin.swift`. A system without such a file does not build.
#if !(os(Linux) || canImport(Darwin))
  #error("The benchmarks have no Platform file for this system: add one beside Platform+Linux.swift.")
#endif
