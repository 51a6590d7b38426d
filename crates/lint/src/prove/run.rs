//! The paths of one process of any job: every instruction over numbers in its rank and the number of ranks.
//!
//! Promise: each process of each job takes one of the paths that are given, and does there what the path says; or
//! [`Outside`] says which line of the program is not followed. A condition that holds of some ranks only makes two paths,
//! and so does one on a value that is not known.

use super::domain::{Facts, Generic, Number, Stop};
use super::memory::Object;
use super::question::{Condition, Prover};
use super::state::{Ended, Frame, State, Value};
use super::trace::{Access, Space};
use crate::abi::Abi;
use crate::execute::machine::{self, Domain, Machine};
use crate::ir::{
    Action, BlockId, Conversion, End, Module, Operand, Ordering, PlaceId, Predicate, Register, Type,
};
use crate::layout::{Globals, function_address};
use crate::loops;
use crate::survey::Survey;
use farside_conflicts::{Effect, Role};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Paths, at most.
const PATHS: usize = 512;
/// Instructions of all paths together.
const STEPS: u64 = 4_000_000;
/// How often a path comes to the same fork of the ways: more is a loop whose rounds are not counted.
const FORKS: u32 = 12;
/// Frames deeper than this are a recursion that is not followed.
const DEEPEST: usize = 200;

/// Why there is no proof: what the program does, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outside {
    pub(super) place: PlaceId,
    pub(super) reason: String,
}

/// The exploration of all paths of a program.
pub(super) struct Paths<'p> {
    pub(super) module: &'p Module,
    pub(super) survey: &'p Survey,
    pub(super) globals: Globals,
    pub(super) abi: Abi,
    pub(super) prover: &'p mut Prover,
    steps: u64,
    operations: u32,
    pub(super) rounds: u32,
    bodies: HashMap<u32, Rc<Bodies>>,
}

/// The loops of a function, by their headers: which blocks they hold.
pub(super) type Bodies = BTreeMap<usize, Vec<bool>>;

impl<'p> Paths<'p> {
    pub(super) fn of(module: &'p Module, survey: &'p Survey, prover: &'p mut Prover) -> Self {
        let globals = Globals::of(module);
        Self {
            module,
            survey,
            abi: Abi::of(module, &globals),
            globals,
            prover,
            steps: 0,
            operations: 0,
            rounds: 0,
            bodies: HashMap::new(),
        }
    }

    /// The number of an operation that begins.
    pub(super) fn operation(&mut self) -> u32 {
        self.operations += 1;
        self.operations
    }

    /// The loops of a function.
    pub(super) fn bodies(&mut self, function: u32) -> Rc<Bodies> {
        let module = self.module;
        let bodies = self.bodies.entry(function);
        Rc::clone(bodies.or_insert_with(|| Rc::new(loops::bodies(&module.functions[function as usize]))))
    }

    /// All paths, to their ends.
    pub(super) fn all(&mut self, arguments: Option<&[String]>) -> Result<Vec<State>, Outside> {
        let start = self.start(arguments)?;
        self.from(start)
    }

    /// All paths that begin so, to their ends or to that of the round at hand.
    pub(super) fn from(&mut self, start: State) -> Result<Vec<State>, Outside> {
        let mut waiting = vec![start];
        let mut ended = Vec::new();
        while let Some(mut state) = waiting.pop() {
            match self.follow(&mut state) {
                Ok(()) => ended.push(state),
                Err(Stop::Elsewhere(outside)) => return Err(outside),
                Err(Stop::Outside(reason)) => {
                    let place = self.place(&state);
                    return Err(Outside { place, reason });
                }
                Err(stop) => waiting.extend(self.forked(state, &stop)?),
            }
            if ended.len() + waiting.len() > PATHS {
                return Err(Outside {
                    place: 0,
                    reason: format!("there are more than {PATHS} ways through it"),
                });
            }
        }
        Ok(ended)
    }

    /// The two ways that go on from a condition.
    fn forked(&mut self, mut state: State, stop: &Stop) -> Result<[State; 2], Outside> {
        let place = self.place(&state);
        if state.fork() > FORKS {
            let reason = match stop {
                Stop::Either => "how often this goes round depends on data, which are not followed",
                _ => "how often this goes round depends on the rank or the number of ranks",
            };
            let reason = reason.to_owned();
            return Err(Outside { place, reason });
        }
        let (mut yes, mut no) = (state.clone(), state);
        match stop {
            Stop::Fork(condition) => {
                let Some(contrary) = condition.negated(&mut self.prover.terms) else {
                    let reason = "a number is too large".to_owned();
                    return Err(Outside { place, reason });
                };
                yes.given.push(*condition);
                no.given.push(contrary);
            }
            _ => {
                yes.choices.push(true);
                no.choices.push(false);
            }
        }
        Ok([yes, no])
    }

