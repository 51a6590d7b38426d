//! Calls: of functions of the program, which get a frame, and of others, by name. What is not named here is not
//! followed.

use super::memory::Object;
use super::number::{Number, Stop};
use super::question::Condition;
use super::running::{Running, outside};
use super::state::{Ended, Value};
use crate::execute::machine::Machine as _;
use crate::external::External;
use crate::ir::{Operand, Register};
use crate::layout::function_at;
use crate::mathematics;
use crate::mpi;
use crate::value::Scalar;
use farside_conflicts::Effect;

/// Functions that write what they are given somewhere else, and change nothing of the program.
const WRITES: [&str; 16] = [
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "fflush",
    "perror",
    "__printf_chk",
    "__fprintf_chk",
    "usleep",
    "sleep",
    "sched_yield",
    "srand",
    "setbuf",
];
/// Functions whose results nobody knows, and that change nothing of the program.
const TELLS: [&str; 8] = [
    "atoi", "atol", "atof", "rand", "random", "clock", "getpid", "getenv",
];
/// What ends the program.
const ENDS: [&str; 6] = ["exit", "_exit", "_Exit", "abort", "__assert_fail", "quick_exit"];
/// Intrinsics that do nothing.
const NOTHING: [&str; 8] = [
    "dbg",
    "lifetime",
    "assume",
    "stackrestore",
    "stacksave",
    "experimental",
    "donothing",
    "prefetch",
];

