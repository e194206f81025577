internal import BenchmarkHarness
internal import Commands
internal import Testing

@Suite("Options")
struct OptionsTests {
  @Test("No arguments: everything, in the standard time")
  func defaults() throws {
    let options = try Options(parsing: [])
    #expect(options.effort == .standard)
    #expect(options.filter.texts.isEmpty)
    #expect(options.json == nil)
    #expect(!options.allowsDebug && !options.lists && !options.showsHelp)
  }

  @Test("Every option is understood, in any order")
  func allOptions() throws {
    let options = try Options(parsing: [
      "--json", "out.json", "--filter", "Mutex", "--quick", "--allow-debug", "--filter", "2 threads",
      "--list",
    ])
    #expect(options.effort == .quick)
    #expect(options.filter.texts == ["Mutex", "2 threads"])
    #expect(options.json == "out.json")
    #expect(options.allowsDebug)
    #expect(options.lists)
    #expect(try Options(parsing: ["--full"]).effort == .full)
    #expect(try Options(parsing: ["-h"]).showsHelp)
    #expect(try Options(parsing: ["--help"]).showsHelp)
  }

  @Test("A value may be attached with =, and may contain one")
  func attachedValues() throws {
    let options = try Options(parsing: ["--filter=a=b", "--json=-dash.json"])
    #expect(options.filter.texts == ["a=b"])
    #expect(options.json == "-dash.json")
  }

  @Test(
    "What is wrong is said, with the argument at fault",
    arguments: [
      (["--fast"], "unknown argument: --fast"),
      (["quick"], "unknown argument: quick"),
      (["--quick", "--full"], "--quick and --full exclude each other"),
      (["--full", "--quick"], "--full and --quick exclude each other"),
      (["--quick=1"], "--quick takes no value: --quick=1"),
      (["--filter"], "--filter needs a text"),
      (["--filter", "--quick"], "--filter needs a text"),
      (["--filter="], "--filter needs a text"),
      (["--filter", ""], "--filter needs a text"),
      (["--json"], "--json needs a file"),
      (["--json", "a", "--json", "b"], "--json is given twice"),
      (["--speed=1"], "unknown argument: --speed=1"),
    ])
  func wrongArguments(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try Options(parsing: arguments) }
    #expect(error?.description == message)
  }

  @Test("The help names every option")
  func help() {
    for option in ["--filter", "--quick", "--full", "--json", "--list", "--allow-debug", "--help"] {
      #expect(Options.help.contains("  \(option)"))
    }
  }
}
