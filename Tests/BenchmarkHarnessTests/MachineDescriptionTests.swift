@testable import BenchmarkHarness
internal import Testing

@Suite("Machine description")
struct MachineDescriptionTests {
  @Test("The processor's name is found in /proc/cpuinfo")
  func processorModel() {
    let text =
      "processor\t: 0\nmodel\t\t: 106\nmodel name\t: Some CPU @ 2.80GHz\n\n"
      + "processor\t: 1\nmodel name\t: Other\n"
    #expect(MachineDescription.processorModel(inCPUInfo: text) == "Some CPU @ 2.80GHz")
    #expect(MachineDescription.processorModel(inCPUInfo: "processor\t: 0\n") == nil)
    #expect(MachineDescription.processorModel(inCPUInfo: "") == nil)
  }

  @Test("The distribution's name is found in /etc/os-release")
  func distribution() {
    #expect(
      MachineDescription.distribution(inOSRelease: "ID=x\nPRETTY_NAME=\"Some Linux 12 (name)\"\n")
        == "Some Linux 12 (name)")
  }

  @Test("The processors that may be used are counted from the mask")
  func allowedProcessors() {
    #expect(
      MachineDescription.allowedProcessors(inStatus: "Name:\tx\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n")
        == 2)
    #expect(MachineDescription.allowedProcessors(inStatus: "Cpus_allowed:\tff,0000000f\n") == 12)
    #expect(MachineDescription.allowedProcessors(inStatus: "Cpus_allowed:\t0\n") == nil)
    #expect(MachineDescription.allowedProcessors(inStatus: "") == nil)
  }

  @Test("This machine has a description")
  func current() {
    let machine = MachineDescription.current
    #expect(machine.processorCount >= 1)
    #expect(!machine.architecture.isEmpty)
    #expect(!machine.system.isEmpty)
  }
}