    fn start(&mut self, arguments: Option<&[String]>) -> Result<State, Outside> {
        let outside = |reason: &str| Outside {
            place: 0,
            reason: reason.to_owned(),
        };
        let mut functions = self.module.functions.iter();
        let main = functions.position(|function| function.name == "main" && !function.blocks.is_empty());
        let main = main.ok_or_else(|| outside("there is no function main"))?;
        let begins = |name: &str| {
            self.module
                .globals
                .iter()
                .any(|global| global.name == name && global.size > 0)
        };
        if begins("llvm.global_ctors") {
            return Err(outside("functions run before main"));
        }
        let mut state = State::default();
        for global in &self.module.globals {
            let size = self.prover.terms.constant(global.size as i64);
            // What another module defines holds what nobody knows here.
            state.add(Object::new(size, !global.external));
        }
        for (number, global) in self.module.globals.iter().enumerate() {
            for (offset, ty, operand) in &global.initial {
                let value = self.constant(operand);
                store(state.object_mut(number as u32), *offset as i64, ty, &value);
            }
        }
        let values = self.arguments(&mut state, arguments);
        let function = &self.module.functions[main];
        state.frames.push(Frame::of(main as u32, function, values, None));
        Ok(state)
    }

    /// `argc` and `argv`.
    fn arguments(&mut self, state: &mut State, arguments: Option<&[String]>) -> Vec<Value> {
        let Some(words) = arguments else {
            return vec![Value::default(), Value::default()];
        };
        let words: Vec<&str> = std::iter::once("program")
            .chain(words.iter().map(String::as_str))
            .collect();
        let size = self.prover.terms.constant(8 * (words.len() as i64 + 1));
        let list = state.add(Object::new(size, true));
        let start = self.prover.terms.constant(0);
        for (nth, word) in words.iter().enumerate() {
            let size = self.prover.terms.constant(word.len() as i64 + 1);
            let mut text = Object::new(size, true);
            for (at, byte) in word.bytes().enumerate() {
                text.store(at as i64, 1, Number::Known(u64::from(byte)));
            }
            let text = state.add(text);
            state
                .object_mut(list)
                .store(8 * nth as i64, 8, Number::Pointer(text, start));
        }
        let count = Number::Known(words.len() as u64);
        vec![count.into(), Number::Pointer(list, start).into()]
    }

