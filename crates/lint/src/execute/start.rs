//! How the processes of a job begin.

use super::Job;
use crate::inputs::Inputs;
use crate::ir::Type;
use crate::layout::{UNKNOWN_CALLER, function_at};
use crate::memory::Memory;
use crate::process::Answering;
use crate::site::{At, Site};
use crate::start::{Given, Numbers};
use crate::symbolic::{Answers, Condition, Input, List};
use crate::value::{Scalar, Symbol, Value, source};
use farside_events::StackId;
use std::rc::Rc;

/// Bytes that a pointer of an unknown caller leads to.
const AT_POINTER: u64 = 4096;

impl Job<'_> {
    /// Puts every process at the start of a function, after `MPI_Init` or `shmem_init`, with arguments as an unknown
    /// caller gives them: numbers are samples, pointers lead to memory of their own.
    pub(crate) fn enter_entry(&mut self, index: u32) {
        let function = &self.module.functions[index as usize];
        // Who calls it may have other threads, and calls other functions besides.
        self.still.turn_off();
        for rank in 0..self.size {
            let site = Site {
                rank,
                thread: 0,
                place: 0,
                stack: StackId::UNKNOWN,
            };
            let interface = self.survey.interface();
            let (mut caller, libraries) = self.caller(site);
            libraries.initialize(&mut caller, interface);
            let mut values = Vec::new();
            for (position, ty) in function.parameter_types.iter().enumerate() {
                let bits = match ty {
                    Type::Pointer => self
                        .processes
                        .of_mut(rank)
                        .memory_mut()
                        .allocate(AT_POINTER, UNKNOWN_CALLER),
                    Type::Integer(_) => 4,
                    _ => 0,
                };
                values.push(Value::Scalar(Scalar {
                    bits,
                    symbol: source(("parameter", position)),
                }));
            }
            self.enter_function(At::first(rank), index, values, None, StackId::UNKNOWN, true);
        }
    }

    /// Puts every process at the start of `main`; false if the module has none. `given` is the number that the
    /// program gets as each of its arguments; if there is none, it gets no arguments, and how many there are is
    /// unknown.
    pub(crate) fn enter_main(&mut self, given: Given<'_>, inputs: &Inputs) -> bool {
        // A Fortran program is `_QQmain`; flang's `main` only starts the runtime before it.
        let find = |name: &str| {
            let functions = &self.module.functions;
            functions
                .iter()
                .position(|function| function.name == name && !function.blocks.is_empty())
        };
        let Some(main) = find("_QQmain").or_else(|| find("main")) else {
            return false;
        };
        for rank in 0..self.size {
            for constructor in self.constructors(rank) {
                self.enter_function(
                    At::first(rank),
                    constructor,
                    Vec::new(),
                    None,
                    StackId::UNKNOWN,
                    true,
                );
            }
            self.give_inputs(rank, inputs);
            if let Given::Answers(answers) = given {
                self.be_answered(rank, answers, inputs);
            }
            let arguments = self.arguments(rank, given);
            // Constructors lie above `main`, and run first.
            self.enter_function(
                At::first(rank),
                main as u32,
                arguments,
                None,
                StackId::UNKNOWN,
                true,
            );
            self.processes.thread_mut(At::first(rank)).put_below();
        }
        true
    }

    /// What a process reads, and the `FILE` that is its standard input.
    fn give_inputs(&mut self, rank: u32, inputs: &Inputs) {
        let process = self.processes.of_mut(rank);
        process.know_inputs(inputs);
        let Some(text) = inputs.standard() else { return };
        let file = process.memory_mut().allocate(256, "stdin");
        process.streams_mut().set_standard(file, text.clone());
        if let Some(at) = self.globals.address(self.module, "stdin") {
            process.memory_mut().store(at, 8, Scalar::known(file));
        }
    }

    /// From now on inputs are symbols, by these answers.
    fn be_answered(&mut self, rank: u32, answers: &Answers, inputs: &Inputs) {
        self.notes.terms_mut().begin();
        let process = self.processes.of_mut(rank);
        let mut answering = Answering::with(Rc::new(answers.clone()));
        if inputs.standard().is_none() {
            let file = process.memory_mut().allocate(256, "stdin");
            if let Some(at) = self.globals.address(self.module, "stdin") {
                process.memory_mut().store(at, 8, Scalar::known(file));
            }
            answering.open(file, "");
        }
        process.be_answered(answering);
    }

    /// `argc` and `argv`, as answers say: that of one argument more, or the last one's absence, are symbols.
    fn answered_arguments(&mut self, rank: u32, answers: &Answers) -> Vec<Value> {
        let words = answers.arguments();
        let process = self.processes.of_mut(rank);
        process.know_arguments(words);
        let (list, texts) = argv(process.memory_mut(), words, |_| 0);
        let mut count = Scalar::known(words.len() as u64 + 1);
        if answers.may_vary_arguments() {
            if let Some(answering) = process.answering_mut() {
                for (nth, text) in texts.into_iter().enumerate() {
                    answering.put(text, Input::Argument(nth + 1), words[nth].as_bytes());
                }
            }
            let terms = self.notes.terms_mut();
            count = terms.length(List::Arguments, 1, count.bits);
            let more = Condition::Longer(List::Arguments, words.len());
            let end = terms.choice(more, false, [1, 0]);
            let memory = self.processes.of_mut(rank).memory_mut();
            memory.store(list + 8 * (words.len() as u64 + 1), 8, end);
        }
        vec![Value::Scalar(count), Value::known(list), Value::known(0)]
    }

    /// `argc` and `argv`.
    fn arguments(&mut self, rank: u32, given: Given<'_>) -> Vec<Value> {
        let words: Vec<String> = match given {
            Given::Answers(answers) => return self.answered_arguments(rank, answers),
            Given::These(words) => words.to_vec(),
            Given::Numbers(numbers) => numbers.words(),
            Given::Nothing => Numbers::default().words(),
        };
        let process = self.processes.of_mut(rank);
        if let Given::These(_) | Given::Numbers(_) = given {
            process.know_arguments(&words);
        }
        let (list, _) = argv(process.memory_mut(), &words, |index| match given {
            Given::Nothing => source(("argv", index)),
            _ => 0,
        });
        let count = match given {
            Given::Nothing => Scalar {
                bits: 1,
                symbol: List::Arguments.length(1),
            },
            _ => Scalar::known(words.len() as u64 + 1),
        };
        vec![Value::Scalar(count), Value::known(list), Value::known(0)]
    }

    /// Functions that run before `main`, the last first: those of all files, in the order of these.
    fn constructors(&self, rank: u32) -> Vec<u32> {
        let module = self.module;
        let memory = self.processes.of(rank).memory();
        let lists = module.globals.iter().zip(self.globals.addresses());
        let lists = lists.filter(|(global, _)| global.name == "llvm.global_ctors");
        let addresses = lists.flat_map(|(global, base)| {
            (0..global.size / 24).map(move |entry| memory.load(base + 24 * entry + 8, 8).bits)
        });
        let mut found: Vec<u32> = addresses
            .filter_map(function_at)
            .filter(|function| {
                let code = module.functions.get(*function as usize);
                code.is_some_and(|code| !code.blocks.is_empty())
            })
            .collect();
        found.reverse();
        found
    }
}

/// Puts the name of the program and the words of its command line into memory: where their list is, which has room for
/// one more, and where each word is. `symbol` gives that of the address of a word, which count from 1.
fn argv(memory: &mut Memory, words: &[String], symbol: impl Fn(u64) -> Symbol) -> (u64, Vec<u64>) {
    let list = memory.allocate(8 * (words.len() as u64 + 2), "argv");
    let name = memory.allocate(8, "argv[0]");
    memory.write(name, b"program\0");
    memory.store(list, 8, Scalar::known(name));
    let mut texts = Vec::new();
    for (index, word) in (1_u64..).zip(words) {
        let text = memory.allocate((word.len() as u64 + 1).max(16), "argument");
        memory.write(text, format!("{word}\0").as_bytes());
        let symbol = symbol(index);
        memory.store(list + 8 * index, 8, Scalar { bits: text, symbol });
        texts.push(text);
    }
    (list, texts)
}
