//! Safe types around `interlock_rows.h`.
//!
//! - [`Model`] is a list that Swift owns: any thread edits it, and an [`Observer`] is called on the main
//!   thread.
//! - [`Core`] is a list that Rust owns and Swift shows: [`core_table`] makes the table of functions for it.
//!
//! A panic in a callback does not cross the border: it is caught, printed by the standard library's hook as
//! every panic is, and the callback returns as if it had done nothing.

mod core;
pub mod crew;
mod model;
mod snapshot;
pub mod sys;

pub use crate::core::{Begin, Change, Core, Sink, core_table};
pub use model::{Builder, MainThread, Model, Notification, Observer, Registration, Strategy};
pub use snapshot::Snapshot;

use std::{fmt, panic, slice, str};

/// Why a call did nothing: a status other than OK.
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

/// Runs what a callback does, and keeps a panic on this side of the border.
fn guard<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    panic::catch_unwind(panic::AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// Which row is meant, decided when the edit is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Position {
    /// The row at this index; an insertion puts the new row there.
    Index(usize),
    /// The row that stands where this number stands among all of 64 bits: with a random number, any row.
    Share(u64),
}

impl Position {
    fn raw(self) -> sys::Position {
        match self {
            Position::Index(index) => sys::Position { kind: 0, value: index as u64 },
            Position::Share(share) => sys::Position { kind: 1, value: share },
        }
    }

    /// The index below `limit` that is meant, if there is one.
    pub fn index(self, limit: usize) -> Option<usize> {
        match self {
            Position::Index(index) => (index < limit).then_some(index),
            Position::Share(share) => (limit > 0).then(|| (u128::from(share) * limit as u128 >> 64) as usize),
        }
    }
}

/// An edit that somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit<'a> {
    /// Inserts a row with this text.
    Insert(&'a str, Position),
    /// Removes a row.
    Remove(Position),
    /// Adds this text to the end of a row's.
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

/// The text that Swift has passed.
///
/// # Safety `bytes` leads to so many bytes of UTF-8 for as long as `'a`, as the header promises of what
/// callbacks are passed.
unsafe fn text<'a>(bytes: *const std::ffi::c_char, length: usize) -> &'a str {
    if length == 0 {
        return "";
    }
    unsafe { str::from_utf8_unchecked(slice::from_raw_parts(bytes.cast(), length)) }
}

/// How many objects of the process have a handle.
pub fn live_handles() -> usize {
    sys::interlock_rows_live_handles()
}

/// How many edits of cores were refused so far in this process.
pub fn refused_edits() -> u64 {
    sys::interlock_rows_refused_edits()
}
