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
    #expect(options.svg == nil && options.html == nil && options.source == nil && options.earlier == nil)
    #expect(options.seed == nil)
    #expect(!options.allowsDebug && !options.lists && !options.showsHelp && !options.checks)
  }

  @Test("Every option is understood, in any order")
  func allOptions() throws {
    let options = try Options(parsing: [
      "--json", "out.json", "--filter", "Mutex", "--quick", "--allow-debug", "--filter", "2 threads",
      "--list", "--svg", "charts", "--html", "page.html", "--compare", "old.json", "--check", "--seed", "7",
    ])
    #expect(options.svg == "charts")
    #expect(options.html == "page.html")
    #expect(options.earlier == "old.json")
    #expect(options.checks)
    #expect(options.seed == 7)
    #expect(try Options(parsing: ["--from", "old.json", "--check"]).source == "old.json")
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
    "A wrong argument is refused by name",
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
      (["--svg"], "--svg needs a directory"),
      (["--html", "a", "--html", "b"], "--html is given twice"),
      (["--seed", "x"], "--seed needs a number, not 'x'"),
      (["--seed", "1", "--seed", "2"], "--seed is given twice"),
      (["--check=1"], "--check takes no value: --check=1"),
      (["--from", "a", "--quick"], "--from measures nothing: it excludes --quick"),
      (["--filter", "x", "--from", "a"], "--from measures nothing: it excludes --filter"),
      (["--from", "a", "--list"], "--from measures nothing: it excludes --list"),
      (["--speed=1"], "unknown argument: --speed=1"),
    ])
  func wrongArguments(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try Options(parsing: arguments) }
    #expect(error?.description == message)
  }

  @Test("The help names every option")
  func help() {
    for option in [
      "--filter", "--quick", "--full", "--json", "--list", "--allow-debug", "--help", "--svg", "--html",
      "--from",
      "--seed", "--check", "--compare",
    ] {
      #expect(Options.help.contains("  \(option)"))
    }
  }
}
