use crate::{Edit, Position, Refusal, check, guard, raw_text, sys, text};
use std::{ffi::c_void, mem, slice};

/// The sink to which a core posts the edits that it has made.
#[derive(Clone, Copy)]
pub struct Sink {
    sink: sys::Sink,
}

/// The kind of an edit that a core has made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u32)]
pub enum Change {
    /// A row was inserted.
    Inserted = 0,
    /// A row was removed.
    Removed = 1,
    /// The text of a row was changed.
    Modified = 2,
}

impl Sink {
    /// Posts an edit.
    ///
    /// A core must call `post` inside the critical section in which it makes the edit, so that edits are
    /// posted in the order in which they are made. `number` is the generation and the number of the edit.
    /// `row` is the index, the identity and the whole text of the row.
    ///
    /// # Errors
    /// If the edit can't follow the last one posted, or the core has ended.
    pub fn post(&self, change: Change, number: (u64, u64), row: (usize, u64, &str)) -> Result<(), Refusal> {
        let posted = sys::Posted {
            generation: number.0,
            sequence: number.1,
            change: change as u32,
            index: row.0,
            id: row.1,
            text: raw_text(row.2),
        };
        // Sound: the functions of the sink stay valid until the process ends, and `posted` is valid during
        // the call.
        check(unsafe { (self.sink.post)(self.sink.handle, &posted) })
    }

    /// Ends the core; called by the core itself. When `end` returns, Swift has dropped the core and no longer
    /// calls it.
    ///
    /// A thread that [`Core::stop`] joins must not call `end`.
    ///
    /// # Errors
    /// If it is called inside a function of the core, or after the core has ended.
    pub fn end(&self) -> Result<(), Refusal> {
        check(unsafe { (self.sink.end)(self.sink.handle) })
    }
}

/// The beginning of a generation.
#[derive(Clone, Debug)]
pub struct Begin<'a> {
    /// The number of the generation.
    pub generation: u64,
    /// The texts of the rows with which the generation begins.
    pub rows: Vec<&'a str>,
    /// The identity of the first row. The following rows have consecutive identities.
    pub first_id: u64,
}

