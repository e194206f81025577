import Jobs

let address = ""
func download(_ address: String) async throws -> String { address }
func show(_ page: String) {}
