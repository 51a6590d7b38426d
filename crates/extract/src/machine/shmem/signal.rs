//! Puts with a signal, and puts of elements that lie apart.

use super::together::MOST_ELEMENTS;
use super::wait;
use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::program::{name, number};
use crate::value::Value;
use farside_lint::ir::PlaceId;
use farside_pgas::ast::{Expression as Written, Target};

/// Bytes of a signal.
const SIGNAL: u64 = 8;

/// The process of a put, if it is known before a run.
fn target_of(pe: &Value) -> Option<u32> {
    constant(pe, 32).and_then(|pe| u32::try_from(pe).ok())
}

impl Machine<'_> {
    /// There is a put to a process, which may be on its way when a later one is.
    pub(super) fn put_to(&mut self, pe: &Value) {
        if self.knowledge.has_signals() {
            self.state.progress_mut().put_to(self.context, target_of(pe));
        }
    }

    /// There may be one to any process.
    pub(super) fn put_to_anybody(&mut self) {
        if self.knowledge.has_signals() {
            self.state.progress_mut().put_to(self.context, None);
        }
    }

    /// `shmem_put_signal`. The calculus has its signal after all earlier puts to the process; the standard only after
    /// its own data, which matters where another put may be on its way.
    pub(super) fn put_with_signal(
        &mut self,
        kind: &str,
        values: &[Value],
        size: u64,
        place: PlaceId,
    ) -> Followed<()> {
        let [dest, source, count, signal, value, operation, pe] = values else {
            return Err(self.lost(place, &format!("a call of shmem_{kind}, which is not followed")));
        };
        if constant(operation, 32) != Some(wait::signal_set(self.module)) {
            return Err(self.lost(place, "a put with SHMEM_SIGNAL_ADD, which is not followed"));
        }
        self.knowledge.signal();
        if self
            .state
            .progress()
            .may_be_on_its_way(self.context, target_of(pe))
        {
            self.less(
                place,
                "a signal comes after the data of its own call, not after earlier puts to the process (OpenSHMEM 1.5 \
                 §9.8.3): that it may come before these is not followed",
            );
        }
        self.put_to(pe);
        let bytes = size.saturating_mul(self.count(count, place)?);
        let flag = self.shared_bytes(signal, SIGNAL, place)?;
        self.note_together(&flag, place);
        let rank = self.pe(pe, place)?;
        let value = self.written_to(&flag, value, 8 * SIGNAL as u32);
        if bytes == 0 {
            let flag = self.address_of(&flag);
            self.emit_call("shmem_p", vec![flag, value, rank], place);
            return Ok(());
        }
        let (to, from) = self.both_sides((dest, source), bytes, place)?;
        if self.is_together(&to) || self.is_together(&from) {
            return Err(self.lost(place, "memory that is taken apart in too many places"));
        }
        self.pass_loss(&from, &to);
        let arguments = vec![
            self.address_of(&to),
            self.address_of(&from),
            number(to.count() as i64),
            self.address_of(&flag),
            value,
            Written::Value(Target::Name(name("SHMEM_SIGNAL_SET"))),
            rank,
        ];
        self.emit_call(&format!("shmem_{kind}"), arguments, place);
        Ok(())
    }

    /// `shmem_iput` and `shmem_iget`: one transfer an element.
    pub(super) fn strided(
        &mut self,
        kind: &str,
        (dest, further): (&Value, &Value),
        (source, apart): (&Value, &Value),
        (count, size): (&Value, u64),
        pe: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let elements = self.count(count, place)?;
        let (further, apart) = (self.count(further, place)?, self.count(apart, place)?);
        if elements > MOST_ELEMENTS {
            let text = format!("a transfer of more than {MOST_ELEMENTS} elements that lie apart");
            return Err(self.lost(place, &text));
        }
        let plain = match kind {
            "iput" => {
                self.put_to(pe);
                "put"
            }
            _ => "get",
        };
        for at in 0..elements {
            let to = self.moved(dest, at * further * size, place)?;
            let from = self.moved(source, at * apart * size, place)?;
            self.transfer(plain, (&to, &from), size, pe, place)?;
        }
        Ok(())
    }
}
