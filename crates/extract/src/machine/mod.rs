//! Follows the program of one rank: what is known before the run is computed, the rest is left as code of the calculus.
//!
//! This is partial evaluation of the online kind (Jones, Gomard, Sestoft 1993, chapter 7): a node of the code that is
//! left stands for a point of the program with what is known there. Points that differ in nothing are one node, so that
//! loops stay loops. Where a loop has more rounds with different values than the
//! [`Detail`](crate::Detail) allows, these are forgotten.

mod access;
mod begin;
mod bytes;
mod call;
mod control;
mod gaspi;
mod instruction;
mod library;
mod mpi;
mod reads;
mod rounds;
mod shmem;
mod text;

use crate::expression::Expression;
use crate::graph::{Graph, Step};
use crate::knowledge::Knowledge;
use crate::liveness::Liveness;
use crate::source::{Execution, Lines};
use crate::state::{Frame, Slot, State};
use crate::tables::{NoteId, RegisterUse, Tables};
use crate::value::{Cause, Value};
use farside_lint::ir::{End, Module, Operand, PlaceId};
use farside_pgas::ast::{Api, Place, StatementKind, Target};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Nodes of the code of a rank.
const MOST_NODES: usize = 20_000;
/// Instructions that are followed in one rank, and in all attempts.
const MOST_STEPS: u64 = 4_000_000;
const MOST_OF_ALL: u64 = 10 * MOST_STEPS;

/// Turns of loops without anything that is left, after which the next ones are compared: as many as follow it.
const WATCHED: u32 = 4096;
const LONGEST: u32 = 256;

/// Why a way ends here.
pub(super) enum Stop {
    /// The program is over.
    End,
    /// What comes is not followed, as this step says.
    Lost(Step),
}

pub(super) type Followed<T> = Result<T, Stop>;

/// A rank.
pub(crate) struct Machine<'a> {
    module: &'a Module,
    lines: &'a Lines<'a>,
    tables: &'a mut Tables,
    knowledge: &'a mut Knowledge,
    api: Option<Api>,
    arguments: &'a [String],
    rank: u32,
    ranks: u32,
    /// The context that the call of OpenSHMEM names which is followed now; none for the default one.
    context: Option<u32>,
    state: State,
    node: usize,
    graph: Graph,
    known: HashMap<State, usize>,
    open: Vec<(usize, State)>,
    rounds: HashMap<Vec<(crate::tables::Path, u32)>, Rounds>,
    liveness: HashMap<u32, Rc<Liveness>>,
    steps: u64,
    /// No loop has been gone round since the last condition that only a run knows.
    fresh: bool,
    /// Loops that may still be told from others before they did anything.
    entries: u32,
    /// Turns of loops since something was left, and the state after one of them.
    turns: u32,
    turned: Option<State>,
    /// In how many calls the outermost function is of which a loop was gone round since then.
    outermost_turn: usize,
    /// The last statement that is left, and the execution of its function.
    last: Option<(Place, Execution)>,
}

/// The rounds of a loop, by the point where it begins.
#[derive(Default)]
struct Rounds {
    count: usize,
    last: Option<State>,
    forgotten: BTreeSet<Slot>,
}

/// The code that is left of a rank's program.
pub(crate) fn follow(
    module: &Module,
    lines: &Lines<'_>,
    tables: &mut Tables,
    knowledge: &mut Knowledge,
    api: Option<Api>,
    arguments: &[String],
    (rank, ranks): (u32, u32),
) -> Graph {
    let mut machine = Machine {
        module,
        lines,
        tables,
        knowledge,
        api,
        arguments,
        rank,
        ranks,
        context: None,
        state: State::default(),
        node: 0,
        graph: Graph::default(),
        known: HashMap::new(),
        open: Vec::new(),
        rounds: HashMap::new(),
        liveness: HashMap::new(),
        steps: 0,
        fresh: true,
        entries: 2000,
        turns: 0,
        turned: None,
        outermost_turn: usize::MAX,
        last: None,
    };
    machine.run();
    machine.graph.simplify();
    machine.graph
}

