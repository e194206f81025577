//! Safe types around `interlock_rows.h` and `interlock_rows_core.h`.
//!
//! - [`Model`] is a list that Swift owns: any thread edits it, and an [`Observer`] is called on the main
//!   thread.
//! - [`Core`] is a list that Rust owns and Swift shows: [`core_table`] makes the table of functions for it.
//!
//! A panic in a callback does not unwind into Swift: the panic hook prints it, and this crate catches it. The
//! callback then returns as if it had done nothing.

mod core;
pub mod crew;
mod model;
mod snapshot;
pub mod sys;

pub use crate::core::{Begin, Change, Core, Sink, core_table};
pub use model::{Builder, MainThread, Model, Notification, Observer, Registration, Strategy};
pub use snapshot::Snapshot;

use std::{fmt, panic, slice, str};

/// The error of a call that was refused: a status other than OK.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Refusal(pub sys::Status);

impl fmt::Debug for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.0 {
            sys::NO_SUCH_ROW => "no such row",
            sys::INVALID_ARGUMENT => "invalid argument",
            sys::INVALID_HANDLE => "invalid handle",
            sys::WRONG_THREAD => "wrong thread",
            sys::IN_CALLBACK => "not allowed in a callback",
            sys::TIMED_OUT => "timed out",
            sys::OBSERVED => "observed already",
            sys::OUT_OF_ORDER => "out of order",
            sys::OLD_GENERATION => "old generation",
            sys::REFUSED => "refused by the core",
            _ => "another status",
        };
        write!(formatter, "{name} ({})", self.0)
    }
}

/// Turns a status into a result.
fn check(status: sys::Status) -> Result<(), Refusal> {
    if status == sys::OK { Ok(()) } else { Err(Refusal(status)) }
}

/// Runs the body of a callback, and returns its result. If the body panics, returns `otherwise`, because a
/// panic must not unwind into Swift.
fn guard<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    panic::catch_unwind(panic::AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// The position of the row that an edit changes. It is resolved to an index when the edit is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Position {
    /// The row at this index. An insertion puts the new row at this index.
    Index(usize),
    /// The row at this fraction of the list, in units of 2⁻⁶⁴. A uniformly random number selects each row
    /// with equal probability.
    Share(u64),
}

impl Position {
    fn raw(self) -> sys::Position {
        match self {
            Position::Index(index) => sys::Position { kind: 0, value: index as u64 },
            Position::Share(share) => sys::Position { kind: 1, value: share },
        }
    }

    /// The index below `limit` that the position selects; `None` if there is none.
    pub fn index(self, limit: usize) -> Option<usize> {
        match self {
            Position::Index(index) => (index < limit).then_some(index),
            Position::Share(share) => (limit > 0).then(|| (u128::from(share) * limit as u128 >> 64) as usize),
        }
    }
}

/// A request for an edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit<'a> {
    /// Inserts a row with this text.
    Insert(&'a str, Position),
    /// Removes a row.
    Remove(Position),
    /// Appends this text to a row's text.
    Append(&'a str, Position),
}

impl Edit<'_> {
    fn raw(&self) -> sys::Edit {
        let (change, position, text) = match *self {
            Edit::Insert(text, position) => (0, position, text),
            Edit::Remove(position) => (1, position, ""),
            Edit::Append(text, position) => (2, position, text),
        };
        sys::Edit { change, position: position.raw(), text: raw_text(text) }
    }
}

fn raw_text(text: &str) -> sys::Text {
    sys::Text { bytes: text.as_ptr().cast(), length: text.len() }
}

/// Converts a text that Swift has passed.
///
/// # Safety
/// Unless `length` is 0, `bytes` must point to `length` bytes of UTF-8 that are valid for `'a`. The C headers
/// (see [`sys`]) promise this for the arguments of callbacks.
unsafe fn text<'a>(bytes: *const std::ffi::c_char, length: usize) -> &'a str {
    if length == 0 {
        return "";
    }
    unsafe { str::from_utf8_unchecked(slice::from_raw_parts(bytes.cast(), length)) }
}

/// The number of models, registrations, snapshots and sinks in this process that have a handle.
pub fn live_handles() -> usize {
    sys::interlock_rows_live_handles()
}

/// The number of mistakes that cores have made in this process: refused edits and failed calls.
pub fn refused_edits() -> u64 {
    sys::interlock_rows_refused_edits()
}
