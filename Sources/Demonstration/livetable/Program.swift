import Foundation

/// Runs the program with the given arguments; returns its exit status.
@MainActor
func runProgram(_ arguments: [String]) async -> Int32 {
  let options: Options
  do throws(Options.Mistake) {
    options = try Options(parsing: arguments)
  } catch {
    return fail(2, "\(error.text) (see --help)")
  }
  if options.wantsHelp { return printed(Options.help) ? 0 : 1 }
  do throws(SystemFailure) {
    let audit = try await LiveRun(options).run()
    return printed("\n" + audit.text) && audit.isClean ? 0 : 1
  } catch {
    return fail(1, error.description)
  }
}

private func printed(_ text: String) -> Bool {
  if writeAll(text + "\n", to: STDOUT_FILENO) { return true }
  return fail(1, SystemFailure("can't write standard output").description) == 0
}

private func fail(_ status: Int32, _ message: String) -> Int32 {
  _ = writeAll("livetable: \(message)\n", to: STDERR_FILENO)
  return status
}
