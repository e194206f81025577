import CRowsCore
import ForeignRows
import Foundation

// Shows the rows that threads of a core edit: `coretable [THREADS [SECONDS [SPEED]]]`. The status is 1 if the rows
// ever differed from what the core announced, or if a handle is left.
let table = CoreTable()

func show(threads: Int, seconds: Double, speed: Double) async throws {
  let core = try RowCore(threads: threads, speed: speed) { change in
    table.receive(change)
    print("\(change.kind) \(change.index) of \(change.rows.count)")
  }
  try await Task.sleep(for: .seconds(seconds))
  _ = consume core
}

let arguments = CommandLine.arguments.dropFirst().map { Double($0) ?? 0 }
let settings = arguments + [8, 2, 10].dropFirst(arguments.count)
try await show(threads: Int(settings[0]), seconds: settings[1], speed: settings[2])
for row in table.rows { print("\(row.number) \(row.text)") }
print("changes \(table.changes), violations \(table.violations), handles left \(rows_live_handles())")
exit(table.violations == 0 && rows_live_handles() == 0 ? 0 : 1)
