//! Atomic operations, and gets of one element.

use crate::machine::{Followed, Machine};
use crate::program::{number, register, written};
use crate::tables::RegisterUse;
use crate::value::Value;
use farside_lint::ir::PlaceId;
use farside_pgas::ast::{Expression as Written, StatementKind};

impl Machine<'_> {
    /// A call that gives what remote memory held.
    pub(super) fn fetching(
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
        let call = self.written_call(call, arguments);
        let into = Some(into);
        self.emit(StatementKind::Call { into, call }, place);
        Ok(Some(self.read_from(&bytes, of, place)))
    }

    pub(super) fn atomic(
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

    pub(super) fn lose(&mut self, at: &Value, size: u64, place: PlaceId) -> Followed<()> {
        let bytes = self.shared_bytes(at, size, place)?;
        if self.is_exact(&bytes) {
            self.forget(&bytes);
        }
        Ok(())
    }

    /// What is added to an element: nothing, if its value decides nothing.
    pub(super) fn added(
        &mut self,
        at: &Value,
        value: &Value,
        size: u64,
        place: PlaceId,
    ) -> Followed<Written> {
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

    pub(super) fn update(
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
}
