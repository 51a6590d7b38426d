//! Calls of OpenSHMEM. What a call means is not said here but in `dialects/shmem.calls` of `farside-pgas`: a call is left
//! as a call of that table, with its arguments in the terms of the calculus.

use super::memory::{Bytes, constant};
use super::{Followed, Machine, Stop};
use crate::expression::Expression;
use crate::program::{name, number, register, written};
use crate::tables::{ObjectKind, RegisterUse, Tables};
use crate::value::Value;
use farside_lint::ir::{Operand, PlaceId};
use farside_pgas::ast::{Call, Expression as Written, StatementKind, Target};

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

/// Where the lint's front leaves the constants of the header.
const CONSTANTS: &str = "farside_shmem_constants";
const COMPARISONS: [&str; 6] = [
    "SHMEM_CMP_EQ",
    "SHMEM_CMP_NE",
    "SHMEM_CMP_GT",
    "SHMEM_CMP_GE",
    "SHMEM_CMP_LT",
    "SHMEM_CMP_LE",
];
/// Those of Open MPI's header.
const USUAL: [i64; 6] = [0, 1, 2, 5, 4, 3];

/// A call's name without its type, and the bytes of an element.
fn parts(call: &str) -> (String, u64) {
    let typed = call.split_once('_').and_then(|(first, rest)| {
        let (_, size) = TYPES.iter().find(|(name, _)| *name == first)?;
        Some((rest.to_owned(), *size))
    });
    if let Some(typed) = typed {
        return typed;
    }
    for way in ["put", "get", "iput", "iget"] {
        let Some(rest) = call.strip_prefix(way) else {
            continue;
        };
        let (width, end) = match rest.strip_suffix("_nbi") {
            Some(width) => (width, "_nbi"),
            None => (rest, ""),
        };
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
            ("malloc", [bytes]) => return self.symmetric(bytes, false, place),
            ("align", [_, bytes]) => return self.symmetric(bytes, false, place),
            ("calloc", [count, bytes]) => {
                let bytes = self
                    .count(count, place)?
                    .saturating_mul(self.count(bytes, place)?);
                return self.symmetric(&Value::Known(bytes), true, place);
            }
            ("fence" | "quiet" | "barrier_all" | "sync_all", []) => {
                self.emit_call(&format!("shmem_{kind}"), Vec::new(), place);
            }
            ("put" | "put_nbi", [dest, source, count, pe]) => {
                let bytes = size.saturating_mul(self.count(count, place)?);
                self.transfer(&kind, (dest, source), bytes, pe, place)?;
            }
            ("get" | "get_nbi", [dest, source, count, pe]) => {
                let bytes = size.saturating_mul(self.count(count, place)?);
                self.transfer(&kind, (dest, source), bytes, pe, place)?;
            }
            ("p", [dest, value, pe]) => {
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
            ("set_lock" | "clear_lock" | "test_lock", [lock]) => {
                return self.lock(&kind, lock, result, place);
            }
            _ => return self.atomic(&kind, values, size, result, place),
        }
        Ok(None)
    }

    /// Symmetric memory: the same in all processes, if all allocate in the same order, as they must. All calls that
    /// allocate end with a barrier (OpenSHMEM 1.5 §9.3.1).
    fn symmetric(&mut self, bytes: &Value, zero: bool, place: PlaceId) -> Followed<Option<Value>> {
        let size = self.count(bytes, place)?;
        let count = self.state.next_symmetric();
        let object = self
            .tables
            .object(ObjectKind::Symmetric(count), size, "symmetric");
        if self.tables.size(object) != size {
            return Err(self.lost(place, "symmetric memory of a size that differs between ranks"));
        }
        let address = Value::Known(Tables::address(object, 0));
        if zero && !self.knowledge.is_shared_object(object) {
            self.fill(&address, &Value::Known(0), size, place)?;
        }
        self.emit_call("shmem_barrier_all", Vec::new(), place);
        Ok(Some(address))
    }

    fn emit_call(&mut self, call: &str, arguments: Vec<Written>, place: PlaceId) {
        let call = Call {
            name: name(call),
            arguments,
        };
        self.emit(StatementKind::Call { into: None, call }, place);
    }

    fn pe(&mut self, pe: &Value, place: PlaceId) -> Followed<Written> {
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
            call: Call {
                name: name(&format!("shmem_{kind}")),
                arguments,
            },
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

    /// A call that gives what remote memory held.
    fn fetching(
        &mut self,
        call: &str,
        at: &Value,
        operands: Vec<Written>,
        (pe, size): (&Value, u64),
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let bytes = self.shared_bytes(at, size, place)?;
        if bytes.count() != 1 {
            return Err(self.lost(place, "an element that is taken apart elsewhere"));
        }
        self.note_together(&bytes, place);
        let rank = self.pe(pe, place)?;
        let mut arguments = vec![self.address_of(&bytes)];
        arguments.extend(operands);
        arguments.push(rank);
        let of = match result {
            Some(result) => RegisterUse::Local(self.path(), result),
            None => RegisterUse::Unused,
        };
        let into = if self.is_exact(&bytes) {
            register(self.tables.register(of.clone()))
        } else {
            self.unused()
        };
        let call = Call {
            name: name(call),
            arguments,
        };
        let into = Some(into);
        self.emit(StatementKind::Call { into, call }, place);
        Ok(Some(self.read_from(&bytes, of, place)))
    }

    fn atomic(
        &mut self,
        kind: &str,
        values: &[Value],
        size: u64,
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        // The names of OpenSHMEM 1.3 and earlier.
        let kind = match kind {
            "fadd" | "finc" | "add" | "inc" | "swap" | "cswap" | "fetch" | "set" => kind.to_owned(),
            other => match other.strip_prefix("atomic_") {
                Some("fetch_add") => "fadd".to_owned(),
                Some("fetch_inc") => "finc".to_owned(),
                Some("compare_swap") => "cswap".to_owned(),
                Some(rest) => rest.to_owned(),
                None => {
                    return Err(self.lost(place, &format!("a call of shmem_{other}, which is not followed")));
                }
            },
        };
        let bits = 8 * size as u32;
        match (kind.as_str(), values) {
            ("fadd", [at, value, pe]) => {
                let added = self.added(at, value, size, place)?;
                self.fetching(
                    "shmem_atomic_fetch_add",
                    at,
                    vec![added],
                    (pe, size),
                    result,
                    place,
                )
            }
            ("finc", [at, pe]) => {
                let added = self.added(at, &Value::Known(1), size, place)?;
                self.fetching(
                    "shmem_atomic_fetch_add",
                    at,
                    vec![added],
                    (pe, size),
                    result,
                    place,
                )
            }
            ("swap", [at, value, pe]) => {
                let bytes = self.shared_bytes(at, size, place)?;
                let value = self.written_to(&bytes, value, bits);
                self.fetching("shmem_atomic_swap", at, vec![value], (pe, size), result, place)
            }
            ("fetch", [at, pe]) => {
                self.fetching("shmem_atomic_fetch", at, Vec::new(), (pe, size), result, place)
            }
            ("cswap", [at, expected, value, pe]) => {
                let bytes = self.shared_bytes(at, size, place)?;
                // Whether it writes depends on what is there.
                self.follow(&bytes);
                if !self.is_exact(&bytes) {
                    self.inexact(place, "whether a compare-and-swap writes is not known");
                }
                let expected = self.written_to(&bytes, expected, bits);
                let value = self.written_to(&bytes, value, bits);
                let operands = vec![expected, value];
                self.fetching(
                    "shmem_atomic_compare_swap",
                    at,
                    operands,
                    (pe, size),
                    result,
                    place,
                )
            }
            ("add", [at, value, pe]) => self.update("shmem_atomic_add", at, Some(value), (pe, size), place),
            ("inc", [at, pe]) => {
                self.update("shmem_atomic_add", at, Some(&Value::Known(1)), (pe, size), place)
            }
            ("set", [at, value, pe]) => {
                let bytes = self.shared_bytes(at, size, place)?;
                self.note_together(&bytes, place);
                let rank = self.pe(pe, place)?;
                let value = self.written_to(&bytes, value, bits);
                let at = self.address_of(&bytes);
                self.emit_call("shmem_atomic_set", vec![at, value, rank], place);
                Ok(None)
            }
            // What they make of the bits is not followed; that they read and write at once is.
            ("fetch_and" | "fetch_or" | "fetch_xor", [at, _, pe]) => {
                self.lose(at, size, place)?;
                self.fetching(
                    "shmem_atomic_fetch_add",
                    at,
                    vec![number(0)],
                    (pe, size),
                    result,
                    place,
                )
            }
            ("and" | "or" | "xor", [at, _, pe]) => {
                self.lose(at, size, place)?;
                self.update("shmem_atomic_add", at, None, (pe, size), place)
            }
            _ => Err(self.lost(place, &format!("a call of shmem_{kind}, which is not followed"))),
        }
    }

    fn lose(&mut self, at: &Value, size: u64, place: PlaceId) -> Followed<()> {
        let bytes = self.shared_bytes(at, size, place)?;
        if self.is_exact(&bytes) {
            self.forget(&bytes);
        }
        Ok(())
    }

    /// What is added to an element: nothing, if its value decides nothing.
    fn added(&mut self, at: &Value, value: &Value, size: u64, place: PlaceId) -> Followed<Written> {
        let bytes = self.shared_bytes(at, size, place)?;
        if !self.is_exact(&bytes) {
            return Ok(number(0));
        }
        Ok(match value.number(8 * size as u32) {
            Some(value) => written(&value),
            None => {
                // As for what is written: its value is followed, or that of the element is not.
                self.written_to(&bytes, value, 8 * size as u32)
            }
        })
    }

    fn update(
        &mut self,
        call: &str,
        at: &Value,
        value: Option<&Value>,
        (pe, size): (&Value, u64),
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let bytes = self.shared_bytes(at, size, place)?;
        self.note_together(&bytes, place);
        let rank = self.pe(pe, place)?;
        let added = match value {
            Some(value) => self.added(at, value, size, place)?,
            None => number(0),
        };
        let at = self.address_of(&bytes);
        self.emit_call(call, vec![at, added, rank], place);
        Ok(None)
    }

    /// The word for a comparison, by the header that the program was compiled with.
    fn comparison(&mut self, comparison: &Value, place: PlaceId) -> Followed<&'static str> {
        let module = self.module;
        let holder = module.globals.iter().find(|global| global.name == CONSTANTS);
        let numbers: Vec<i64> = match holder {
            Some(global) => (0..6)
                .map(|index| {
                    let at = 4 * index as u64;
                    let initial = global.initial.iter().find(|(offset, _, _)| *offset == at);
                    match initial {
                        Some((_, _, Operand::Integer(value))) => *value as i64,
                        _ => 0,
                    }
                })
                .collect(),
            None => USUAL.to_vec(),
        };
        let which =
            constant(comparison, 32).and_then(|value| numbers.iter().position(|number| *number == value));
        match which.and_then(|which| COMPARISONS.get(which)) {
            Some(word) => Ok(word),
            None => Err(self.lost(place, "a comparison that is not known")),
        }
    }

    fn wait_until(
        &mut self,
        ivar: &Value,
        comparison: &Value,
        value: &Value,
        size: u64,
        place: PlaceId,
    ) -> Followed<()> {
        let word = self.comparison(comparison, place)?;
        self.wait_for(ivar, word, value, size, place)
    }

    /// What is waited for, if it can be followed.
    fn awaited(
        &mut self,
        ivar: &Value,
        value: &Value,
        size: u64,
        place: PlaceId,
    ) -> Followed<(Bytes, Option<Written>)> {
        let bytes = self.shared_bytes(ivar, size, place)?;
        self.note_together(&bytes, place);
        self.follow(&bytes);
        let number = value.number(8 * size as u32);
        if number.is_none() {
            // Follows what the value depends on, if it can be.
            let _ = self.number_of(value, 32, "a value that is waited for", place);
        }
        let exact = self.is_exact(&bytes);
        Ok((
            bytes,
            number
                .filter(|_| exact)
                .map(|number| written(&self.biased(&number))),
        ))
    }

    fn wait_for(
        &mut self,
        ivar: &Value,
        word: &str,
        value: &Value,
        size: u64,
        place: PlaceId,
    ) -> Followed<()> {
        let (bytes, value) = self.awaited(ivar, value, size, place)?;
        if let Some(value) = value {
            let at = self.address_of(&bytes);
            let word = Written::Value(Target::Name(name(word)));
            self.emit_call("shmem_wait_until", vec![at, word, value], place);
        } else {
            // It goes on with any value.
            self.inexact(place, "what is waited for is not known");
            let from = self.target(&bytes);
            let into = self.unused();
            let value = Written::Value(from);
            self.emit(StatementKind::Assign { into, value }, place);
        }
        Ok(())
    }

    fn test(
        &mut self,
        ivar: &Value,
        comparison: &Value,
        value: &Value,
        size: u64,
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let word = self.comparison(comparison, place)?;
        let (bytes, value) = self.awaited(ivar, value, size, place)?;
        let (Some(value), Some(result)) = (value, result) else {
            return Err(self.lost(place, "what is tested for is not known"));
        };
        // A truth, to which no bias is added: a register of its own that is compared with 0.
        let of = RegisterUse::Local(self.path(), result);
        let index = self.tables.register(of);
        let at = self.address_of(&bytes);
        let word = Written::Value(Target::Name(name(word)));
        let call = Call {
            name: name("shmem_test"),
            arguments: vec![at, word, value],
        };
        let into = Some(register(index));
        self.emit(StatementKind::Call { into, call }, place);
        let not_zero = farside_pgas::ast::BinaryOperator::NotEqual;
        let truth = Expression::binary(not_zero, &Expression::Register(index), &Expression::Number(0));
        Ok(truth.map(Value::Dynamic))
    }

    /// Locks: at process 0, taken by compare-and-swap until it succeeds. The standard does not say that they are made so;
    /// what a failed try reads may be more than a library reads.
    fn lock(
        &mut self,
        kind: &str,
        lock: &Value,
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let first = Value::Known(0);
        let own = Value::Known(u64::from(self.rank) + 1);
        self.inexact(
            place,
            "a lock is taken for a loop of compare-and-swap at process 0",
        );
        let bytes = self.shared_bytes(lock, 8, place)?;
        self.follow(&bytes);
        match kind {
            "clear_lock" => {
                // It completes all that was begun before (OpenSHMEM 1.5 §9.11.1).
                self.emit_call("shmem_quiet", Vec::new(), place);
                self.atomic("swap", &[lock.clone(), Value::Known(0), first], 8, None, place)?;
                Ok(None)
            }
            "test_lock" => {
                let values = [lock.clone(), Value::Known(0), own, first];
                let old = self.atomic("cswap", &values, 8, result, place)?;
                let old = old.unwrap_or(Value::Known(0));
                Ok(Some(self.compare(
                    farside_lint::ir::Predicate::Ne,
                    64,
                    &old,
                    &Value::Known(0),
                    place,
                )))
            }
            _ => {
                let register = RegisterUse::Exchange(u32::MAX);
                self.spin(&bytes, &own, register, place)?;
                Ok(None)
            }
        }
    }

    /// `do old = compare_swap(lock, 0, own) while old != 0`
    fn spin(&mut self, bytes: &Bytes, own: &Value, of: RegisterUse, place: PlaceId) -> Followed<()> {
        let free = self.written_to(bytes, &Value::Known(0), 64);
        let own = self.written_to(bytes, own, 64);
        let old = register(self.tables.register(of));
        let at = self.address_of(bytes);
        let attempt = StatementKind::Call {
            into: Some(old.clone()),
            call: Call {
                name: name("shmem_atomic_compare_swap"),
                arguments: vec![at, free.clone(), own, number(0)],
            },
        };
        self.emit(attempt.clone(), place);
        let at = self.place(place);
        let held = Written::Binary(
            farside_pgas::ast::BinaryOperator::NotEqual,
            Box::new(Written::Value(old)),
            Box::new(free),
        );
        let body = vec![farside_pgas::ast::Statement {
            kind: attempt,
            place: at,
        }];
        self.emit(
            StatementKind::While {
                condition: held,
                body,
            },
            place,
        );
        Ok(())
    }
}
