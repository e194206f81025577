import Dispatch
import Jobs

func work() {
  withJobs(completionOn: .main) { jobs in
    jobs.add {}
  } completion: {
  }
}
