//! Waits for and tests of several variables (OpenSHMEM 1.5 §9.10).
//!
//! A wait for any or for some of them may end with each that has its value: a choice, and waits for what is chosen. So
//! is a test that finds something. One that finds nothing has read all of them, and one for all that fails one of them,
//! which is a choice again.

use crate::machine::{Followed, Machine};
use crate::program::name;
use crate::tables::RegisterUse;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{Call, Expression as Written, StatementKind, Target, UnaryOperator};

/// The type of a place in an array.
const SIZE: Type = Type::Integer(64);
/// More variables are not told apart where some of them are found.
const MOST_CHOSEN: usize = 4;
/// More variables of one call are not followed.
const MOST: u64 = 16;
/// What a call gives that found none, `SIZE_MAX`.
const NONE: u64 = u64::MAX;

/// A variable, the value that it is compared with, and its place in the array.
struct Variable {
    at: u64,
    address: Value,
    value: Value,
}

/// The variables of a call, and how they are compared: the word, and the bytes of one.
struct Variables {
    all: Vec<Variable>,
    word: &'static str,
    size: u64,
}

impl Machine<'_> {
    /// A wait or a test of several variables; none if the call is neither.
    pub(super) fn several(
        &mut self,
        kind: &str,
        values: &[Value],
        size: u64,
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let (kind, is_vector) = match kind.strip_suffix("_vector") {
            Some(kind) => (kind, true),
            None => (kind, false),
        };
        let (ivars, count, indices, status, comparison, value) = match (kind, values) {
            ("wait_until_some" | "test_some", [ivars, count, indices, status, comparison, value]) => {
                (ivars, count, Some(indices), status, comparison, value)
            }
            (
                "wait_until_all" | "wait_until_any" | "test_all" | "test_any",
                [ivars, count, status, comparison, value],
            ) => (ivars, count, None, status, comparison, value),
            _ => {
                return Err(self.lost(place, &format!("a call of shmem_{kind}, which is not followed")));
            }
        };
        let variables = Variables {
            all: self.variables((ivars, count, status), (value, is_vector), size, place)?,
            word: self.comparison(comparison, place)?,
            size,
        };
        if let Some(indices) = indices {
            return self.some_found(kind, &variables, indices, result, place);
        }
        match kind {
            "wait_until_all" => {
                self.wait_for_these(&variables, 0..variables.all.len(), place)?;
                Ok(None)
            }
            "test_all" => self.all_found(&variables, result, place),
            _ => self.any_found(kind, &variables, result, place),
        }
    }

    /// The variables that the array of states does not leave out.
    fn variables(
        &mut self,
        (ivars, count, status): (&Value, &Value, &Value),
        (value, is_vector): (&Value, bool),
        size: u64,
        place: PlaceId,
    ) -> Followed<Vec<Variable>> {
        let count = self.count(count, place)?;
        if count > MOST {
            return Err(self.lost(place, &format!("more than {MOST} variables of one call")));
        }
        let mut all = Vec::new();
        for at in 0..count {
            if *status != Value::Known(0) {
                let state = self.moved(status, 4 * at, place)?;
                match self.load(&state, &Type::Integer(32), u32::MAX, place)? {
                    Value::Known(0) => {}
                    Value::Known(_) => continue,
                    _ => return Err(self.lost(place, "states of variables that are not known")),
                }
            }
            let value = if is_vector {
                let from = self.moved(value, at * size, place)?;
                self.load(
                    &from,
                    &Type::Integer(8 * size as u32),
                    u32::MAX - at as u32,
                    place,
                )?
            } else {
                value.clone()
            };
            let address = self.moved(ivars, at * size, place)?;
            all.push(Variable { at, address, value });
        }
        Ok(all)
    }

    fn wait_for_these(
        &mut self,
        variables: &Variables,
        which: impl IntoIterator<Item = usize>,
        place: PlaceId,
    ) -> Followed<()> {
        for at in which {
            let Variable { address, value, .. } = &variables.all[at];
            self.wait_for(address, variables.word, value, variables.size, place)?;
        }
        Ok(())
    }

    /// A read that finds that a variable does not compare.
    fn does_not_compare(&mut self, variables: &Variables, at: usize, place: PlaceId) -> Followed<()> {
        let Variable { address, value, .. } = &variables.all[at];
        let (bytes, value) = self.awaited(address, value, variables.size, place)?;
        let Some(value) = value else {
            return Err(self.lost(place, "what is tested for is not known"));
        };
        let found = crate::program::register(self.tables.register(RegisterUse::Exchange(u32::MAX)));
        let test = Call {
            name: name("shmem_test"),
            arguments: vec![
                self.address_of(&bytes),
                Written::Value(Target::Name(name(variables.word))),
                value,
            ],
        };
        let into = Some(found.clone());
        self.emit(StatementKind::Call { into, call: test }, place);
        let not = Written::Unary(UnaryOperator::Not, Box::new(Written::Value(found)));
        self.emit(StatementKind::Assume(not), place);
        Ok(())
    }

    fn none_compares(&mut self, variables: &Variables, place: PlaceId) -> Followed<()> {
        (0..variables.all.len()).try_for_each(|at| self.does_not_compare(variables, at, place))
    }

    /// `shmem_test_all`: all compare, or one does not.
    fn all_found(
        &mut self,
        variables: &Variables,
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let many = variables.all.len();
        self.any(many + 1, place, &mut |machine, way| {
            match way.checked_sub(1) {
                None => machine.wait_for_these(variables, 0..many, place)?,
                Some(at) => machine.does_not_compare(variables, at, place)?,
            }
            machine.give_result(result, u64::from(way == 0));
            Ok(())
        })?;
        Ok(Some(Value::Known(1)))
    }

    /// `shmem_wait_until_any`, `shmem_test_any`: the place of one that compares.
    fn any_found(
        &mut self,
        kind: &str,
        variables: &Variables,
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let many = variables.all.len();
        if many == 0 {
            return Ok(Some(Value::Known(NONE)));
        }
        let ways = many + usize::from(kind == "test_any");
        self.any(ways, place, &mut |machine, way| {
            let found = match variables.all.get(way) {
                Some(one) => {
                    machine.wait_for_these(variables, [way], place)?;
                    one.at
                }
                None => {
                    machine.none_compares(variables, place)?;
                    NONE
                }
            };
            machine.give_result(result, found);
            Ok(())
        })?;
        // With one way the result is that one's.
        Ok(Some(Value::Known(variables.all[0].at)))
    }

    /// `shmem_wait_until_some`, `shmem_test_some`: how many compare, and their places.
    fn some_found(
        &mut self,
        kind: &str,
        variables: &Variables,
        indices: &Value,
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let many = variables.all.len();
        if many == 0 {
            return Ok(Some(Value::Known(0)));
        }
        if many > MOST_CHOSEN {
            return Err(self.lost(place, &format!("some of more than {MOST_CHOSEN} variables")));
        }
        let first = usize::from(kind != "test_some");
        let sets: Vec<Vec<usize>> = (first..1 << many)
            .map(|set| (0..many).filter(|at| set >> at & 1 == 1).collect())
            .collect();
        self.any(sets.len(), place, &mut |machine, way| {
            let found = &sets[way];
            match found.is_empty() {
                true => machine.none_compares(variables, place)?,
                false => machine.wait_for_these(variables, found.iter().copied(), place)?,
            }
            for (number, &at) in (0..).zip(found) {
                let to = machine.moved(indices, 8 * number, place)?;
                machine.store(&to, &Value::Known(variables.all[at].at), &SIZE, place)?;
            }
            machine.give_result(result, found.len() as u64);
            Ok(())
        })?;
        Ok(Some(Value::Known(1)))
    }
}
