import Dispatch
import Lifecycles

func work() {
  withJobs(completionOn: .main) { jobs in
    jobs.add {}
  } completion: {
  }
}