/// A core that owns rows. The header `interlock_rows_core.h` says what each function has to do.
///
/// A core is `Send` and `Sync`, because any thread may ask it for edits. A core that was activated is dropped
/// only after it has ended.
pub trait Core: Send + Sync + 'static {
    /// Stores the sink, to which the core must post its edits. Called before all other functions.
    fn activate(&self, sink: Sink);
    /// Begins a generation: replaces all rows by those of `begin`, and numbers the next edit 1.
    fn begin(&self, begin: Begin<'_>);
    /// Starts workers with the number, the speed and the random seed in `crew`.
    ///
    /// # Errors
    /// If the system refuses to start them.
    fn start(&self, crew: sys::Crew) -> Result<(), Refusal>;
    /// Stops and joins the workers.
    fn stop(&self);
    /// Makes an edit and posts it.
    ///
    /// # Errors
    /// If the row does not exist.
    fn edit(&self, edit: Edit<'_>) -> Result<(), Refusal>;
    /// Calls `row` with the identity and the text of each row, and then `end` with the generation and the
    /// number of the last edit. The core must make all calls in one critical section of the lock under which
    /// it makes and posts edits.
    fn read(&self, row: &mut dyn FnMut(u64, &str), end: &mut dyn FnMut(u64, u64));
    /// The number of running workers.
    fn running(&self) -> usize;
    /// Joins all threads that post edits. After the return, the core must not post any edit.
    fn invalidate(&self);
}

/// Makes the table of functions of a core, for [`sys::interlock_rows_create_over`] or a program that loads
/// the core.
///
/// The table owns the core. A caller that does not pass the table on must call its `destroy_user`, or the
/// core leaks.
pub fn core_table<C: Core>(core: C) -> sys::Core {
    sys::Core {
        size: mem::size_of::<sys::Core>(),
        user: Box::into_raw(Box::new(core)).cast(),
        destroy_user: Some(destroy::<C>),
        activate: Some(activate::<C>),
        begin: Some(begin::<C>),
        start: Some(start::<C>),
        stop: Some(stop::<C>),
        edit: Some(edit::<C>),
        read: Some(read::<C>),
        running: Some(running::<C>),
        invalidate: Some(invalidate::<C>),
    }
}

// The functions in the table that `core_table` makes. Sound: `user` points to the core, which is `Sync` and
// exists until `destroy` is called. Swift keeps the other arguments valid during the call. A panic is caught,
// because it must not unwind into Swift.

unsafe fn with<C: Core>(user: *mut c_void, body: impl FnOnce(&C) -> Result<(), Refusal>) -> sys::Status {
    let core = unsafe { &*user.cast::<C>() };
    guard(sys::REFUSED, || body(core).map_or_else(|refusal| refusal.0, |()| sys::OK))
}

unsafe extern "C" fn activate<C: Core>(user: *mut c_void, sink: *const sys::Sink) -> sys::Status {
    let sink = Sink { sink: unsafe { *sink } };
    unsafe {
        with(user, |core: &C| {
            core.activate(sink);
            Ok(())
        })
    }
}

unsafe extern "C" fn begin<C: Core>(user: *mut c_void, beginning: *const sys::Beginning) -> sys::Status {
    let beginning = unsafe { &*beginning };
    let rows = if beginning.count == 0 {
        &[]
    } else {
        unsafe { slice::from_raw_parts(beginning.rows, beginning.count) }
    };
    let begin = Begin {
        generation: beginning.generation,
        rows: rows.iter().map(|row| unsafe { text(row.bytes, row.length) }).collect(),
        first_id: beginning.first_id,
    };
    unsafe {
        with(user, |core: &C| {
            core.begin(begin);
            Ok(())
        })
    }
}

unsafe extern "C" fn start<C: Core>(user: *mut c_void, crew: *const sys::Crew) -> sys::Status {
    let crew = unsafe { *crew };
    unsafe { with(user, |core: &C| core.start(crew)) }
}

unsafe extern "C" fn stop<C: Core>(user: *mut c_void) {
    let core = unsafe { &*user.cast::<C>() };
    guard((), || core.stop());
}

unsafe extern "C" fn edit<C: Core>(user: *mut c_void, edit: *const sys::Edit) -> sys::Status {
    let edit = unsafe { &*edit };
    let position = match edit.position.kind {
        0 => Position::Index(edit.position.value as usize),
        _ => Position::Share(edit.position.value),
    };
    let edit = match edit.change {
        0 => Edit::Insert(unsafe { text(edit.text.bytes, edit.text.length) }, position),
        1 => Edit::Remove(position),
        _ => Edit::Append(unsafe { text(edit.text.bytes, edit.text.length) }, position),
    };
    unsafe { with(user, |core: &C| core.edit(edit)) }
}

unsafe extern "C" fn read<C: Core>(user: *mut c_void, reader: *const sys::Reader) -> sys::Status {
    let reader = unsafe { &*reader };
    unsafe {
        with(user, |core: &C| {
            core.read(
                &mut |id, text| (reader.row)(reader.reader, id, text.as_ptr().cast(), text.len()),
                &mut |generation, sequence| (reader.end)(reader.reader, generation, sequence),
            );
            Ok(())
        })
    }
}

unsafe extern "C" fn running<C: Core>(user: *mut c_void) -> usize {
    let core = unsafe { &*user.cast::<C>() };
    guard(0, || core.running())
}

unsafe extern "C" fn invalidate<C: Core>(user: *mut c_void) {
    let core = unsafe { &*user.cast::<C>() };
    guard((), || core.invalidate());
}

unsafe extern "C" fn destroy<C: Core>(user: *mut c_void) {
    guard((), || drop(unsafe { Box::from_raw(user.cast::<C>()) }));
}
