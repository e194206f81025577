import Testing
import ViewModels

@Suite struct PlayerStateTests {
  @Test("Requirement 13: what the form is in the beginning")
  func theInitialState() {
    let state = PlayerState()
    #expect(state.name == "Colin")
    #expect(state.points == 100)
    #expect(state.step == 1)
    #expect(state.minimum == 0)
    #expect(state.maximum == 10_000)
    #expect(state.pointUpdateLimit == 10)
    #expect(state.uploadLimit == 5)
    #expect(!state.forbiddenNames.isEmpty)
    #expect(state.pointUpdates == 0)
    #expect(state.uploads == 0)
    #expect(state.isValid)
  }
}