    /// Follows a path to its end, or to where it is not clear how it goes on.
    fn follow(&mut self, state: &mut State) -> Result<(), Stop> {
        while state.ended.is_none() && !state.round_is_over {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Stop::Outside("it is too long to be followed".to_owned()));
            }
            state.chosen = 0;
            self.step(state)?;
            state.choices.clear();
        }
        Ok(())
    }

    pub(super) fn step(&mut self, state: &mut State) -> Result<(), Stop> {
        let module = self.module;
        let frame = state.frame();
        let block = &module.functions[frame.function as usize].blocks[frame.block as usize];
        let Some(instruction) = block.instructions.get(frame.index) else {
            return self.leave(state, &block.end);
        };
        let mut running = Running { paths: self, state };
        let value = match &instruction.action {
            Action::Call { callee, arguments } => {
                return running.call(callee, arguments, instruction.result);
            }
            Action::Select { condition, yes, no } => running.select(condition, yes, no)?,
            action => machine::act(&mut running, action, instruction.place)?,
        };
        running.finish(instruction.result, value);
        Ok(())
    }

    fn leave(&mut self, state: &mut State, end: &End) -> Result<(), Stop> {
        let to = match end {
            End::Goto(to) | End::Invoke { normal: to, .. } => *to,
            End::Branch { condition, yes, no } => {
                let mut running = Running { paths: self, state };
                let condition = running.number(condition)?;
                if running.decide(condition)? { *yes } else { *no }
            }
            End::Switch {
                value,
                cases,
                default,
            } => {
                let mut running = Running { paths: self, state };
                let value = running.number(value)?;
                running.case(value, cases)?.unwrap_or(*default)
            }
            End::Return(value) => return self.returned(state, value.as_ref()),
            End::Resume | End::Unknown | End::Unreachable => {
                let reason = "control goes on in a way that is not followed";
                return Err(Stop::Outside(reason.to_owned()));
            }
        };
        self.enter(state, to)
    }

    fn enter(&mut self, state: &mut State, to: BlockId) -> Result<(), Stop> {
        let module = self.module;
        let frame = state.frame();
        let from = frame.block;
        let blocks = &module.functions[frame.function as usize].blocks;
        let Some(block) = blocks.get(to as usize) else {
            return Err(Stop::Outside("a jump is not followed".to_owned()));
        };
        if self.ends_round(state, to)? || self.taken_together(state, to)? {
            return Ok(());
        }
        machine::merge(&mut Running { paths: self, state }, block, Some(from))?;
        let frame = state.frame_mut();
        (frame.block, frame.index) = (to, 0);
        Ok(())
    }

    fn returned(&mut self, state: &mut State, value: Option<&Operand>) -> Result<(), Stop> {
        let mut running = Running { paths: self, state };
        let value = value.map_or(Ok(Value::default()), |value| running.value(value))?;
        // The local variables end with their function, whoever still uses them (C17 §6.2.4): as if they were stored to.
        for local in running.state.frame().locals().to_vec() {
            running.give_back(local);
        }
        let frame = state
            .frames
            .pop()
            .expect("a path that has not ended is in a function");
        match state.frames.is_empty() {
            true => state.ended = Some(Ended::Returned),
            false => Running { paths: self, state }.finish(frame.result, value),
        }
        Ok(())
    }

    /// Where control is.
    pub(super) fn place(&self, state: &State) -> PlaceId {
        let Some(frame) = state.frames.last() else {
            return 0;
        };
        let block = &self.module.functions[frame.function as usize].blocks[frame.block as usize];
        let instruction = block.instructions.get(frame.index);
        instruction.map_or(block.end_place, |instruction| instruction.place)
    }

    /// What an operand is that is no register.
    fn constant(&mut self, operand: &Operand) -> Value {
        let number = match operand {
            Operand::Register(_) | Operand::Undefined => Number::Any,
            Operand::Integer(value) => Number::Known(*value),
            Operand::Single(value) => Number::Known(u64::from(value.to_bits())),
            Operand::Float(value) => Number::Known(value.to_bits()),
            Operand::Global(global, offset) => Number::Pointer(*global, self.prover.terms.constant(*offset)),
            Operand::Function(function) => Number::Known(function_address(*function)),
            Operand::Aggregate(fields) => {
                let fields = fields.iter().map(|field| self.constant(field)).collect();
                return Value::Fields(Rc::new(fields));
            }
        };
        number.into()
    }
}

/// A value of a type is stored in an object.
fn store(object: &mut Object, at: i64, ty: &Type, value: &Value) {
    match ty {
        Type::Structure(fields, _) => {
            for (nth, (offset, field)) in fields.iter().enumerate() {
                store(object, at + *offset as i64, field, &value.field(&[nth as u32]));
            }
        }
        ty => object.store(at, ty.size() as i64, value.number()),
    }
}

fn load(object: &Object, at: i64, ty: &Type) -> Value {
    match ty {
        Type::Structure(fields, _) => {
            let fields = fields
                .iter()
                .map(|(offset, field)| load(object, at + *offset as i64, field));
            Value::Fields(Rc::new(fields.collect()))
        }
        Type::Integer(bits) => match object.load(at, ty.size() as i64) {
            Number::Known(value) => Number::Known(crate::value::mask(value, *bits)).into(),
            number => number.into(),
        },
        ty => object.load(at, ty.size() as i64).into(),
    }
}

/// A process at its instruction.
pub(super) struct Running<'r, 'p> {
    pub(super) paths: &'r mut Paths<'p>,
    pub(super) state: &'r mut State,
}

impl Machine for Running<'_, '_> {
    type Domain = Generic;
    type Number = Number;
    type Value = Value;
    type Stop = Stop;

    fn number(&mut self, operand: &Operand) -> Result<Number, Stop> {
        self.value(operand).map(|value| value.number())
    }

