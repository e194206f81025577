import Observers
