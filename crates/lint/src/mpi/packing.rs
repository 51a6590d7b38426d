//! Packing and unpacking (MPI-4.1 §5.2): a packed buffer holds the bytes of the elements, one after another.

use super::SUCCESS;
use crate::execute::Flow;
use crate::job::Job;
use crate::thread::Site;
use crate::value::Scalar;
use farside_events::AccessKind;

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
}
