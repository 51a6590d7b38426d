//! Calls that read and write buffers of their own process and order nothing: packing (MPI-4.1 §5.2; a packed buffer
//! holds the bytes of the elements, one after another), `MPI_Reduce_local` (§6.9.7), blocking reads and writes of
//! files (§14.4).
//!
//! What a file holds is not known, nor what a local reduction gives.

use super::SUCCESS;
use super::datatype::pieces;
use crate::abi::HANDLES;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::mpi::Mpi;
use crate::value::Symbol;
use farside_calls::datatype::Elements;
use farside_calls::message::{RECEIVED, SENT};
use farside_calls::mpi::Procedure as P;
use farside_calls::signature::Role;
use farside_events::AccessKind;

impl Mpi<'_, '_> {
    /// `MPI_Pack`
    pub(super) fn pack_call(&mut self, a: &Invocation) -> Flow {
        let given = self.elements(a, SENT);
        self.library_buffer(a.name(), AccessKind::Load, &given);
        let content = self.pack(self.caller.rank(), &given);
        let position = self.caller.int_at(a[Role::Position].bits);
        let at = a[Role::PackBuffer].bits.wrapping_add_signed(position.into());
        self.caller
            .library_access(a.name(), AccessKind::Store, at, content.len());
        self.caller.memory_mut(at).put_content(at, &content);
        let position = position.wrapping_add(content.len() as i32);
        self.caller.put_int(a[Role::Position].bits, position);
        SUCCESS
    }

    /// `MPI_Unpack`
    pub(super) fn unpack_call(&mut self, a: &Invocation) -> Flow {
        let into = self.elements(a, RECEIVED);
        let size = into.datatype.size() * into.number();
        let position = self.caller.int_at(a[Role::Position].bits);
        let at = a[Role::PackBuffer].bits.wrapping_add_signed(position.into());
        self.caller.library_access(a.name(), AccessKind::Load, at, size);
        let content = self.caller.memory(at).content(at, size);
        self.library_buffer(a.name(), AccessKind::Store, &into);
        self.unpack(self.caller.rank(), &into, &content);
        let position = position.wrapping_add(size as i32);
        self.caller.put_int(a[Role::Position].bits, position);
        SUCCESS
    }

    /// `MPI_Pack_size(incount, datatype, comm, size)`
    pub(super) fn pack_size(&mut self, a: &Invocation) -> Flow {
        let count = a[0].signed32().max(0) as u64;
        let size = self.datatype(a[1].bits).size() * count;
        self.caller.put_int(a[3].bits, size as i32);
        SUCCESS
    }

    /// `MPI_Reduce_local`
    pub(super) fn reduce_local(&mut self, a: &Invocation) -> Flow {
        let into = self.elements(a, RECEIVED);
        let other = into.at(a[Role::SendBuffer].bits);
        for (kind, buffer) in [
            (AccessKind::Load, &other),
            (AccessKind::Load, &into),
            (AccessKind::Store, &into),
        ] {
            self.library_buffer(a.name(), kind, buffer);
        }
        self.become_unknown(&into);
        SUCCESS
    }

    /// `MPI_File_read` and its forms.
    pub(super) fn file_read(&mut self, a: &Invocation) -> Flow {
        let into = self.elements(a, RECEIVED);
        self.library_buffer(a.name(), AccessKind::Store, &into);
        self.become_unknown(&into);
        SUCCESS
    }

    /// `MPI_File_write` and its forms.
    pub(super) fn file_write(&mut self, a: &Invocation) -> Flow {
        let given = self.elements(a, SENT);
        self.library_buffer(a.name(), AccessKind::Load, &given);
        SUCCESS
    }

    /// The elements that a call names.
    fn elements(&mut self, a: &Invocation, roles: [Role; 3]) -> Elements {
        let [address, count, datatype] = roles.map(|role| a[role]);
        Elements {
            address: address.bits,
            count: a.number(count),
            datatype: self.datatype(datatype.bits),
        }
    }

    /// From now on the elements of a buffer are values from outside.
    fn become_unknown(&mut self, into: &Elements) {
        let size = size_of_first(into);
        for (at, length) in pieces(into) {
            self.caller.come_from_outside(at, length, size);
        }
    }

    /// From now on the elements of a buffer come from where `symbol` says for each offset in it.
    pub(super) fn become_symbols(&mut self, into: &Elements, symbol: impl Fn(u64) -> Symbol) {
        let size = size_of_first(into);
        for (at, length) in pieces(into) {
            let of = |at: u64| symbol(at.wrapping_sub(into.address));
            self.caller.become_symbols(at, length, size, of);
        }
    }

    /// What else is asked of files; `None` if the function is another one.
    pub(super) fn file_call(&mut self, a: &Invocation) -> Option<Flow> {
        match a.procedure() {
            P::File_open => self.put_handle(a[4].bits, HANDLES - 3),
            P::File_close
            | P::File_delete
            | P::File_set_view
            | P::File_seek
            | P::File_seek_shared
            | P::File_sync
            | P::File_set_size
            | P::File_preallocate
            | P::File_set_atomicity
            | P::File_set_errhandler => {}
            _ => return None,
        }
        Some(SUCCESS)
    }
}

/// Bytes of the first number of an element.
fn size_of_first(elements: &Elements) -> u64 {
    let first = elements.datatype.map().basics.first();
    first.map_or(1, |basic| u64::from(basic.size))
}