impl Machine<'_> {
    fn run(&mut self) {
        let first = self.graph.add();
        let main = self
            .module
            .functions
            .iter()
            .position(|f| f.name == "main" && !f.blocks.is_empty());
        let Some(main) = main else {
            let note = self.tables.note(0, "there is no function main".to_owned());
            return self.graph.push(first, Step::Lost(note));
        };
        self.state = State::beginning(Frame::new(main as u32, Default::default(), Vec::new()));
        match self.begin(main) {
            Ok(()) => self.open.push((first, std::mem::take(&mut self.state))),
            Err(Stop::Lost(step)) => self.graph.push(first, step),
            Err(Stop::End) => {}
        }
        while let Some((node, state)) = self.open.pop() {
            (self.node, self.state) = (node, state);
            self.fresh = true;
            (self.turns, self.turned) = (0, None);
            if self.graph.len() > MOST_NODES {
                self.too_many_nodes();
                continue;
            }
            loop {
                match self.step() {
                    Ok(true) => {}
                    Ok(false) | Err(Stop::End) => break,
                    Err(Stop::Lost(step)) => {
                        self.graph.push(self.node, step);
                        break;
                    }
                }
            }
        }
    }

    /// The node that was begun is not followed: there are too many.
    fn too_many_nodes(&mut self) {
        let text = format!("rank {} has more than {MOST_NODES} steps", self.rank);
        let note = self.tables.note(0, text);
        self.graph.push(self.node, Step::Lost(note));
    }

    /// One instruction, or the end of a block; false where this way is looked at no further.
    fn step(&mut self) -> Followed<bool> {
        let Some(frame) = self.state.frame() else {
            return Ok(false);
        };
        let module = self.module;
        let block = &module.functions[frame.function() as usize].blocks[frame.block() as usize];
        self.steps += 1;
        if self.steps > MOST_STEPS || self.knowledge.spend() > MOST_OF_ALL {
            return Err(self.lost(block.end_place, "the program goes on for too long before it"));
        }
        if let Some(instruction) = block.instructions.get(frame.at()) {
            if let Some(frame) = self.state.frame_mut() {
                frame.advance();
            }
            self.instruction(instruction)?;
            return Ok(true);
        }
        let place = block.end_place;
        match &block.end {
            End::Goto(next) => self.go(*next),
            End::Invoke { normal, .. } => self.go(*normal),
            End::Branch { condition, yes, no } => {
                let condition = self.operand(condition, place);
                self.branch(&condition, *yes, *no, place)
            }
            End::Switch {
                value,
                cases,
                default,
            } => {
                let value = self.operand(value, place);
                self.switch(&value, cases, *default, place)
            }
            End::Return(value) => {
                let value = value.as_ref().map(|value| self.operand(value, place));
                self.leave(value);
                Ok(true)
            }
            End::Unreachable => Err(Stop::End),
            End::Resume | End::Unknown => Err(self.lost(place, "a jump that is not followed")),
        }
    }

    fn leave(&mut self, value: Option<Value>) {
        let Some(gone) = self.state.leave() else {
            return;
        };
        let tables = &*self.tables;
        let path = gone.path();
        self.state.forget(
            |object| matches!(tables.kind(object), crate::tables::ObjectKind::Local(of, _) if *of == path),
        );
        let module = self.module;
        let Some(frame) = self.state.frame_mut() else {
            return;
        };
        let block = &module.functions[frame.function() as usize].blocks[frame.block() as usize];
        // The call is the instruction before the next one.
        let result = block
            .instructions
            .get(frame.at() - 1)
            .and_then(|call| call.result);
        if let (Some(result), Some(value)) = (result, value) {
            frame.set(result, value);
        }
    }

    /// What a register of the calculus holds, as a number of the C program.
    fn held(&mut self, of: RegisterUse) -> Expression {
        let register = Expression::Register(self.tables.register(of));
        let bias = Expression::Number(self.knowledge.bias());
        Expression::binary(farside_pgas::ast::BinaryOperator::Subtract, &register, &bias).unwrap_or(register)
    }

    /// What stands for a number of the C program in the calculus.
    fn biased(&self, expression: &Expression) -> Expression {
        let bias = Expression::Number(self.knowledge.bias());
        Expression::binary(farside_pgas::ast::BinaryOperator::Add, expression, &bias)
            .unwrap_or_else(|| expression.clone())
    }

    /// Gives a register of the calculus a value; what it holds then.
    fn assign(&mut self, of: RegisterUse, value: &Expression, place: PlaceId) -> Expression {
        let holds = self.held(of.clone());
        if holds != *value {
            let register = self.tables.register(of);
            let kind = StatementKind::Assign {
                into: crate::program::register(register),
                value: crate::program::written(&self.biased(value)),
            };
            self.emit(kind, place);
        }
        holds
    }

    /// The value of an operand.
    fn operand(&mut self, operand: &Operand, place: PlaceId) -> Value {
        match operand {
            Operand::Register(register) => {
                let known = self.state.frame().and_then(|frame| frame.get(*register)).cloned();
                known.unwrap_or_else(|| self.unknown(place, "a value that was never given"))
            }
            Operand::Integer(value) => Value::Known(*value),
            Operand::Float(value) => Value::Known(value.to_bits()),
            Operand::Single(value) => Value::Known(u64::from(value.to_bits())),
            Operand::Global(global, offset) => {
                let object = self.global(*global);
                Value::Known(Tables::address(object, *offset))
            }
            Operand::Function(function) => Value::Known(Tables::function_address(*function)),
            Operand::Aggregate(fields) => {
                Value::Aggregate(fields.iter().map(|field| self.operand(field, place)).collect())
            }
            Operand::Undefined => self.unknown(place, "a value that was never given"),
        }
    }

    fn set(&mut self, register: u32, value: Value) {
        if let Some(frame) = self.state.frame_mut() {
            frame.set(register, value);
        }
    }

    /// What a call gives on the way that is followed, if the program takes it.
    fn give_result(&mut self, result: Option<u32>, value: u64) {
        if let Some(result) = result {
            self.set(result, Value::Known(value));
        }
    }

    /// A value that cannot be followed, with why.
    fn unknown(&mut self, place: PlaceId, what: &str) -> Value {
        Value::Unknown(Cause::Lost(self.note(place, what)))
    }

    fn note(&mut self, place: PlaceId, text: &str) -> NoteId {
        let line = self.lines.line(&self.state, self.module, place);
        self.tables.note(line, text.to_owned())
    }

    /// What comes is not followed, with why.
    fn lost(&mut self, place: PlaceId, text: &str) -> Stop {
        Stop::Lost(Step::Lost(self.note(place, text)))
    }

    /// From here on the program may do more than the C program.
    fn inexact(&mut self, place: PlaceId, text: &str) {
        let note = self.note(place, text);
        self.graph.push(self.node, Step::Inexact(note));
    }

    /// From here on a lock is a cell of this object.
    fn lock_by(&mut self, object: crate::tables::Object, place: PlaceId, text: &str) {
        self.knowledge.take_for_lock(object);
        let note = self.note(place, text);
        self.graph.push(self.node, Step::Lock(note));
    }

    /// Here the program that is left does less than the C program may do.
    fn less(&mut self, place: PlaceId, text: &str) {
        let note = self.note(place, text);
        if !self.graph.steps(self.node).contains(&Step::Less(note)) {
            self.graph.push(self.node, Step::Less(note));
        }
    }

    fn place(&self, place: PlaceId) -> Place {
        self.lines.place(&self.state, self.module, place)
    }

    fn emit(&mut self, kind: StatementKind, place: PlaceId) {
        let at = self.place(place);
        (self.turns, self.turned) = (0, None);
        let turn = std::mem::replace(&mut self.outermost_turn, usize::MAX);
        if let Some(execution) = self.lines.execution(&self.state, self.module, place) {
            self.tell_apart(at.clone(), execution, turn);
        }
        self.graph.push(self.node, Step::Statement(Box::new(kind), at));
    }

    /// One statement of the source stands for several of the calculus: those that follow each other are one. Where they
    /// are of two executions of a function, what does nothing is put between, at the statement that called it first;
    /// where they are of two rounds of a loop that the statement is in, it is put between at no statement.
    fn tell_apart(&mut self, at: Place, execution: Execution, turn: usize) {
        if let Some((last, other)) = &self.last
            && last.0 == at.0
        {
            let between = match (other.is(&execution), other.call()) {
                (true, _) if execution.is_within(turn) => Some(Place::default()),
                (false, Some(call)) => Some(self.lines.statement(call)),
                _ => None,
            };
            if let Some(between) = between {
                let nothing = Box::new(StatementKind::Skip);
                self.graph.push(self.node, Step::Statement(nothing, between));
            }
        }
        self.last = Some((at, execution));
    }

    /// The register for what nobody looks at.
    fn unused(&mut self) -> Target {
        crate::program::register(self.tables.register(RegisterUse::Unused))
    }
}
