//! Waits and tests of own memory.

use crate::expression::Expression;
use crate::machine::bytes::{Bytes, constant};
use crate::machine::{Followed, Machine};
use crate::program::{name, register, written};
use crate::tables::RegisterUse;
use crate::value::Value;
use farside_lint::ir::{Module, Operand, PlaceId};
use farside_pgas::ast::{Call, Expression as Written, StatementKind, Target};

/// Where the lint's front leaves the constants of the header.
const CONSTANTS: &str = "farside_shmem_constants";
/// Which of them is `SHMEM_SIGNAL_SET`.
const SIGNAL_SET: u64 = 6;
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

/// `SHMEM_SIGNAL_SET` of the header that the program was compiled with.
pub(super) fn signal_set(module: &Module) -> i64 {
    let holder = module.globals.iter().find(|global| global.name == CONSTANTS);
    let its = holder.and_then(|global| global.initial.iter().find(|(at, _, _)| *at == 4 * SIGNAL_SET));
    match its {
        Some((_, _, Operand::Integer(value))) => *value as u32 as i32 as i64,
        _ => 0,
    }
}

impl Machine<'_> {
    /// The word for a comparison, by the header that the program was compiled with.
    pub(super) fn comparison(&mut self, comparison: &Value, place: PlaceId) -> Followed<&'static str> {
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

    pub(super) fn wait_until(
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
    pub(super) fn awaited(
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

    pub(super) fn wait_for(
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

    pub(super) fn test(
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
}
