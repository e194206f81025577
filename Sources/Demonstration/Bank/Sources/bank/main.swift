import DeadlockDetection
import Foundation
import Synchronization

// Simulates a day at a bank. An audit begins after all tellers have ended, so even with the wrong lock order
// the program never deadlocks.
//
//     bank                      no audit
//     bank --audit              an audit that acquires two locks in the wrong order
//     bank --audit-in-order     the repaired audit
//     bank --print-from-copy    the repaired printing of statements; also with an audit option

let options = Set(CommandLine.arguments.dropFirst())
guard options.isSubset(of: ["--audit", "--audit-in-order", "--print-from-copy"]) else {
  print("usage: bank [--audit | --audit-in-order] [--print-from-copy]")
  exit(2)
}

let reports = Atomic(0)
DeadlockDetector.action = .call { report in
  reports.add(1, ordering: .relaxed)
  FileHandle.standardError.write(Data(report.text.utf8))
}

let bank = Bank()
bank.openForADay(printsFromCopy: options.contains("--print-from-copy"))
print("The tellers made \(bank.journal.value.count) transfers.")
if options.contains("--audit") { print("Audit: \(bank.audit() ? "right" : "wrong")") }
if options.contains("--audit-in-order") { print("Audit: \(bank.auditInOrder() ? "right" : "wrong")") }

let count = reports.load(ordering: .relaxed)
print("Deadlock detection is \(DeadlockDetector.isOn ? "on" : "off"), reports: \(count)")
exit(count == 0 ? 0 : 1)
