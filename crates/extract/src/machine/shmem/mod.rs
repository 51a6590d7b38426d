//! Calls of OpenSHMEM. What a call means is not said here but in `dialects/shmem.calls` of `farside-pgas`: a call is
//! left as a call of that table, with its arguments in the terms of the calculus.

mod atomic;
mod context;
mod lock;
mod several;
mod signal;
mod team;
mod together;
mod wait;

use super::{Followed, Machine, Stop};
use crate::program::{name, number, written};
use crate::tables::{Object, ObjectKind, Tables};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{Call, Expression as Written, StatementKind};

/// Types that stand in names of calls, and their bytes.
const TYPES: &[(&str, u64)] = &[
    ("char", 1),
    ("schar", 1),
    ("uchar", 1),
    ("short", 2),
    ("ushort", 2),
    ("int", 4),
    ("uint", 4),
    ("long", 8),
    ("ulong", 8),
    ("longlong", 8),
    ("ulonglong", 8),
    ("int8", 1),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("uint8", 1),
    ("uint16", 2),
    ("uint32", 4),
    ("uint64", 8),
    ("size", 8),
    ("ptrdiff", 8),
    ("float", 4),
    ("double", 8),
    ("longdouble", 16),
];

/// A call's name without its type, and the bytes of an element.
fn parts(call: &str) -> (String, u64) {
    let typed = call.split_once('_').and_then(|(first, rest)| {
        let (_, size) = TYPES.iter().find(|(name, _)| *name == first)?;
        Some((rest.to_owned(), *size))
    });
    if let Some(typed) = typed {
        return typed;
    }
    for way in [
        "put",
        "get",
        "iput",
        "iget",
        "broadcast",
        "collect",
        "fcollect",
        "alltoalls",
        "alltoall",
    ] {
        let Some(rest) = call.strip_prefix(way) else {
            continue;
        };
        let ends = ["_signal_nbi", "_signal", "_nbi"];
        let end = ends.into_iter().find(|end| rest.ends_with(end)).unwrap_or("");
        let width = &rest[..rest.len() - end.len()];
        let size = match width {
            "mem" => Some(1),
            _ => width.parse::<u64>().ok().map(|bits| bits / 8),
        };
        if let Some(size) = size {
            return (format!("{way}{end}"), size);
        }
    }
    (call.to_owned(), 8)
}