    fn value(&mut self, operand: &Operand) -> Result<Value, Stop> {
        Ok(match operand {
            Operand::Register(register) => self.state.frame().register(*register),
            constant => self.paths.constant(constant),
        })
    }

    fn unnamed(&mut self) -> Result<Value, Stop> {
        Ok(Value::default())
    }

    fn set(&mut self, register: Register, value: Value) {
        self.state.frame_mut().set(register, value);
    }

    fn notes(&mut self) -> Facts<'_> {
        Facts {
            prover: self.paths.prover,
            given: &self.state.given,
        }
    }

    fn load(
        &mut self,
        address: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        _: PlaceId,
    ) -> Result<Value, Stop> {
        let address = self.plain(address, atomic)?;
        let (object, at) = self.access(address, ty.size() as i64, Effect::Read)?;
        Ok(match self.paths.prover.terms.known(at) {
            Some(at) => load(self.state.object(object), at, ty),
            None => Value::default(),
        })
    }

    fn store(
        &mut self,
        address: &Operand,
        value: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        _: PlaceId,
    ) -> Result<(), Stop> {
        let address = self.plain(address, atomic)?;
        let value = self.value(value)?;
        let (object, at) = self.access(address, ty.size() as i64, Effect::Write)?;
        let known = self.paths.prover.terms.known(at);
        let object = self.state.object_mut(object);
        match known {
            Some(at) => store(object, at, ty, &value),
            None => object.smear(),
        }
        Ok(())
    }

    fn decide(&mut self, condition: Number) -> Result<bool, Stop> {
        match condition {
            Number::Known(value) => Ok(value & 1 == 1),
            Number::Term(term) => self.notes().decide(Condition::NotZero(term)),
            Number::Pointer(..) => Ok(true),
            Number::Any => self.either(),
        }
    }

    fn special(&mut self, action: &Action, _: PlaceId) -> Result<Value, Stop> {
        Ok(match action {
            Action::Allocate { size, count, .. } => {
                let count = self.number(count)?;
                let size = self.size_of(count, *size as i64)?;
                let object = self.state.add(Object::new(size, false));
                self.state.frame_mut().add_local(object);
                let start = self.paths.prover.terms.constant(0);
                Number::Pointer(object, start).into()
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
            Action::Fence(_) => Value::default(),
            Action::AtomicUpdate { .. } | Action::CompareExchange { .. } => {
                return outside("an atomic instruction is not followed");
            }
            _ => return outside("an instruction is not followed"),
        })
    }

    /// Of an aggregate there are no numbers to convert.
    fn convert(
        &mut self,
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: &Operand,
    ) -> Result<Value, Stop> {
        match self.value(value)? {
            Value::Number(number) => {
                Generic::convert(conversion, from, to, number, self.notes()).map(Into::into)
            }
            fields @ Value::Fields(_) => Ok(fields),
        }
    }
}

/// The program does what is not followed.
pub(super) fn outside<T>(reason: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Outside(reason.into()))
}

impl Running<'_, '_> {
    /// Gives an instruction's result, and goes to the next one.
    pub(super) fn finish(&mut self, result: Option<Register>, value: Value) {
        let frame = self.state.frame_mut();
        if let Some(register) = result {
            frame.set(register, value);
        }
        frame.index += 1;
    }

    /// A condition on what is not known.
    fn either(&mut self) -> Result<bool, Stop> {
        let choice = self.state.choices.get(self.state.chosen).copied();
        self.state.chosen += 1;
        choice.ok_or(Stop::Either)
    }

    fn select(&mut self, condition: &Operand, yes: &Operand, no: &Operand) -> Result<Value, Stop> {
        let condition = self.number(condition)?;
        if condition == Number::Any {
            let (yes, no) = (self.value(yes)?, self.value(no)?);
            return Ok(match yes.number() == no.number() {
                true => yes,
                false => Value::default(),
            });
        }
        let chosen = if self.decide(condition)? { yes } else { no };
        self.value(chosen)
    }

    /// Where a switch goes.
    fn case(&mut self, value: Number, cases: &[(u64, BlockId)]) -> Result<Option<BlockId>, Stop> {
        for (case, to) in cases {
            let bits = if *case > u64::from(u32::MAX) { 64 } else { 32 };
            let equal = Generic::compare(Predicate::Eq, bits, value, Number::Known(*case), self.notes())?;
            if self.decide(equal)? {
                return Ok(Some(*to));
            }
        }
        Ok(None)
    }

