import ViewModels

func post(_ path: String, _ name: String, _ points: Int) async throws {}
