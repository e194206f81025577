// The operations that differ between systems are the members of `Platform`, one file per system: `Platform+Linux.swift`,
// `Platform+Darwin.swift`. A system without such a file does not build.
#if !(os(Linux) || canImport(Darwin))
  #error("Interlock has no Platform file for this system: add one beside Platform+Linux.swift.")
#endif