    fn plain(&mut self, address: &Operand, atomic: Option<Ordering>) -> Result<Number, Stop> {
        if atomic.is_some() {
            return outside("an atomic access is not followed");
        }
        self.number(address)
    }

    /// So many things of so many bytes.
    pub(super) fn size_of(&mut self, count: Number, size: i64) -> Result<super::affine::Term, Stop> {
        let count = self.notes().term(count, 64);
        let size = count.and_then(|count| self.paths.prover.terms.times(count, size));
        size.map_or_else(|| outside("a size is not known"), Ok)
    }

    /// Whether a condition holds of all processes that take this path, as far as one can tell.
    pub(super) fn holds(&mut self, condition: Condition) -> bool {
        self.paths.prover.decides(&self.state.given, condition) == Some(true)
    }

    /// Bytes of an object are accessed by the process itself: the object, and where they begin in it.
    pub(super) fn access(
        &mut self,
        address: Number,
        size: i64,
        effect: Effect,
    ) -> Result<(u32, super::affine::Term), Stop> {
        let size = self.paths.prover.terms.constant(size);
        self.access_of(address, size, effect)
    }

    /// Likewise, of so many bytes.
    pub(super) fn access_of(
        &mut self,
        address: Number,
        size: super::affine::Term,
        effect: Effect,
    ) -> Result<(u32, super::affine::Term), Stop> {
        let (object, at) = self.within(address, size)?;
        if self.state.object(object).freed {
            return outside("memory is accessed that was given back");
        }
        self.note(object, at, size, effect);
        Ok((object, at))
    }

    /// The object that an address leads to, which has so many bytes from there on in all processes of the path.
    pub(super) fn within(
        &mut self,
        address: Number,
        size: super::affine::Term,
    ) -> Result<(u32, super::affine::Term), Stop> {
        let Number::Pointer(object, at) = address else {
            return outside("an address is not known: it depends on data, or on more than the rank");
        };
        let terms = &mut self.paths.prover.terms;
        let left = terms.sum(self.state.object(object).size, at, -1);
        let Some(left) = left.and_then(|left| terms.sum(left, size, -1)) else {
            return outside("an address is too large");
        };
        if !self.holds(Condition::NotNegative(at)) || !self.holds(Condition::NotNegative(left)) {
            return outside("an access leaves its object for some number of ranks, as far as one can tell");
        }
        Ok((object, at))
    }

    /// Notes an access of the process itself.
    pub(super) fn note(
        &mut self,
        object: u32,
        at: super::affine::Term,
        size: super::affine::Term,
        effect: Effect,
    ) {
        if !self.state.object(object).watched {
            return;
        }
        let Some((space, range)) = self.bytes(object, at, size) else {
            return;
        };
        let now = self.state.trace.now();
        self.state.trace.local(Access {
            space,
            owner: None,
            range,
            role: Role::Local,
            effect,
            begun: now,
            done: Some(now),
            place: self.paths.place(self.state),
            operation: None,
            lock: None,
            given: Vec::new(),
            rounds: Vec::new(),
        });
    }

    /// Whose bytes a range of an object is.
    pub(super) fn bytes(
        &mut self,
        object: u32,
        at: super::affine::Term,
        size: super::affine::Term,
    ) -> Option<(Space, (super::affine::Term, super::affine::Term))> {
        let terms = &mut self.paths.prover.terms;
        let (space, at) = match self.state.object(object).part {
            Some(part) => (Space::Window(part.window), terms.sum(at, part.base, -1)?),
            None => (Space::Own(object), at),
        };
        Some((space, (at, terms.sum(at, size, 1)?)))
    }

    /// An object is no more: whoever still uses it loses it, as if all of it were stored to.
    pub(super) fn give_back(&mut self, object: u32) {
        let size = self.state.object(object).size;
        let start = self.paths.prover.terms.constant(0);
        self.note(object, start, size, Effect::Write);
        self.state.object_mut(object).freed = true;
    }

    /// Begins a function of the program.
    pub(super) fn begin(
        &mut self,
        index: u32,
        values: Vec<Value>,
        result: Option<Register>,
    ) -> Result<(), Stop> {
        if self.state.frames.len() >= DEEPEST {
            return outside("a recursion is not followed");
        }
        let function = &self.paths.module.functions[index as usize];
        self.state.frames.push(Frame::of(index, function, values, result));
        Ok(())
    }
}
