//! Calls that read and write buffers of their own process and order nothing: packing (MPI-4.1 §5.2), `MPI_Reduce_local`
//! (§6.9.7), and blocking reads and writes of files (§14.4).
//!
//! Non-blocking and split collective access to files, and packing in another representation, are not seen.

use super::buffer::any_watched;
use super::message::{received, sent};
use crate::hooks::{After, CallView, Choice};
use crate::memory;
use farside_calls::signature::Role;
use farside_events::AccessKind;

/// `MPI_Pack(inbuf, incount, datatype, outbuf, outsize, position, comm)`.
pub(crate) fn pack(view: &mut CallView) -> After {
    if !any_watched() {
        return None;
    }
    sent(view, false).access(AccessKind::Load, view.name(), view.return_address());
    packed(view, AccessKind::Store)
}

/// `MPI_Unpack(inbuf, insize, position, outbuf, outcount, datatype, comm)`.
pub(crate) fn unpack(view: &mut CallView) -> After {
    if !any_watched() {
        return None;
    }
    let stores = received(view, false);
    let load = packed(view, AccessKind::Load);
    Some(Box::new(move |view| {
        stores.access(AccessKind::Store, view.name(), view.return_address());
        if let Some(load) = load {
            load(view);
        }
    }))
}

/// What lies in the packed buffer between the position before the call and the one after it.
fn packed(view: &CallView, kind: AccessKind) -> After {
    let Choice::At(buffer) = view.choice(Role::PackBuffer) else {
        return None;
    };
    let begin = view.element_count(Role::Position, 0);
    Some(Box::new(move |view| {
        let length = view.element_count(Role::Position, 0) - begin;
        if view.failure().is_none()
            && let (Ok(begin), Ok(length @ 1..)) = (usize::try_from(begin), usize::try_from(length))
        {
            memory::library_access(kind, view.name(), buffer + begin, length, view.return_address());
        }
    }))
}

/// `MPI_Reduce_local(inbuf, inoutbuf, count, datatype, op)`.
pub(crate) fn reduce_local(view: &mut CallView) -> After {
    let (name, pc) = (view.name(), view.return_address());
    let both = received(view, false);
    sent(view, false).access(AccessKind::Load, name, pc);
    both.access(AccessKind::Load, name, pc);
    both.access(AccessKind::Store, name, pc);
    None
}

/// `MPI_File_read`, `MPI_File_read_at` and their forms.
pub(crate) fn file_read(view: &mut CallView) -> After {
    let stores = received(view, false);
    Some(Box::new(move |view| {
        stores.access(AccessKind::Store, view.name(), view.return_address());
    }))
}

/// `MPI_File_write` and its forms, likewise.
pub(crate) fn file_write(view: &mut CallView) -> After {
    sent(view, false).access(AccessKind::Load, view.name(), view.return_address());
    None
}
