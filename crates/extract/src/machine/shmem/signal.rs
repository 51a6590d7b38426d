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
    pub(super) fn put_to(&mut self, pe: &Value, place: PlaceId) {
        self.put_to_some(target_of(pe), place);
    }

    /// There may be one to any process.
    pub(super) fn put_to_anybody(&mut self, place: PlaceId) {
        self.put_to_some(None, place);
    }

    fn put_to_some(&mut self, target: Option<u32>, place: PlaceId) {
        if !self.knowledge.has_signals() {
            return;
        }
        if self.state.progress().is_held(self.context, target) {
            self.less(
                place,
                "a put may come before the data of an earlier put whose signal was added to (OpenSHMEM 1.5 §9.8.3): \
                 that is not followed",
            );
        }
        self.state.progress_mut().put_to(self.context, target);
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
        let Some(operation) = constant(operation, 32) else {
            return Err(self.lost(place, "a put of which it is not known what it does to its signal"));
        };
        let sets = operation == wait::signal_set(self.module);
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
        self.put_to(pe, place);
        let bytes = size.saturating_mul(self.count(count, place)?);
        let flag = self.shared_bytes(signal, SIGNAL, place)?;
        self.note_together(&flag, place);
        let rank = self.pe(pe, place)?;
        let value = match sets {
            true => self.written_to(&flag, value, 8 * SIGNAL as u32),
            false => self.added(signal, value, SIGNAL, place)?,
        };
        if bytes == 0 {
            let flag = self.address_of(&flag);
            let call = if sets { "shmem_p" } else { "shmem_atomic_add" };
            self.emit_call(call, vec![flag, value, rank], place);
            return Ok(());
        }
        let (to, from) = self.both_sides((dest, source), bytes, place)?;
        if self.is_together(&to) || self.is_together(&from) {
            return Err(self.lost(place, "memory that is taken apart in too many places"));
        }
        self.pass_loss(&from, &to);
        let word = if sets {
            "SHMEM_SIGNAL_SET"
        } else {
            self.state.progress_mut().hold_puts(self.context, target_of(pe));
            "SHMEM_SIGNAL_ADD"
        };
        let arguments = vec![
            self.address_of(&to),
            self.address_of(&from),
            number(to.count() as i64),
            self.address_of(&flag),
            value,
            Written::Value(Target::Name(name(word))),
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
                self.put_to(pe, place);
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
