//! A call of MPI in Fortran's binding becomes one of C's: arguments are references, the status comes last.

use crate::flow::Flow;
use crate::fortran::table::{Argument, Kind, Procedure};
use crate::job::Job;
use crate::site::Site;
use crate::value::Scalar;
use farside_calls::mpi as calls;

impl Job<'_> {
    /// A procedure of the Fortran binding.
    pub(crate) fn fortran_call(&mut self, site: &Site, procedure: &Procedure, a: &[Scalar]) -> Flow {
        let count = procedure.arguments.len();
        let mut hidden = a.iter().skip(count + usize::from(procedure.result.is_none()));
        let mut values = Vec::with_capacity(count + 2);
        // What Fortran does not pass: argc and argv.
        let dropped = procedure.procedure.signature().dropped();
        values.resize(dropped, Scalar::default());
        for (argument, value) in procedure.arguments.iter().zip(a) {
            let length = (argument.kind == Kind::String).then(|| hidden.next()).flatten();
            values.push(self.by_value(site, argument, *value, length));
        }
        let flow = self.mpi(site, procedure.procedure, false, &values);
        if let Flow::Return(_) | Flow::Poll(_) = flow
            && procedure.result.is_none()
        {
            self.indices_from_one(site, procedure, a);
            if let Some(status) = a.get(count).filter(|status| status.bits != 0) {
                self.put_int(site, status.bits, 0);
            }
        }
        flow
    }

    /// What the C binding is given for an argument: the value of what Fortran passes by reference, if C passes it by
    /// value.
    fn by_value(
        &mut self,
        site: &Site,
        argument: &Argument,
        address: Scalar,
        length: Option<&Scalar>,
    ) -> Scalar {
        match self.special_place(site, address.bits).as_deref() {
            Some("farside_bottom_") => return Scalar::default(),
            Some("farside_in_place_") => return Scalar::known(self.abi.numbers.in_place),
            Some(_) => return Scalar::known(self.abi.numbers.status_ignore),
            None => {}
        }
        if argument.out || argument.array {
            return address;
        }
        match argument.kind {
            Kind::Integer | Kind::Logical | Kind::Handle(_) => {
                self.memory(site.rank, address.bits).load(address.bits, 4)
            }
            Kind::Address | Kind::Double => self.memory(site.rank, address.bits).load(address.bits, 8),
            Kind::String => {
                let length = length.map_or(0, |length| length.bits.min(1 << 16));
                let text = self.memory(site.rank, address.bits).bytes(address.bits, length);
                let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
                let memory = &mut self.processes.of_mut(site.rank).memory;
                let copy = memory.allocate(length + 1, "");
                memory.write(copy, &text[..end]);
                Scalar::known(copy)
            }
            Kind::Choice | Kind::Pointer | Kind::Status | Kind::Procedure => address,
        }
    }

    /// The common block that stands for a special argument, if the address is that of one.
    fn special_place(&self, site: &Site, address: u64) -> Option<String> {
        let (base, object) = self.processes.of(site.rank).memory.object(address)?;
        (base == address && object.name.starts_with("farside_")).then(|| object.name.clone())
    }

    /// Fortran counts the requests of an array from one (MPI-4.1 §3.7.5).
    fn indices_from_one(&mut self, site: &Site, procedure: &Procedure, a: &[Scalar]) {
        let raise = |job: &mut Self, at: u64| {
            let index = job.int_at(site, at);
            if index != job.abi.numbers.undefined {
                job.put_int(site, at, index + 1);
            }
        };
        match (procedure.procedure, a) {
            (calls::Procedure::Waitany | calls::Procedure::Testany, [_, _, index, ..]) => {
                raise(self, index.bits)
            }
            (calls::Procedure::Waitsome | calls::Procedure::Testsome, [_, _, count, indices, ..]) => {
                for index in 0..self.int_at(site, count.bits).clamp(0, 1 << 16) as u64 {
                    raise(self, indices.bits + 4 * index);
                }
            }
            _ => {}
        }
    }
}
