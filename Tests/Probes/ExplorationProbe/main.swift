#if Exploration
  import Exploration

  // A client of the product Exploration and of nothing else: what it needs to compile and to load is what a client needs.

  let summary = try explore { run in
    let cell = ExploredCell(0)
    run.thread { cell.value = 1 }.join()
    run.expect(cell.value == 1)
  }
  precondition(summary.isExhaustive)
#endif