impl Running<'_, '_> {
    pub(super) fn call(
        &mut self,
        callee: &Operand,
        arguments: &[Operand],
        result: Option<Register>,
    ) -> Result<(), Stop> {
        let index = match self.number(callee)? {
            Number::Known(address) => function_at(address),
            _ => None,
        };
        let module = self.paths.module;
        let known = index.and_then(|index| Some((index, module.functions.get(index as usize)?)));
        let Some((index, function)) = known else {
            return outside("a call through a pointer is not followed");
        };
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| self.value(argument))
            .collect::<Result<_, _>>()?;
        if !function.blocks.is_empty() && !mpi::is_replaced(&function.name) {
            return self.begin(index, values, result);
        }
        let given: Vec<Number> = values.iter().map(Value::number).collect();
        let value = match self.paths.survey.external(index) {
            External::Mpi(Some((procedure, large))) => self.mpi((procedure, large), &given)?,
            External::Shmem(function_of) => self.shmem(function_of, &function.name, &given)?,
            External::Other => self.library(&function.name, &given)?,
            _ => return outside(format!("a call of {} is not followed", function.name)),
        };
        if self.state.ended.is_none() {
            self.finish(result, value.into());
        }
        Ok(())
    }

    fn library(&mut self, name: &str, given: &[Number]) -> Result<Number, Stop> {
        let at = |nth: usize| given.get(nth).copied().unwrap_or_default();
        let plain = name.strip_prefix("llvm.");
        let plain = plain.map_or(name, |rest| rest.split('.').next().unwrap_or(rest));
        if name.starts_with("llvm.") && NOTHING.contains(&plain) {
            return Ok(Number::Any);
        }
        if ENDS.contains(&name) {
            self.state.ended = Some(Ended::GaveUp(self.paths.place(self.state)));
            return Ok(Number::Any);
        }
        if WRITES.contains(&name) || TELLS.contains(&name) {
            return self.tell(name, given);
        }
        match plain {
            "memcpy" | "memmove" => self.copy(at(0), at(1), at(2)).map(|()| at(0)),
            "memset" => self.fill(at(0), at(1), at(2)).map(|()| at(0)),
            "malloc" | "_Znwm" | "_Znam" => self.allocate(at(0), Number::Known(1), false),
            "calloc" => self.allocate(at(0), at(1), true),
            "free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => {
                match at(0) {
                    Number::Pointer(object, _) => self.give_back(object),
                    Number::Known(0) => {}
                    _ => return outside("which memory is given back is not known"),
                }
                Ok(Number::Any)
            }
            "smax" | "smin" if name.starts_with("llvm.") => {
                self.extreme(plain == "smax", at(0), at(1), bits(name))
            }
            _ => self.computed(name, given),
        }
    }

    /// What a function returns that only computes.
    fn computed(&mut self, name: &str, given: &[Number]) -> Result<Number, Stop> {
        let known = given.iter().map(|number| match number {
            Number::Known(bits) => Some(Scalar::known(*bits)),
            _ => None,
        });
        let known: Option<Vec<Scalar>> = known.collect();
        let nothing = vec![Scalar::default(); given.len()];
        match (known, mathematics::value(name, &nothing)) {
            (_, None) => outside(format!("a call of {name} is not followed")),
            (Some(known), Some(_)) => {
                let value = mathematics::value(name, &known);
                Ok(value.map_or(Number::Any, |value| Number::Known(value.bits)))
            }
            (None, Some(_)) => Ok(Number::Any),
        }
    }

    /// Texts are read; those of memory that operations are concerned with are not followed.
    fn tell(&mut self, name: &str, given: &[Number]) -> Result<Number, Stop> {
        let watched = given.iter().any(|number| match number {
            Number::Pointer(object, _) => self.state.object(*object).watched,
            _ => false,
        });
        match watched {
            true => outside(format!("{name} reads memory that operations are concerned with")),
            false => Ok(Number::Any),
        }
    }

    pub(super) fn allocate(&mut self, count: Number, size: Number, zero: bool) -> Result<Number, Stop> {
        let Number::Known(size) = size else {
            return outside("a size is not known");
        };
        let size = self.size_of(count, size as i64)?;
        if !self.holds(Condition::NotNegative(size)) {
            return outside("a size is negative for some number of ranks, as far as one can tell");
        }
        let object = self.state.add(Object::new(size, zero));
        Ok(Number::Pointer(object, self.paths.prover.terms.constant(0)))
    }

    fn copy(&mut self, to: Number, from: Number, size: Number) -> Result<(), Stop> {
        if size == Number::Known(0) {
            return Ok(());
        }
        let length = self.size_of(size, 1)?;
        let (source, start) = self.access_of(from, length, Effect::Read)?;
        let (target, at) = self.access_of(to, length, Effect::Write)?;
        let terms = &self.paths.prover.terms;
        let known = (terms.known(start), terms.known(at), terms.known(length));
        let (Some(start), Some(at), Some(length)) = known else {
            self.state.object_mut(target).smear();
            return Ok(());
        };
        let content = self.state.object(source).content(start, length);
        self.state.object_mut(target).put(at, length, content);
        Ok(())
    }

    fn fill(&mut self, to: Number, value: Number, size: Number) -> Result<(), Stop> {
        if size == Number::Known(0) {
            return Ok(());
        }
        let length = self.size_of(size, 1)?;
        let (object, at) = self.access_of(to, length, Effect::Write)?;
        let terms = &self.paths.prover.terms;
        let (known, whole) = (
            (terms.known(at), terms.known(length)),
            self.state.object(object).size,
        );
        let object = self.state.object_mut(object);
        match (known, value) {
            ((Some(at), Some(length)), Number::Known(0)) => {
                object.clear(at, length, at == 0 && terms.known(whole) == Some(length));
            }
            ((Some(at), Some(length)), _) => object.store(at, length, Number::Any),
            _ => object.smear(),
        }
        Ok(())
    }

    fn extreme(&mut self, largest: bool, left: Number, right: Number, bits: u32) -> Result<Number, Stop> {
        let mut facts = self.notes();
        let (Some(a), Some(b)) = (facts.term(left, bits), facts.term(right, bits)) else {
            return Ok(Number::Any);
        };
        let Some(distance) = facts.prover.terms.sum(a, b, -1) else {
            return Ok(Number::Any);
        };
        let greater = facts.decide(Condition::NotNegative(distance))?;
        Ok(if greater == largest { left } else { right })
    }
}

/// The width that an intrinsic has in its name.
fn bits(name: &str) -> u32 {
    let width = name.rsplit(".i").next().and_then(|width| width.parse().ok());
    width.unwrap_or(64)
}
