import Dispatch
import Jobs

final class Words {
  var all: [String] = []
}

func read() {
  withJobs(completionOn: .main) { jobs in
    let words = Words()
    jobs.add { words.all.append("lock") }
  } completion: {
  }
}
