//! A core that owns rows: a vector behind a mutex, which a crew of threads edits.
//!
//! The dynamic library exports `interlock_rows_open_core`, which `livetable --core rust` calls to open the
//! core.

use interlock_rows::{Begin, Change, Core, Edit, Refusal, Sink, core_table, crew::Crew, sys};
use std::{
    slice, str,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A deliberate mistake of the core. Tests use it to show that such mistakes are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The core makes no mistake.
    None,
    /// Two edits are posted in the wrong order.
    Unordered,
    /// A modification is posted with the identity of another row.
    WrongRow,
    /// An edit is posted after the core was invalidated.
    Late,
}

#[derive(Default)]
struct Rows {
    rows: Vec<(u64, String)>,
    generation: u64,
    sequence: u64,
    next_id: u64,
    has_erred: bool,
    sink: Option<Sink>,
}

/// An edit that was made, with all values to post.
struct Made {
    change: Change,
    number: (u64, u64),
    index: usize,
    row: (u64, String),
}

impl Rows {
    fn make(&mut self, edit: Edit<'_>) -> Result<Made, Refusal> {
        let none = Refusal(sys::NO_SUCH_ROW);
        let count = self.rows.len();
        let (change, index, row) = match edit {
            Edit::Insert(text, position) => {
                let index = position.index(count + 1).ok_or(none)?;
                let row = (self.next_id, text.to_owned());
                self.next_id += 1;
                self.rows.insert(index, row.clone());
                (Change::Inserted, index, row)
            }
            Edit::Remove(position) => {
                let index = position.index(count).ok_or(none)?;
                (Change::Removed, index, self.rows.remove(index))
            }
            Edit::Append(text, position) => {
                let index = position.index(count).ok_or(none)?;
                self.rows[index].1.push_str(text);
                (Change::Modified, index, self.rows[index].clone())
            }
        };
        self.sequence += 1;
        Ok(Made { change, number: (self.generation, self.sequence), index, row })
    }

    fn post(&self, made: &Made) -> Result<(), Refusal> {
        let sink = self.sink.ok_or(Refusal(sys::REFUSED))?;
        sink.post(made.change, made.number, (made.index, made.row.0, &made.row.1))
    }
}

// The mutex guards the rows and their numbers. An edit is posted before the mutex is unlocked, so edits are
// posted in the order in which they are made.
struct Shared {
    rows: Mutex<Rows>,
    fault: Fault,
}

impl Shared {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn edit(&self, edit: Edit<'_>) -> Result<(), Refusal> {
        let mut rows = self.rows();
        let errs = rows.sequence >= 3 && !rows.has_erred;
        let mut made = rows.make(edit)?;
        if errs && self.fault == Fault::Unordered {
            // Post a second edit before the first one. A core that released its lock between an edit and its
            // post could make this mistake.
            rows.has_erred = true;
            let second = rows.make(Edit::Insert("overtaking", interlock_rows::Position::Share(u64::MAX)))?;
            let _ = rows.post(&second);
        }
        if errs && self.fault == Fault::WrongRow && made.change == Change::Modified {
            rows.has_erred = true;
            // Use the identity of another row. An identity that no row ever had would be refused immediately.
            made.row.0 = made.row.0.checked_sub(1).unwrap_or(1);
        }
        rows.post(&made)
    }
}

/// A core whose rows are a vector behind a mutex.
pub struct OwningCore {
    shared: Arc<Shared>,
    crew: Mutex<Option<Crew>>,
}

impl OwningCore {
    /// Makes a core without rows.
    pub fn new(fault: Fault) -> OwningCore {
        OwningCore { shared: Arc::new(Shared { rows: Mutex::default(), fault }), crew: Mutex::new(None) }
    }

    fn crew(&self) -> MutexGuard<'_, Option<Crew>> {
        self.crew.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Core for OwningCore {
    fn activate(&self, sink: Sink) {
        self.shared.rows().sink = Some(sink);
    }

    fn begin(&self, begin: Begin<'_>) {
        let mut rows = self.shared.rows();
        rows.rows = (begin.first_id..).zip(begin.rows.iter().map(|&text| text.to_owned())).collect();
        rows.next_id = begin.first_id + begin.rows.len() as u64;
        (rows.generation, rows.sequence) = (begin.generation, 0);
    }

    fn start(&self, crew: sys::Crew) -> Result<(), Refusal> {
        let shared = self.shared.clone();
        // A refusal is ignored: in an empty list, an edit may find no row, which is no error.
        let edit = move |edit: Edit<'_>| {
            let _ = shared.edit(edit);
        };
        let crew = Crew::start(crew.count, crew.speed, crew.seed, edit).map_err(|_| Refusal(sys::REFUSED))?;
        *self.crew() = Some(crew);
        Ok(())
    }

    fn stop(&self) {
        let crew = self.crew().take();
        // Dropping the crew joins its threads. The mutex of `self.crew` is not locked here, so that
        // `running` does not block while the threads end.
        drop(crew);
    }

    fn edit(&self, edit: Edit<'_>) -> Result<(), Refusal> {
        self.shared.edit(edit)
    }

    fn read(&self, row: &mut dyn FnMut(u64, &str), end: &mut dyn FnMut(u64, u64)) {
        let rows = self.shared.rows();
        for (id, text) in &rows.rows {
            row(*id, text);
        }
        end(rows.generation, rows.sequence);
    }

    fn running(&self) -> usize {
        self.crew().as_ref().map_or(0, Crew::running)
    }

    fn invalidate(&self) {
        self.stop();
    }
}

impl Drop for OwningCore {
    fn drop(&mut self) {
        if self.shared.fault == Fault::Late {
            let _ = self.shared.edit(Edit::Insert("late", interlock_rows::Position::Index(0)));
        }
    }
}

/// Opens a core, for a program that loads this library.
///
/// # Safety
/// `argument` must be a valid text, and `core` must point to memory for a table, as `interlock_rows_core.h`
/// requires.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn interlock_rows_open_core(argument: sys::Text, core: *mut sys::Core) -> sys::Status {
    let bytes = if argument.length == 0 {
        &[]
    } else {
        unsafe { slice::from_raw_parts(argument.bytes.cast(), argument.length) }
    };
    let fault = match str::from_utf8(bytes) {
        Ok("") => Fault::None,
        Ok("unordered") => Fault::Unordered,
        Ok("wrong-row") => Fault::WrongRow,
        Ok("late") => Fault::Late,
        _ => return sys::INVALID_ARGUMENT,
    };
    unsafe { core.write(core_table(OwningCore::new(fault))) };
    sys::OK
}
