//! The part of libfabric's binary interface that is used here: constants, structures, tables of functions.
//!
//! Written after the headers of libfabric 1.17; the interface only grows at the ends of structures (fi_version(7)), so
//! later ones are served as well when version 1.17 is asked of `fi_getinfo`. `layout_tests.rs` compiles a C program
//! against the real headers and compares every size, offset and constant of this module.
//!
//! A table of functions may be shorter than declared here: libfabric gives its length in `size`, and [`offered`] looks
//! there before it reads an entry (as the macro `FI_CHECK_OP` does). Only what is called has a type; the rest is a
//! [`Slot`].

mod attributes;
pub(crate) mod constants;
mod fid;
mod objects;

pub(crate) use attributes::{FabricAttributes, Info};
pub(crate) use fid::{Fid, FidOperations};
pub(crate) use objects::{
    Av, AvAttributes, AvOperations, CmOperations, Cq, CqAttributes, CqEntry, CqError, CqOperations, Domain,
    DomainOperations, Ep, Fabric, FabricOperations, IoVector, Message, MessageOperations, Mr, MrOperations,
    RmaMessage, RmaOperations, RmaVector,
};

use std::ffi::c_void;

/// An entry of a table of functions that is not called here.
pub(crate) type Slot = *const c_void;

/// Address of a peer in an address vector.
pub(crate) type Address = u64;

/// An entry of a table, unless the table ends before it or has none.
///
/// `$table` is a pointer to the table; dereferencing it must be sound, and so must be calling what is given.
macro_rules! offered {
    ($table:expr, $type:ty, $entry:ident) => {{
        let table: *const $type = $table;
        if table.is_null() || (*table).size <= std::mem::offset_of!($type, $entry) {
            None
        } else {
            (*table).$entry
        }
    }};
}
pub(crate) use offered;

#[cfg(test)]
mod layout_tests;
