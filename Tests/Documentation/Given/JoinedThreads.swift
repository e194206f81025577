import Jobs

func serve(_ index: Int) {}
func answer() {}
