internal import CBorder
internal import CRows
internal import ThreadSupport
internal import ViewModels
internal import RowsInterface

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

// This program measures the cost of using the row model from C. It does the same work in Swift, and in C
// through `interlock_rows.h`.
//
// The program is separate from the other benchmarks, because its callbacks run on the main actor, which the
// other benchmarks don't use. Each round measures both languages, and compares them by a ratio or a
// difference. The result is the median of all rounds.

let (roundCount, rowCount, editCount) = (41, 10_000, 2_000)

/// Adds up the lengths of the texts in its notifications, like the C observer from `border_observer`.
final class Observer: RowsObserver {
  var sum = 0
  func rowInserted(_ notification: RowNotification) { sum += notification.row.text.utf8.count }
  func rowRemoved(_ notification: RowNotification) { sum += notification.row.text.utf8.count }
  func rowModified(_ notification: RowNotification) { sum += notification.row.text.utf8.count }
}

let texts = (0..<rowCount).map { "row number \($0), on the heap" }

@MainActor func swiftModel(_ strategy: RowsStrategy) -> RowsViewModel {
  var configuration = RowsConfiguration()
  configuration.strategy = strategy
  configuration.initialRows = texts
  return RowsViewModel(configuration)
}

@MainActor func modelOfC(_ strategy: Int) -> interlock_rows_model {
  var options = interlock_rows_options()
  precondition(interlock_rows_options_init(&options) == INTERLOCK_ROWS_OK)
  options.strategy = UInt32(strategy)
  var model = interlock_rows_model()
  let pointers = texts.map { text in interlock_rows_text(bytes: strdup(text), length: text.utf8.count) }
  pointers.withUnsafeBufferPointer { pointers in
    options.initial_rows = pointers.baseAddress
    options.initial_count = pointers.count
    precondition(interlock_rows_create(&options, &model) == INTERLOCK_ROWS_OK)
  }
  for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer.bytes)) }
  return model
}

let insertion = Array("another row, also on the heap".utf8)

/// Makes the same edits as `border_edit`, so that Swift and C do the same work.
@inline(never)
@MainActor
func edit(_ model: RowsViewModel, _ count: Int, seed: UInt64) {
  var random = SplitMix64(state: seed)
  for number in 0..<count {
    let position = RowPosition.share(random.next())
    switch number % 4 {
    // Each insertion makes the text from bytes, as an insertion through the C interface does.
    case 0: model.apply(.insert(String(decoding: insertion, as: UTF8.self), position))
    case 2: model.apply(.remove(position))
    default: model.apply(.append("-1", position))
    }
  }
}

/// Reads the rows as `border_read` does, and returns the same sum.
@inline(never)
func read(_ rows: RowsSnapshot) -> UInt64 {
  var sum: UInt64 = 0
  for row in rows {
    let bytes = row.text.utf8
    sum += UInt64(bytes.count) + UInt64(bytes.first ?? 0)
  }
  return sum
}

/// Returns the calling thread's processor time for one operation, in nanoseconds; `body` does `count`
/// operations.
///
/// Other programs affect processor time less than elapsed time.
func nanoseconds(of count: Int, _ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  let start = now()
  body()
  return (now() - start) / Double(count)
}

func median(_ figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }

func tenths(_ figure: Double) -> String { "\((figure * 10).rounded() / 10)" }

var missed = 0

/// Prints how many times as long the operation `what` takes in C as in Swift, as the median of all rounds.
///
/// The line also gives the median time in each language, and says whether the ratio is at most `limit`.
@MainActor func report(_ what: String, _ rounds: [(swift: Double, c: Double)], ratio limit: Double) {
  let figure = median(rounds.map { $0.c / $0.swift })
  line(what, rounds, "\((figure * 100).rounded() / 100) ×", "at most \(limit) ×", holds: figure <= limit)
}

@MainActor func report(_ what: String, _ rounds: [(swift: Double, c: Double)], difference limit: Double) {
  let figure = median(rounds.map { $0.c - $0.swift })
  line(what, rounds, "\(tenths(figure)) ns more", "at most \(limit) ns", holds: figure <= limit)
}

@MainActor func line(
  _ what: String, _ rounds: [(swift: Double, c: Double)], _ figure: String, _ limit: String, holds: Bool
) {
  print(
    "\(what): Swift \(tenths(median(rounds.map(\.swift)))) ns, C \(tenths(median(rounds.map(\.c)))) ns, "
      + "\(figure) (\(limit)): \(holds ? "holds" : "MISSED")")
  if !holds { missed += 1 }
}

#if DEBUG
  print("This is a debug build: its figures say nothing.")
#endif
for (name, strategy, number) in [
  ("tree", RowsStrategy.tree, INTERLOCK_ROWS_TREE), ("delta", .delta, INTERLOCK_ROWS_DELTA),
] {
  let (model, other) = (swiftModel(strategy), modelOfC(number))
  let observer = Observer()
  model.observer = observer
  var sum: UInt64 = 0
  var functions = border_observer(&sum)
  var registration = interlock_rows_registration()
  withUnsafeMutablePointer(to: &sum) { sum in
    functions.user = UnsafeMutableRawPointer(sum)
    precondition(interlock_rows_observe(other, &functions, &registration) == INTERLOCK_ROWS_OK)
    var edits: [(swift: Double, c: Double)] = []
    var callbacks: [(swift: Double, c: Double)] = []
    for round in 0..<roundCount {
      let seed = UInt64(round)
      var (editing, delivering) = ((swift: 0.0, c: 0.0), (swift: 0.0, c: 0.0))
      @MainActor func measureSwift() {
        editing.swift = nanoseconds(of: editCount) { edit(model, editCount, seed: seed) }
        delivering.swift = nanoseconds(of: editCount) { model.deliverPending() }
      }
      @MainActor func measureC() {
        editing.c = nanoseconds(of: editCount) { border_edit(other, UInt64(editCount), seed) }
        delivering.c = nanoseconds(of: editCount) {
          precondition(interlock_rows_deliver(other) == INTERLOCK_ROWS_OK)
        }
      }
      // Swift and C take turns in being measured first.
      if round.isMultiple(of: 2) { measureSwift() }
      measureC()
      if !round.isMultiple(of: 2) { measureSwift() }
      edits.append(editing)
      callbacks.append(delivering)
    }
    precondition(Int(sum.pointee) == observer.sum, "both sides have seen the same texts")
    report("an edit, \(name)", edits, ratio: 1.2)
    report("a callback, \(name)", callbacks, difference: 50)
    precondition(interlock_rows_destroy(other) == INTERLOCK_ROWS_OK)
  }
}

let (model, other) = (swiftModel(.tree), modelOfC(INTERLOCK_ROWS_TREE))
var snapshot = interlock_rows_snapshot()
precondition(interlock_rows_latest(other, &snapshot) == INTERLOCK_ROWS_OK)
let rows = model.latestRows
var reads: [(swift: Double, c: Double)] = []
for _ in 0..<roundCount {
  var sums: (UInt64, UInt64) = (0, 0)
  let swift = nanoseconds(of: rowCount) { sums.0 = read(rows) }
  let c = nanoseconds(of: rowCount) { sums.1 = border_read(snapshot) }
  precondition(sums.0 == sums.1, "both sides have read the same")
  reads.append((swift, c))
}
report("a row of a snapshot", reads, difference: 10)
exit(missed == 0 ? 0 : 1)
