//! The declarations of the C headers `interlock_rows.h` and `interlock_rows_core.h`, which document them.

#![allow(missing_docs)]

use std::ffi::{c_char, c_void};

pub type Status = i32;

pub const OK: Status = 0;
pub const NO_SUCH_ROW: Status = 1;
pub const NULL_ARGUMENT: Status = 2;
pub const INVALID_ARGUMENT: Status = 3;
pub const INVALID_UTF8: Status = 4;
pub const INVALID_HANDLE: Status = 5;
pub const WRONG_THREAD: Status = 6;
pub const IN_CALLBACK: Status = 7;
pub const BUFFER_TOO_SMALL: Status = 8;
pub const TIMED_OUT: Status = 9;
pub const OBSERVED: Status = 10;
pub const OUT_OF_ORDER: Status = 11;
pub const OLD_GENERATION: Status = 12;
pub const REFUSED: Status = 13;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    pub bytes: *const c_char,
    pub length: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    pub size: usize,
    pub strategy: u32,
    pub audits: u32,
    pub speed: f64,
    pub seed: u64,
    pub initial_rows: *const Text,
    pub initial_count: usize,
    pub backlog_bytes: usize,
    pub command_limit: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Position {
    pub kind: u32,
    pub value: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Edit {
    pub change: u32,
    pub position: Position,
    pub text: Text,
}

#[repr(C)]
pub struct Change {
    pub index: usize,
    pub id: u64,
    pub text: Text,
    pub row_count: usize,
    pub first_sequence: u64,
    pub last_sequence: u64,
    pub generation: u64,
}

pub type ChangeCallback = unsafe extern "C" fn(*mut c_void, *const Change);

#[repr(C)]
pub struct Observer {
    pub size: usize,
    pub user: *mut c_void,
    pub destroy_user: Option<unsafe extern "C" fn(*mut c_void)>,
    pub inserted: Option<ChangeCallback>,
    pub removed: Option<ChangeCallback>,
    pub modified: Option<ChangeCallback>,
    pub restarted: Option<unsafe extern "C" fn(*mut c_void, u64, usize)>,
}

pub type Visitor = unsafe extern "C" fn(*mut c_void, usize, u64, *const c_char, usize) -> i32;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Account {
    pub size: usize,
    pub generation: u64,
    pub posted: u64,
    pub delivered: u64,
    pub unobserved: u64,
    pub dropped: u64,
    pub queued: u64,
    pub composed: u64,
    pub rows: u64,
    pub fingerprint: u64,
    pub threads: u64,
    pub snapshots: u64,
    pub violations: u64,
    pub gaps: u64,
    pub complaints: u64,
}

#[repr(C)]
pub struct Posted {
    pub generation: u64,
    pub sequence: u64,
    pub change: u32,
    pub index: usize,
    pub id: u64,
    pub text: Text,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Sink {
    pub size: usize,
    pub handle: u64,
    pub post: unsafe extern "C" fn(u64, *const Posted) -> Status,
    pub end: unsafe extern "C" fn(u64) -> Status,
}

#[repr(C)]
pub struct Beginning {
    pub generation: u64,
    pub rows: *const Text,
    pub count: usize,
    pub first_id: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Crew {
    pub count: usize,
    pub speed: f64,
    pub seed: u64,
}

#[repr(C)]
pub struct Reader {
    pub reader: *mut c_void,
    pub row: unsafe extern "C" fn(*mut c_void, u64, *const c_char, usize),
    pub end: unsafe extern "C" fn(*mut c_void, u64, u64),
}

#[repr(C)]
pub struct Core {
    pub size: usize,
    pub user: *mut c_void,
    pub destroy_user: Option<unsafe extern "C" fn(*mut c_void)>,
    pub activate: Option<unsafe extern "C" fn(*mut c_void, *const Sink) -> Status>,
    pub begin: Option<unsafe extern "C" fn(*mut c_void, *const Beginning) -> Status>,
    pub start: Option<unsafe extern "C" fn(*mut c_void, *const Crew) -> Status>,
    pub stop: Option<unsafe extern "C" fn(*mut c_void)>,
    pub edit: Option<unsafe extern "C" fn(*mut c_void, *const Edit) -> Status>,
    pub read: Option<unsafe extern "C" fn(*mut c_void, *const Reader) -> Status>,
    pub running: Option<unsafe extern "C" fn(*mut c_void) -> usize>,
    pub invalidate: Option<unsafe extern "C" fn(*mut c_void)>,
}

unsafe extern "C" {
    pub fn interlock_rows_serve(nanoseconds: u64) -> Status;
    pub safe fn interlock_rows_stop_serving() -> Status;
    pub fn interlock_rows_options_init(options: *mut Options) -> Status;
    pub fn interlock_rows_create(options: *const Options, model: *mut u64) -> Status;
    pub fn interlock_rows_create_over(options: *const Options, core: *const Core, model: *mut u64) -> Status;
    pub safe fn interlock_rows_destroy(model: u64) -> Status;
    pub safe fn interlock_rows_restart(model: u64, workers: usize) -> Status;
    pub safe fn interlock_rows_stop(model: u64) -> Status;
    pub fn interlock_rows_insert(
        model: u64,
        position: Position,
        text: *const c_char,
        length: usize,
    ) -> Status;
    pub safe fn interlock_rows_remove(model: u64, position: Position) -> Status;
    pub fn interlock_rows_append(
        model: u64,
        position: Position,
        text: *const c_char,
        length: usize,
    ) -> Status;
    pub fn interlock_rows_edit_all(model: u64, edits: *const Edit, count: usize, made: *mut usize) -> Status;
    pub fn interlock_rows_observe(model: u64, observer: *const Observer, registration: *mut u64) -> Status;
    pub safe fn interlock_rows_end_observation(registration: u64) -> Status;
    pub safe fn interlock_rows_deliver(model: u64) -> Status;
    pub fn interlock_rows_shown(model: u64, snapshot: *mut u64) -> Status;
    pub fn interlock_rows_latest(model: u64, snapshot: *mut u64) -> Status;
    pub safe fn interlock_rows_snapshot_release(snapshot: u64) -> Status;
    pub fn interlock_rows_snapshot_count(snapshot: u64, count: *mut usize) -> Status;
    pub fn interlock_rows_snapshot_fingerprint(snapshot: u64, fingerprint: *mut u64) -> Status;
    pub fn interlock_rows_snapshot_visit(
        snapshot: u64,
        first: usize,
        count: usize,
        visitor: Visitor,
        user: *mut c_void,
    ) -> Status;
    pub fn interlock_rows_audit(model: u64, account: *mut Account) -> Status;
    pub safe fn interlock_rows_live_handles() -> usize;
    pub safe fn interlock_rows_refused_edits() -> u64;
}
