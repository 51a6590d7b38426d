//! Calls that read and write buffers of their own process and order nothing: packing (MPI-4.1 §5.2; a packed buffer holds the
//! bytes of the elements, one after another), `MPI_Reduce_local` (§6.9.7), blocking reads and writes of files (§14.4).
//!
//! What a file holds is not known, nor what a local reduction gives.

use super::SUCCESS;
use super::datatype::spans;
use crate::abi::HANDLES;
use crate::execute::Flow;
use crate::job::Job;
use crate::thread::Site;
use crate::value::Scalar;
use farside_events::{AccessKind, TypeMap};

impl Job<'_> {
    /// `MPI_Pack(inbuf, incount, datatype, outbuf, outsize, position, comm)`,
    /// `MPI_Unpack(inbuf, insize, position, outbuf, outcount, datatype, comm)`,
    /// `MPI_Pack_size(incount, datatype, comm, size)`.
    pub(crate) fn packing_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let count = |at: usize| a[at].signed32().max(0) as u64;
        match name {
            "MPI_Pack" => {
                let map = self.datatype(site, a[2].bits).map;
                self.library_buffer(site, name, AccessKind::Load, &map, a[0].bits, count(1));
                let bytes = self.pack(site.rank, &map, a[0].bits, count(1));
                let position = self.int_at(site, a[5].bits);
                let at = a[3].bits.wrapping_add_signed(position.into());
                self.library_access(site, name, AccessKind::Store, at, bytes.len() as u64);
                self.memory_mut(site.rank, at).write(at, &bytes);
                self.put_int(site, a[5].bits, position.wrapping_add(bytes.len() as i32));
            }
            "MPI_Unpack" => {
                let map = self.datatype(site, a[5].bits).map;
                let size = map.size() * count(4);
                let position = self.int_at(site, a[2].bits);
                let at = a[0].bits.wrapping_add_signed(position.into());
                self.library_access(site, name, AccessKind::Load, at, size);
                let bytes = self.memory(site.rank, at).bytes(at, size);
                self.library_buffer(site, name, AccessKind::Store, &map, a[3].bits, count(4));
                self.unpack(site.rank, &map, a[3].bits, count(4), &bytes);
                self.put_int(site, a[2].bits, position.wrapping_add(size as i32));
            }
            _ => {
                let size = self.datatype(site, a[1].bits).map.size() * count(0);
                self.put_int(site, a[3].bits, size as i32);
            }
        }
        SUCCESS
    }

    /// `MPI_Reduce_local(inbuf, inoutbuf, count, datatype, op)`.
    pub(crate) fn reduce_local(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let map = self.datatype(site, a[3].bits).map;
        let count = a[2].signed32().max(0) as u64;
        for (kind, buffer) in [
            (AccessKind::Load, 0),
            (AccessKind::Load, 1),
            (AccessKind::Store, 1),
        ] {
            self.library_buffer(site, name, kind, &map, a[buffer].bits, count);
        }
        self.become_unknown(site, &map, a[1].bits, count);
        SUCCESS
    }

    /// From now on the elements of a buffer are values from outside.
    fn become_unknown(&mut self, site: &Site, map: &TypeMap, address: u64, count: u64) {
        let size = map.basics.first().map_or(1, |basic| u64::from(basic.size));
        for (at, length) in spans(map, address, count) {
            self.come_from_outside(site, at, length, size);
        }
    }

    /// Files: their blocking reads and writes. The buffer of `MPI_File_read(fh, buf, count, datatype, status)` comes behind an
    /// offset in the forms that are told where to read.
    pub(crate) fn file_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let blocking = !name.ends_with("_begin") && !name.ends_with("_end");
        let reads = name.starts_with("MPI_File_read") && blocking;
        let writes = name.starts_with("MPI_File_write") && blocking;
        if reads || writes {
            let buffer = if name.contains("_at") { 2 } else { 1 };
            let map = self.datatype(site, a[buffer + 2].bits).map;
            let count = a[buffer + 1].signed32().max(0) as u64;
            let kind = if reads {
                AccessKind::Store
            } else {
                AccessKind::Load
            };
            self.library_buffer(site, name, kind, &map, a[buffer].bits, count);
            if reads {
                self.become_unknown(site, &map, a[buffer].bits, count);
            }
            return SUCCESS;
        }
        match name {
            "MPI_File_open" => self.put_handle(site, a[4].bits, HANDLES - 3),
            "MPI_File_close"
            | "MPI_File_delete"
            | "MPI_File_set_view"
            | "MPI_File_seek"
            | "MPI_File_seek_shared"
            | "MPI_File_sync"
            | "MPI_File_set_size"
            | "MPI_File_preallocate"
            | "MPI_File_set_atomicity"
            | "MPI_File_set_errhandler" => {}
            _ => return self.unknown_call(site, name),
        }
        SUCCESS
    }
}
