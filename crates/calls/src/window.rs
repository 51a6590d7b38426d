//! Making a window (MPI-4.1 §12.2): the memory that a process gives it.

use crate::arguments::Arguments;
use crate::signature::Role;
use farside_events::WindowFlavor;

/// What a process asks for when it takes part in making a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    /// How the window is made.
    pub flavor: WindowFlavor,
    /// The program's memory; 0 where the library gives it.
    pub base: u64,
    /// Bytes.
    pub size: u64,
    /// `disp_unit`
    pub unit: i64,
}

impl Making {
    /// Reads a call that makes a window of this flavor.
    pub fn of<A: Arguments>(flavor: WindowFlavor, call: &A) -> Self {
        let sized = call.signature().has(Role::Size);
        Self {
            flavor,
            base: match call.signature().has(Role::Base) {
                true => call.address(Role::Base),
                false => 0,
            },
            size: match sized {
                true => call.aint(Role::Size).cast_unsigned(),
                false => 0,
            },
            unit: match sized {
                true => call.count(Role::Unit),
                false => 1,
            },
        }
    }
}
