#if Exploration
  import Exploration

  // A client of the product Exploration alone: it shows that the product compiles and loads by itself.

  let summary = try explore { run in
    let cell = ExploredCell(0)
    run.thread { cell.value = 1 }.join()
    run.expect(cell.value == 1)
  }
  precondition(summary.isExhaustive)
#endif
