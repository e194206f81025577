import LazyInitialization

let setUp = Once()
setUp.run {}
let names = Lazy { ["Ann", "Bob"] }
let cell = OnceCell<Int>()
precondition(setUp.isComplete && names.value.count == 2)
precondition(cell.withValue(orInitialize: { 7 }) { $0 } == 7)
