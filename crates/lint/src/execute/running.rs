//! A thread that takes a step, with all that the step may concern: every instruction is followed.

use super::access;
use super::concrete::{Concrete, Ranks};
use super::machine::{Domain, Machine};
use crate::execute::Job;
use crate::ir::{Action, Conversion, Operand, Ordering, PlaceId, Register, Type};
use crate::memory::Origin;
use crate::site::At;
use crate::value::{Scalar, UNCOMPUTED, Value};
use farside_events::AccessKind;
use std::convert::Infallible;

/// A thread of a job, at its instruction.
pub(super) struct Running<'j, 'm> {
    job: &'j mut Job<'m>,
    at: At,
}

impl<'j, 'm> Running<'j, 'm> {
    pub(super) fn new(job: &'j mut Job<'m>, at: At) -> Self {
        Self { job, at }
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        Self::Scalar(scalar)
    }
}

impl Machine for Running<'_, '_> {
    type Domain = Concrete;
    type Number = Scalar;
    type Value = Value;
    type Stop = Infallible;

    fn number(&mut self, operand: &Operand) -> Result<Scalar, Infallible> {
        Ok(self.job.scalar(self.at, operand))
    }

    fn value(&mut self, operand: &Operand) -> Result<Value, Infallible> {
        Ok(self.job.value(self.at, operand))
    }

    fn unnamed(&mut self) -> Result<Value, Infallible> {
        Ok(Value::default())
    }

    fn set(&mut self, register: Register, value: Value) {
        self.job.frame(self.at).set(register, value);
    }

    fn notes(&mut self) -> Ranks<'_> {
        Ranks::new(self.job.size, self.job.notes.of_values())
    }

    fn load(
        &mut self,
        address: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        place: PlaceId,
    ) -> Result<Value, Infallible> {
        let at = self.at;
        let operand = address;
        let address = self.job.deciding(at, operand);
        let source = access::source(atomic);
        if self.job.processes.is_tracked(at.rank, address, ty.size()) {
            self.job.still.ask(at);
        }
        self.job
            .access(at, AccessKind::Load, address, ty.size(), source, place);
        self.job.after_atomic(at, address, atomic);
        let value = self.job.load(at.rank, address, ty);
        if matches!(ty, Type::Pointer) {
            let chosen = self.job.scalar(at, operand);
            self.job.choose_function(at, chosen, &value);
        }
        Ok(value)
    }

    fn store(
        &mut self,
        address: &Operand,
        value: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        place: PlaceId,
    ) -> Result<(), Infallible> {
        let at = self.at;
        let address = self.job.deciding(at, address);
        let value = self.value(value)?;
        self.job.before_atomic(at, address, atomic);
        let source = access::source(atomic);
        self.job
            .access(at, AccessKind::Store, address, ty.size(), source, place);
        self.job.store(at.rank, address, ty, &value);
        Ok(())
    }

    fn decide(&mut self, condition: Scalar) -> Result<bool, Infallible> {
        Ok(self.job.decide(self.at, condition))
    }

    /// Nothing depends on a condition that was not computed until something depends on the value.
    fn select(&mut self, condition: Scalar, yes: &Operand, no: &Operand) -> Result<Value, Infallible> {
        let sample = if condition.bits & 1 == 1 { yes } else { no };
        if let (true, Value::Scalar(Scalar { bits, .. })) = (condition.is_uncomputed(), self.value(sample)?) {
            return Ok(Value::Scalar(Scalar {
                bits,
                symbol: UNCOMPUTED,
            }));
        }
        let chosen = if self.decide(condition)? { yes } else { no };
        self.value(chosen)
    }

    fn special(&mut self, action: &Action, place: PlaceId) -> Result<Value, Infallible> {
        let at = self.at;
        Ok(match action {
            Action::Allocate {
                size,
                count,
                name,
                declared,
                arrays,
            } => {
                let is_settled = matches!(count, Operand::Integer(_));
                let count = self.job.deciding(at, count).min(1 << 32);
                let process = self.job.processes.of_mut(at.rank);
                let origin = if *declared { Origin::Local } else { Origin::Made };
                let size = size.saturating_mul(count);
                let arrays = arrays.clone().filter(|_| count == 1);
                let base = process.memory_mut().add(size, name, (origin, arrays));
                if is_settled {
                    process.memory_mut().settle(base);
                }
                self.job.frame(at).add_local(base);
                Value::known(base)
            }
            Action::Extract { aggregate, path } => self.value(aggregate)?.field(path),
            Action::Insert {
                aggregate,
                value,
                path,
            } => {
                let value = self.value(value)?;
                self.value(aggregate)?.with_field(path, value)
            }
            Action::Fence(ordering) => {
                self.job.fence(at, *ordering);
                Value::default()
            }
            Action::LandingPad => self.job.landing(at),
            // The program computes it, as it does what is not computed here.
            Action::Unknown => Value::Scalar(Scalar::uncomputed()),
            exchange => self.job.exchange(at, exchange, place),
        })
    }

    /// Of an aggregate, as of a vector, there are no numbers to convert.
    fn convert(
        &mut self,
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: &Operand,
    ) -> Result<Value, Infallible> {
        Ok(match self.value(value)? {
            Value::Scalar(value) => {
                let Ok(value) = Concrete::<Infallible>::convert(conversion, from, to, value, self.notes());
                Value::Scalar(value)
            }
            aggregate => aggregate,
        })
    }
}
