//! Calls that read and write buffers of their own process and order nothing: packing (MPI-4.1 §5.2), `MPI_Reduce_local`
//! (§6.9.7), and blocking reads and writes of files (§14.4).
//!
//! Non-blocking and split collective access to files, and packing in another representation, are not seen.

use super::buffer::{access, any_watched};
use crate::call::{After, CallView, Choice, Then};
use crate::memory;
use farside_calls::arguments;
use farside_calls::datatype::Elements;
use farside_calls::message::{RECEIVED, SENT};
use farside_calls::signature::Role;
use farside_events::AccessKind;

/// `MPI_Pack(inbuf, incount, datatype, outbuf, outsize, position, comm)`.
pub(crate) fn pack(view: &mut CallView) -> After {
    if !any_watched() {
        return None;
    }
    touch(&elements(view, SENT), view, AccessKind::Load);
    packed(view, AccessKind::Store)
}

/// `MPI_Unpack(inbuf, insize, position, outbuf, outcount, datatype, comm)`.
pub(crate) fn unpack(view: &mut CallView) -> After {
    if !any_watched() {
        return None;
    }
    let stores = elements(view, RECEIVED);
    let load = packed(view, AccessKind::Load);
    Some(Then::new(move |view| {
        touch(&stores, view, AccessKind::Store);
        if let Some(load) = load {
            load.run(view);
        }
    }))
}

/// What lies in the packed buffer between the position before the call and the one after it.
fn packed(view: &CallView, kind: AccessKind) -> After {
    let Choice::At(buffer) = view.choice(Role::PackBuffer) else {
        return None;
    };
    let begin = view.element_count(Role::Position, 0);
    Some(Then::new(move |view| {
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
    let both = elements(view, RECEIVED);
    touch(&elements(view, SENT), view, AccessKind::Load);
    touch(&both, view, AccessKind::Load);
    touch(&both, view, AccessKind::Store);
    None
}

/// `MPI_File_read`, `MPI_File_read_at` and their forms.
pub(crate) fn file_read(view: &mut CallView) -> After {
    let stores = elements(view, RECEIVED);
    Some(Then::new(move |view| {
        touch(&stores, view, AccessKind::Store);
    }))
}

/// `MPI_File_write` and its forms, likewise.
pub(crate) fn file_write(view: &mut CallView) -> After {
    touch(&elements(view, SENT), view, AccessKind::Load);
    None
}

/// The elements at three roles, as long as it matters.
fn elements(view: &mut CallView, roles: [Role; 3]) -> Option<Elements> {
    any_watched().then(|| arguments::elements(view, roles)).flatten()
}

/// The call loads or stores some elements now.
fn touch(elements: &Option<Elements>, view: &CallView, kind: AccessKind) {
    access(elements, kind, view.name(), view.return_address());
}