impl Machine<'_> {
    pub(super) fn shmem(
        &mut self,
        call: &str,
        values: &[Value],
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        if let Some(call) = call.strip_prefix("ctx_") {
            return self.context_call(call, values, result, place);
        }
        if let Some(call) = call.strip_prefix("team_") {
            return self.team_call(call, values, place);
        }
        let (kind, size) = parts(call);
        match (kind.as_str(), values) {
            ("my_pe", _) => return Ok(Some(Value::Known(u64::from(self.rank)))),
            ("n_pes", _) => return Ok(Some(Value::Known(u64::from(self.ranks)))),
            ("init" | "finalize" | "free", _) => {
                // Both end with a barrier of all, after the quiet of each (OpenSHMEM 1.5 §9.1, §9.3.1).
                if kind != "init" {
                    self.emit_call("shmem_barrier_all", Vec::new(), place);
                }
            }
            ("init_thread", _) => return Ok(Some(Value::Known(0))),
            ("global_exit", _) => return Err(Stop::End),
            // All processes come before it and after it (§9.3.1).
            ("realloc", [old, bytes]) => return self.realloc(old, bytes, place),
            ("ptr", [_, _]) => return self.no_pointer(result, place),
            ("malloc", [bytes]) => return self.symmetric(bytes, false, place),
            ("align", [_, bytes]) => return self.symmetric(bytes, false, place),
            ("calloc", [count, bytes]) => {
                let bytes = self
                    .count(count, place)?
                    .saturating_mul(self.count(bytes, place)?);
                return self.symmetric(&Value::Known(bytes), true, place);
            }
            ("fence" | "quiet" | "barrier_all" | "sync_all", []) => {
                if kind != "sync_all" {
                    self.state.progress_mut().order_puts(self.context);
                }
                self.emit_call(&format!("shmem_{kind}"), Vec::new(), place);
            }
            ("put" | "put_nbi", [dest, source, count, pe]) => {
                let bytes = size.saturating_mul(self.count(count, place)?);
                self.put_to(pe, place);
                self.transfer(&kind, (dest, source), bytes, pe, place)?;
            }
            ("get" | "get_nbi", [dest, source, count, pe]) => {
                let bytes = size.saturating_mul(self.count(count, place)?);
                self.transfer(&kind, (dest, source), bytes, pe, place)?;
            }
            ("iput" | "iget", [dest, source, further, apart, count, pe]) => {
                self.strided(&kind, (dest, further), (source, apart), (count, size), pe, place)?;
            }
            ("p", [dest, value, pe]) => {
                self.put_to(pe, place);
                let bytes = self.shared_bytes(dest, size, place)?;
                self.note_together(&bytes, place);
                let rank = self.pe(pe, place)?;
                let value = self.written_to(&bytes, value, 8 * size as u32);
                let dest = self.address_of(&bytes);
                self.emit_call("shmem_p", vec![dest, value, rank], place);
            }
            ("g", [source, pe]) => {
                return self.fetching("shmem_g", source, Vec::new(), (pe, size), result, place);
            }
            ("wait_until", [ivar, comparison, value]) => {
                self.wait_until(ivar, comparison, value, size, place)?
            }
            ("wait", [ivar, value]) => {
                self.wait_for(ivar, "SHMEM_CMP_NE", value, size, place)?;
            }
            ("test", [ivar, comparison, value]) => {
                return self.test(ivar, comparison, value, size, result, place);
            }
            _ if ["wait_until_", "test_a", "test_some"]
                .iter()
                .any(|begin| kind.starts_with(begin)) =>
            {
                return self.several(&kind, values, size, result, place);
            }
            ("set_lock" | "clear_lock" | "test_lock", [lock]) => {
                return self.lock(&kind, lock, result, place);
            }
            ("put_signal" | "put_signal_nbi", _) => self.put_with_signal(&kind, values, size, place)?,
            ("signal_wait_until", [sig, comparison, value]) => {
                self.wait_until(sig, comparison, value, 8, place)?;
                return Ok(Some(self.load(sig, &Type::Integer(64), u32::MAX - 1, place)?));
            }
            ("signal_fetch", [sig]) => {
                return Ok(Some(self.load(sig, &Type::Integer(64), u32::MAX - 1, place)?));
            }
            _ if self.collective_of_all(&kind, values, size, place)? => return Ok(Some(Value::Known(0))),
            _ => {
                if !is_over_when_it_returns(&kind) {
                    self.put_to_anybody(place);
                }
                return self.atomic(&kind, values, size, result, place);
            }
        }
        Ok(None)
    }

    /// Symmetric memory: the same in all processes, if all allocate in the same order, as they must. All calls that
    /// allocate end with a barrier (OpenSHMEM 1.5 §9.3.1).
    fn symmetric(&mut self, bytes: &Value, zero: bool, place: PlaceId) -> Followed<Option<Value>> {
        let object = self.symmetric_object(bytes, place)?;
        let size = self.tables.size(object);
        let address = Value::Known(Tables::address(object, 0));
        if zero && !self.knowledge.is_shared_object(object) {
            self.fill(&address, &Value::Known(0), size, place)?;
        }
        self.emit_call("shmem_barrier_all", Vec::new(), place);
        Ok(Some(address))
    }

    fn symmetric_object(&mut self, bytes: &Value, place: PlaceId) -> Followed<Object> {
        let size = self.count(bytes, place)?;
        let count = self.state.next_symmetric();
        let object = self
            .tables
            .object(ObjectKind::Symmetric(count), size, "symmetric");
        if self.tables.size(object) != size {
            return Err(self.lost(place, "symmetric memory of a size that differs between ranks"));
        }
        Ok(object)
    }

    /// `shmem_realloc`: other memory, with what the old one had.
    fn realloc(&mut self, old: &Value, bytes: &Value, place: PlaceId) -> Followed<Option<Value>> {
        let known = match *old {
            Value::Known(0) => return self.symmetric(bytes, false, place),
            Value::Known(address) => self.tables.at(address),
            _ => None,
        };
        let Some((object, 0)) = known else {
            return Err(self.lost(place, "symmetric memory that is not known"));
        };
        self.state.progress_mut().order_puts(None);
        self.emit_call("shmem_barrier_all", Vec::new(), place);
        let kept = self.tables.size(object).min(self.count(bytes, place)?);
        let new = self.symmetric_object(bytes, place)?;
        let new = Value::Known(Tables::address(new, 0));
        self.copy(&new, old, kept, place)?;
        self.emit_call("shmem_barrier_all", Vec::new(), place);
        Ok(Some(new))
    }

    /// `shmem_ptr` may find no way to the memory of another process; loads and stores by one that it found are not
    /// followed.
    fn no_pointer(&mut self, result: Option<u32>, place: PlaceId) -> Followed<Option<Value>> {
        self.any(2, place, &mut |machine, way| {
            if way == 1 {
                return Err(machine.lost(
                    place,
                    "memory of another process by shmem_ptr, which is not followed",
                ));
            }
            machine.give_result(result, 0);
            Ok(())
        })?;
        Ok(None)
    }

    pub(super) fn emit_call(&mut self, call: &str, arguments: Vec<Written>, place: PlaceId) {
        let call = self.written_call(call, arguments);
        self.emit(StatementKind::Call { into: None, call }, place);
    }

    /// A call of the table, on the context that the program names.
    fn written_call(&self, call: &str, mut arguments: Vec<Written>) -> Call {
        let call = match self.context {
            Some(context) => {
                arguments.insert(0, number(i64::from(context)));
                call.replacen("shmem_", "shmem_ctx_", 1)
            }
            None => call.to_owned(),
        };
        Call {
            name: name(&call),
            arguments,
        }
    }

    pub(super) fn pe(&mut self, pe: &Value, place: PlaceId) -> Followed<Written> {
        Ok(written(&self.number_of(pe, 32, "a process", place)?))
    }

    fn transfer(
        &mut self,
        kind: &str,
        (dest, source): (&Value, &Value),
        bytes: u64,
        pe: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        if bytes == 0 {
            return Ok(());
        }
        let rank = self.pe(pe, place)?;
        let (to, from) = self.both_sides((dest, source), bytes, place)?;
        self.pass_loss(&from, &to);
        self.note_together(&to, place);
        self.note_together(&from, place);
        let arguments = vec![
            self.address_of(&to),
            self.address_of(&from),
            number(to.count() as i64),
            rank,
        ];
        let call = StatementKind::Call {
            into: None,
            call: self.written_call(&format!("shmem_{kind}"), arguments),
        };
        if self.is_together(&to) || self.is_together(&from) {
            // One location stands for many: it is transferred as often as it may be.
            let at = self.place(place);
            let turn = farside_pgas::ast::Statement {
                kind: call,
                place: at,
            };
            self.emit(StatementKind::Loop(vec![turn]), place);
        } else {
            self.emit(call, place);
        }
        Ok(())
    }
}

/// Whether a call is an atomic operation that gives what its target held, and so has taken effect when it returns
/// (OpenSHMEM 1.5 §9.7).
fn is_over_when_it_returns(kind: &str) -> bool {
    let gives = ["fadd", "finc", "swap", "cswap", "fetch", "compare_swap"];
    let kind = kind.strip_prefix("atomic_").unwrap_or(kind);
    !kind.ends_with("_nbi") && (gives.contains(&kind) || kind.starts_with("fetch_"))
}
