//! A model: the rows, and the threads that edit them.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::{SNAPSHOTS, Status, rows_live_handles};

pub struct Row {
    pub text: String,
    pub number: u64,
}

pub type Rows = Vec<Arc<Row>>;

/// The changes of the header.
pub const INSERTED: u32 = 0;
pub const REMOVED: u32 = 1;
pub const MODIFIED: u32 = 2;

/// `ROWS_MOST_HANDLES` of the header.
const MOST_HANDLES: usize = 2048;

type Callback = Option<unsafe extern "C" fn(*mut c_void, usize, u64, usize)>;

/// `rows_observer` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Observer {
    user: *mut c_void,
    destroy_user: Option<unsafe extern "C" fn(*mut c_void)>,
    /// `inserted`, `removed` and `modified`.
    callbacks: [Callback; 3],
}

// SAFETY: The header says that the callbacks are called on any thread, one at a time.
unsafe impl Send for Observer {}

/// `rows_options` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    pub threads: usize,
    pub seed: u64,
    pub speed: f64,
}

#[derive(PartialEq)]
enum Stage {
    /// The threads wait until all of them exist, so a model that lacks one has edited nothing.
    Starts,
    Edits,
    Ended,
}

pub struct State {
    stage: Stage,
    rows: Arc<Rows>,
    observer: Observer,
}

pub struct Model {
    /// Held during callbacks.
    pub state: Mutex<State>,
    stage_changed: Condvar,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

thread_local! {
    pub static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

impl State {
    /// Makes an edit, whose row is `None` for a removal, and calls the observer.
    pub fn edit(&mut self, change: u32, index: usize, row: Option<Row>) -> Result<(), Status> {
        if self.stage == Stage::Ended {
            return Err(Status::InvalidHandle);
        }
        if index >= self.limit(change) {
            return Err(Status::NoSuchRow);
        }
        // `make_mut` copies the list if a snapshot shares it.
        let replaced = index..index + (change != INSERTED) as usize;
        Arc::make_mut(&mut self.rows).splice(replaced, row.map(Arc::new));
        if let Some(callback) = self.observer.callbacks[change as usize] {
            let snapshot = SNAPSHOTS.insert(self.rows.clone());
            IN_CALLBACK.set(true);
            // SAFETY: `destroy_user` has not been called: that needs the stage `Ended`.
            unsafe { callback(self.observer.user, index, snapshot, self.rows.len()) };
            IN_CALLBACK.set(false);
        }
        Ok(())
    }

    /// The number of indices at which the change can be made.
    fn limit(&self, change: u32) -> usize {
        self.rows.len() + (change == INSERTED) as usize
    }

    fn edit_at_random(&mut self, worker: usize, inserts: bool, random: &mut u64) -> Result<(), Status> {
        let change = match below(100, random) {
            choice if inserts || choice < 20 => INSERTED,
            20..30 => REMOVED,
            _ => MODIFIED,
        };
        if self.limit(change) == 0 {
            return Ok(());
        }
        let index = below(self.limit(change), random);
        let old = self.rows.get(index).filter(|_| change == MODIFIED);
        let (text, number) = old.map_or(("thread", 0), |row| (&row.text, row.number.wrapping_add(1)));
        let row = Row { text: format!("{text}-{worker}"), number };
        self.edit(change, index, (change != REMOVED).then_some(row))
    }
}

impl Model {
    /// Creates a model and starts its threads.
    pub fn create(options: Options, observer: Observer) -> Result<Arc<Model>, Status> {
        let state = Mutex::new(State { stage: Stage::Starts, rows: Arc::default(), observer });
        let model = Arc::new(Model { state, stage_changed: Condvar::new(), threads: Mutex::default() });
        for worker in 0..options.threads {
            let in_thread = model.clone();
            let thread = thread::Builder::new().spawn(move || in_thread.work(worker, options));
            let Ok(thread) = thread else {
                model.stop();
                return Err(Status::NoThreads);
            };
            model.threads.lock().unwrap().push(thread);
        }
        model.enter(Stage::Edits);
        Ok(model)
    }

    fn enter(&self, stage: Stage) {
        self.state.lock().unwrap().stage = stage;
        self.stage_changed.notify_all();
    }

    fn stop(&self) {
        self.enter(Stage::Ended);
        for thread in self.threads.lock().unwrap().drain(..) {
            thread.join().unwrap();
        }
    }

    /// Ends the model. Only the caller that ended its handle may call this, and only once.
    pub fn destroy(&self) {
        self.stop();
        let observer = self.state.lock().unwrap().observer;
        if let Some(destroy_user) = observer.destroy_user {
            // SAFETY: `user` belongs to the model, and no callback is called any more.
            unsafe { destroy_user(observer.user) };
        }
    }

    fn work(&self, worker: usize, options: Options) {
        let mut random = options.seed ^ (worker as u64 + 1).wrapping_mul(0xd1342543de82ef95);
        let changed = &self.stage_changed;
        let mut state = self.state.lock().unwrap();
        state = changed.wait_while(state, |state| state.stage == Stage::Starts).unwrap();
        let mut inserts = true;
        while state.stage == Stage::Edits {
            if rows_live_handles() < MOST_HANDLES {
                state.edit_at_random(worker, inserts, &mut random).unwrap();
                inserts = false;
            }
            let milliseconds = 1000 + below(3001, &mut random);
            let sleep = Duration::from_millis(milliseconds as u64).div_f64(options.speed);
            state = changed.wait_timeout_while(state, sleep, |state| state.stage == Stage::Edits).unwrap().0;
        }
    }
}

/// Returns a random number below `limit`, which is less than 2^32.
fn below(limit: usize, state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e3779b97f4a7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d049bb133111eb);
    (((mixed ^ (mixed >> 31)) >> 32) * limit as u64 >> 32) as usize
}
