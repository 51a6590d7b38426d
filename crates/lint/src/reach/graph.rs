//! Who leads where: which functions call or name which.
//!
//! A function whose address is taken somewhere is taken to be called by all calls through pointers with its number of arguments,
//! and by the call that is given the address (`pthread_create`).

use super::Point;
use crate::ir::{Action, End, Function, Instruction, Module, Operand};
use crate::loops::successors;
use rustc_hash::FxHashMap as HashMap;

/// The calls and references of a program.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// By function: the calls that name it, as what they call or as an argument.
    callers: Vec<Vec<Point>>,
    /// By function: the functions that it names, itself or by a global variable.
    names: Vec<Vec<u32>>,
    /// Whether a function's address is taken.
    taken: Vec<bool>,
    /// By number of arguments: calls through pointers.
    through_pointers: HashMap<usize, Vec<Point>>,
}

impl Graph {
    /// Looks at all instructions and at what global variables hold at first.
    pub(crate) fn of(module: &Module) -> Self {
        let count = module.functions.len();
        let mut graph = Self {
            callers: vec![Vec::new(); count],
            names: vec![Vec::new(); count],
            taken: vec![false; count],
            through_pointers: HashMap::default(),
        };
        let held = held_by_globals(module);
        for functions in &held {
            for function in functions {
                graph.taken[*function as usize] = true;
            }
        }
        for (function, code) in (0..).zip(&module.functions) {
            graph.function(function, code, &held);
        }
        graph
    }

    fn function(&mut self, function: u32, code: &Function, held: &[Vec<u32>]) {
        let mut named = Vec::new();
        for (block, code) in (0..).zip(&code.blocks) {
            for (index, instruction) in (0..).zip(&code.instructions) {
                let at = Point {
                    function,
                    block,
                    index,
                };
                self.instruction(at, instruction, held, &mut named);
            }
            let values = code.phis.iter().flat_map(|(_, values)| values);
            let mut operands: Vec<&Operand> = values.map(|(_, value)| value).collect();
            if let End::Return(Some(value)) = &code.end {
                operands.push(value);
            }
            for operand in operands {
                self.take(operand, held, &mut named);
            }
        }
        named.sort_unstable();
        named.dedup();
        self.names[function as usize] = named;
    }

    fn instruction(&mut self, at: Point, instruction: &Instruction, held: &[Vec<u32>], named: &mut Vec<u32>) {
        if let Action::Call { callee, arguments } = &instruction.action {
            match callee {
                Operand::Function(called) => {
                    self.callers[*called as usize].push(at);
                    named.push(*called);
                }
                _ => self.through_pointers.entry(arguments.len()).or_default().push(at),
            }
            for argument in arguments {
                if let Operand::Function(given) = argument {
                    self.callers[*given as usize].push(at);
                }
                self.take(argument, held, named);
            }
            return;
        }
        instruction
            .action
            .for_each_operand(&mut |operand| self.take(operand, held, named));
    }

    fn take(&mut self, operand: &Operand, held: &[Vec<u32>], named: &mut Vec<u32>) {
        match operand {
            Operand::Function(function) => {
                self.taken[*function as usize] = true;
                named.push(*function);
            }
            Operand::Global(global, _) => named.extend(&held[*global as usize]),
            Operand::Aggregate(fields) => fields.iter().for_each(|field| self.take(field, held, named)),
            _ => {}
        }
    }

    /// The calls that may call a function; those that name it, if there are any but through pointers.
    pub(crate) fn callers(&self, function: u32, parameters: usize) -> impl Iterator<Item = Point> {
        let pointers = self
            .through_pointers
            .get(&parameters)
            .filter(|_| self.taken[function as usize]);
        let named = self.callers[function as usize].iter();
        named.chain(pointers.into_iter().flatten()).copied()
    }

    /// Whether a call names the function.
    pub(crate) fn is_named_by(&self, function: u32, call: Point) -> bool {
        self.callers[function as usize].contains(&call)
    }

    /// The functions that name this one.
    pub(crate) fn namers(&self, function: u32) -> impl Iterator<Item = u32> {
        (0..)
            .zip(&self.names)
            .filter(move |(other, named)| *other != function && named.contains(&function))
            .map(|(other, _)| other)
    }

    /// The functions that some way leads to from the given ones.
    pub(crate) fn from(&self, roots: &[u32]) -> Vec<bool> {
        let mut live = vec![false; self.names.len()];
        let mut waiting = roots.to_vec();
        while let Some(function) = waiting.pop() {
            if !std::mem::replace(&mut live[function as usize], true) {
                waiting.extend(&self.names[function as usize]);
            }
        }
        live
    }

    /// The functions from which some way leads to one of the given ones, these included.
    pub(crate) fn above(&self, mut given: Vec<bool>) -> Vec<bool> {
        let mut changed = true;
        while changed {
            changed = false;
            for (function, named) in self.names.iter().enumerate() {
                if !given[function] && named.iter().any(|named| given[*named as usize]) {
                    given[function] = true;
                    changed = true;
                }
            }
        }
        given
    }
}

/// The blocks of a function that a way leads to from one of them, that one included.
pub(crate) fn ahead(function: &Function, from: u32) -> Vec<bool> {
    let mut seen = vec![false; function.blocks.len()];
    let mut waiting = vec![from as usize];
    while let Some(block) = waiting.pop() {
        if block < seen.len() && !std::mem::replace(&mut seen[block], true) {
            waiting.extend(successors(&function.blocks[block].end));
        }
    }
    seen
}

/// By global variable: the functions that it holds at first, or that lie behind what it holds.
fn held_by_globals(module: &Module) -> Vec<Vec<u32>> {
    let count = module.globals.len();
    let (mut direct, mut others) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (index, global) in module.globals.iter().enumerate() {
        let mut waiting: Vec<&Operand> = global.initial.iter().map(|(_, _, value)| value).collect();
        while let Some(value) = waiting.pop() {
            match value {
                Operand::Function(function) => direct[index].push(*function),
                Operand::Global(other, _) => others[index].push(*other as usize),
                Operand::Aggregate(fields) => waiting.extend(fields),
                _ => {}
            }
        }
    }
    (0..count)
        .map(|global| {
            let (mut seen, mut waiting, mut found) = (vec![global], vec![global], Vec::new());
            while let Some(next) = waiting.pop() {
                found.extend(&direct[next]);
                for other in &others[next] {
                    if !seen.contains(other) {
                        seen.push(*other);
                        waiting.push(*other);
                    }
                }
            }
            found
        })
        .collect()
}
