//! Random programs of two processes: loads, stores and arithmetic, in loops or not, between one-sided calls.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::fmt::{self, Display, Formatter, Write as _};

/// A program that ends.
#[derive(Clone, Debug)]
pub(super) struct Program(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Plain(Vec<Action>),
    /// What one process does.
    OfRank(u32, Vec<Action>),
    Loop(Loop),
    /// A put of so many numbers from some place of an object into the window.
    Put(&'static str, i64, u64, u64),
    FlushLocal,
    Barrier,
}

#[derive(Clone, Debug)]
struct Loop {
    rounds: u64,
    /// The counter lies in memory, as compilers have it without optimisation.
    in_memory: bool,
    /// Whether there is always a first round.
    checked_last: bool,
    /// Values that go from round to round: the first one, and the next one.
    carried: Vec<(usize, usize)>,
    body: Vec<Action>,
    inner: Option<Box<Loop>>,
}

/// Values are picked from those that there are, by any number.
#[derive(Clone, Debug)]
enum Action {
    Load(Address, Width),
    Store(Address, Width, usize),
    /// All bits of what was loaded are stored, so that each of them shows.
    Copy(Address, Width, Address),
    Arithmetic(&'static str, u32, usize, usize),
    Float(&'static str, usize, usize),
    Select(&'static str, usize, usize, usize),
    Widen(&'static str, u32, usize),
    /// Of a function that stores and computes.
    Call(usize),
    Absolute(usize),
    /// What is done in some rounds, by the counter of the innermost loop.
    If(&'static str, Other, Vec<Action>),
    /// One of two values, by that counter.
    Merge(&'static str, Other, usize, usize),
    /// One of two values, by another one.
    Chosen(&'static str, usize, usize, usize),
    /// A load or store somewhere near, by a value.
    Indexed(Address, Width, usize, Option<usize>),
}

/// What a counter is compared with.
#[derive(Clone, Debug)]
enum Other {
    Number(u64),
    Rank,
}

#[derive(Clone, Debug)]
struct Address {
    object: &'static str,
    constant: i64,
    /// What the counter of the innermost loop is multiplied with.
    scale: i64,
    /// What the counter of the loop around that one is multiplied with.
    around: i64,
}

type Width = &'static str;

impl Program {
    /// Whether all addresses depend on nothing but counters of loops.
    pub(super) fn is_plain(&self) -> bool {
        !self.has(&|action| matches!(action, Action::Indexed(..)))
    }

    /// Whether there are branches that only choose between values, by any values.
    pub(super) fn chooses(&self) -> bool {
        self.has(&|action| matches!(action, Action::Chosen(..)))
    }

    fn has(&self, wanted: &dyn Fn(&Action) -> bool) -> bool {
        fn one(action: &Action, wanted: &dyn Fn(&Action) -> bool) -> bool {
            match action {
                Action::If(_, _, actions) => actions.iter().any(|action| one(action, wanted)),
                action => wanted(action),
            }
        }
        fn of_loop(a_loop: &Loop, wanted: &dyn Fn(&Action) -> bool) -> bool {
            let inner = a_loop.inner.as_deref();
            a_loop.body.iter().any(|action| one(action, wanted))
                || inner.is_some_and(|inner| of_loop(inner, wanted))
        }
        self.0.iter().any(|part| match part {
            Part::Plain(actions) | Part::OfRank(_, actions) => {
                actions.iter().any(|action| one(action, wanted))
            }
            Part::Loop(a_loop) => of_loop(a_loop, wanted),
            Part::Put(..) | Part::FlushLocal | Part::Barrier => false,
        })
    }
}

/// The objects that operations are concerned with: the window as a whole, of the others a part.
const SENT: [&str; 3] = ["%4", "%5", "@cells"];

/// A program whose loops go round at most so often.
pub(super) fn program(rounds: u64) -> impl Strategy<Value = Program> {
    let part = prop_oneof![
        2 => vec(action(), 1..5).prop_map(Part::Plain),
        2 => (0u32..2, vec(action(), 1..4)).prop_map(|(rank, actions)| Part::OfRank(rank, actions)),
        5 => a_loop(rounds, 0.3).prop_map(Part::Loop),
        3 => (0usize..3, 0i64..64, 0u64..16, 1u64..40)
            .prop_map(|(object, at, to, count)| Part::Put(SENT[object], 4 * at, to, count)),
        1 => Just(Part::FlushLocal),
        1 => Just(Part::Barrier),
    ];
    vec(part, 2..8).prop_map(Program)
}

/// A program of sweeps: loops within loops, of which the outer one goes round at most so often.
pub(super) fn sweeps(rounds: u64) -> impl Strategy<Value = Program> {
    let part = prop_oneof![
        4 => a_loop(rounds, 0.9).prop_map(Part::Loop),
        1 => (0usize..3, 0i64..64, 0u64..16, 1u64..40)
            .prop_map(|(object, at, to, count)| Part::Put(SENT[object], 4 * at, to, count)),
        1 => Just(Part::Barrier),
    ];
    vec(part, 2..5).prop_map(Program)
}

/// A loop that goes round at most so often, with another one within it this often.
fn a_loop(rounds: u64, nested: f64) -> impl Strategy<Value = Loop> {
    // Eight are a few.
    let carried = prop_oneof![
        4 => vec(any::<(usize, usize)>(), 0..3),
        1 => vec(any::<(usize, usize)>(), 8..11),
    ];
    // Most of what a sweep does is to go over memory.
    let body = match nested > 0.5 {
        true => vec(prop_oneof![4 => touch(), 1 => action()], 1..3).boxed(),
        false => vec(action(), 1..6).boxed(),
    };
    let one = move |rounds: u64| (0..rounds, any::<(bool, bool)>(), carried.clone(), body.clone());
    let within = option::weighted(nested, (one(12), option::weighted(0.3, one(5))));
    (one(rounds), within).prop_map(move |(mut outer, inner)| {
        let made = |(rounds, (in_memory, checked_last), carried, body), inner| Loop {
            rounds,
            in_memory,
            checked_last,
            carried,
            body,
            inner,
        };
        // Many times many rounds take long.
        if inner.is_some() {
            outer.0 %= 24;
        }
        let inner = inner.map(|(inner, innermost)| {
            made(inner, innermost.map(|innermost| Box::new(made(innermost, None))))
        });
        made(outer, inner.map(Box::new))
    })
}

fn address() -> impl Strategy<Value = Address> {
    let objects = prop::sample::select(vec!["%4", "%5", "%6", "%6", "%6", "@cells"]);
    let scales = prop::sample::select(vec![0, 0, 4, 8, 8, 12, -8]);
    let around = prop::sample::select(vec![0, 0, 8, 32]);
    (objects, 0i64..16, scales, around).prop_map(|(object, constant, scale, around)| Address {
        object,
        // All addresses are within their objects.
        constant: 4 * constant + if scale < 0 { 512 } else { 0 },
        scale,
        around,
    })
}

fn action() -> impl Strategy<Value = Action> {
    let predicate = || prop::sample::select(vec!["eq", "ne", "ult", "uge", "sgt", "sle"]);
    let other = || prop_oneof![5 => (0u64..70).prop_map(Other::Number), 1 => Just(Other::Rank)];
    prop_oneof![
        16 => simple(),
        2 => (predicate(), other(), vec(simple(), 1..3))
            .prop_map(|(predicate, other, actions)| Action::If(predicate, other, actions)),
        1 => (predicate(), other(), any::<usize>(), any::<usize>())
            .prop_map(|(predicate, other, yes, no)| Action::Merge(predicate, other, yes, no)),
        1 => (predicate(), any::<usize>(), any::<usize>(), any::<usize>())
            .prop_map(|(predicate, by, yes, no)| Action::Chosen(predicate, by, yes, no)),
    ]
}

/// A load or store by counters of loops.
fn touch() -> impl Strategy<Value = Action> {
    let width = || prop::sample::select(vec!["i8", "i32", "i64", "double"]);
    prop_oneof![
        (address(), width()).prop_map(|(address, width)| Action::Load(address, width)),
        (address(), width(), any::<usize>())
            .prop_map(|(address, width, value)| Action::Store(address, width, value)),
    ]
}

fn simple() -> impl Strategy<Value = Action> {
    let name = |names: &[&'static str]| prop::sample::select(names.to_vec());
    let width = || name(&["i8", "i20", "i32", "i64", "ptr", "float", "double"]);
    let pick = any::<usize>;
    prop_oneof![
        4 => (address(), width()).prop_map(|(address, width)| Action::Load(address, width)),
        4 => (address(), width(), pick()).prop_map(|(address, width, value)| Action::Store(address, width, value)),
        3 => (address(), width(), address()).prop_map(|(from, width, to)| Action::Copy(from, width, to)),
        4 => (
            name(&["add", "sub", "mul", "udiv", "srem", "and", "or", "xor", "shl", "lshr"]),
            prop::sample::select(vec![8u32, 32, 64]),
            pick(),
            pick(),
        ).prop_map(|(operator, bits, left, right)| Action::Arithmetic(operator, bits, left, right)),
        1 => (name(&["fadd", "fmul", "fneg"]), pick(), pick())
            .prop_map(|(operator, left, right)| Action::Float(operator, left, right)),
        2 => (name(&["eq", "ne", "ult", "ule", "sgt", "sge"]), pick(), pick(), pick())
            .prop_map(|(predicate, left, right, other)| Action::Select(predicate, left, right, other)),
        1 => (name(&["zext", "sext"]), prop::sample::select(vec![8u32, 16, 32]), pick())
            .prop_map(|(name, bits, value)| Action::Widen(name, bits, value)),
        1 => pick().prop_map(Action::Call),
        1 => pick().prop_map(Action::Absolute),
        2 => (address(), width(), pick(), option::of(pick()))
            .prop_map(|(address, width, by, stored)| Action::Indexed(address, width, by, stored)),
    ]
}

/// The function of a program, as far as it is written.
struct Writer {
    /// The phis and the rest of each block.
    blocks: Vec<(String, String)>,
    /// The block at hand.
    block: usize,
    registers: u32,
    places: u32,
    /// What is defined wherever control is.
    values: Vec<String>,
    counter: String,
    /// That of the loop around the innermost one.
    around: String,
    /// How many loops are around what is written.
    depth: u32,
}

impl Writer {
    /// Writes an instruction, at a place of its own.
    fn line(&mut self, text: &str) {
        self.places += 1;
        let _ = writeln!(self.blocks[self.block].1, "  {text} !{}", self.places);
    }

    fn register(&mut self) -> String {
        self.registers += 1;
        format!("%{}", self.registers - 1)
    }

    fn result(&mut self, text: &str) -> String {
        let register = self.register();
        self.line(&format!("{register} = {text}"));
        register
    }

    fn new_block(&mut self) -> usize {
        self.blocks.push(Default::default());
        self.blocks.len() - 1
    }

    fn value(&self, pick: usize) -> String {
        self.values[pick % self.values.len()].clone()
    }

    fn address(&mut self, address: &Address) -> String {
        let mut text = format!("offset {} + {}", address.object, address.constant);
        for (counter, scale) in [(&self.counter, address.scale), (&self.around, address.around)] {
            if scale != 0 {
                let _ = write!(text, " + {counter}:64*{scale}");
            }
        }
        self.result(&text)
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Plain(actions) => self.actions(actions),
            Part::OfRank(rank, actions) => {
                let holds = self.result(&format!("compare eq i32 %10, {rank}"));
                self.only_if(&holds, |writer| writer.actions(actions));
            }
            Part::Loop(a_loop) => self.a_loop(a_loop),
            Part::Put(object, constant, to, count) => {
                let from = self.result(&format!("offset {object} + {constant}"));
                self.line(&format!(
                    "call &MPI_Put({from}, {count}, {INT}, %11, {}, {count}, {INT}, %9)",
                    4 * to
                ));
            }
            Part::FlushLocal => self.line("call &MPI_Win_flush_local_all(%9)"),
            Part::Barrier => self.line(&format!("call &MPI_Barrier({WORLD})")),
        }
    }

    /// What is done if a condition holds; control is in the block after it then. The block that it was in, and the last one of
    /// what is done.
    fn only_if(&mut self, holds: &str, then: impl FnOnce(&mut Self)) -> (usize, usize) {
        let (before, inside, after) = (self.block, self.new_block(), self.new_block());
        self.line(&format!("branch {holds}, {inside}, {after}"));
        self.block = inside;
        let known = self.values.len();
        then(self);
        self.values.truncate(known);
        self.line(&format!("goto {after}"));
        let last = std::mem::replace(&mut self.block, after);
        (before, last)
    }

    /// A condition on the counter of the innermost loop.
    fn condition(&mut self, predicate: &str, other: &Other) -> String {
        let counter = &self.counter;
        let text = match other {
            Other::Number(number) => format!("compare {predicate} i64 {counter}, {number}"),
            Other::Rank => format!("compare {predicate} i64 {counter}, %10"),
        };
        self.result(&text)
    }

    fn actions(&mut self, actions: &[Action]) {
        for action in actions {
            let value = self.action(action);
            self.values.extend(value);
        }
    }

    fn action(&mut self, action: &Action) -> Option<String> {
        Some(match action {
            Action::Load(address, width) => {
                let address = self.address(address);
                self.result(&format!("load {width}, {address}"))
            }
            Action::Store(address, width, value) => {
                let (address, value) = (self.address(address), self.value(*value));
                self.line(&format!("store {width} {value}, {address}"));
                return None;
            }
            Action::Copy(from, width, to) => {
                let from = self.address(from);
                let value = self.result(&format!("load {width}, {from}"));
                let to = self.address(to);
                self.line(&format!("store i64 {value}, {to}"));
                return None;
            }
            Action::Arithmetic(operator, bits, left, right) => {
                let (left, right) = (self.value(*left), self.value(*right));
                self.result(&format!("{operator} i{bits} {left}, {right}"))
            }
            Action::Float(operator, left, right) => {
                let (left, right) = (self.value(*left), self.value(*right));
                self.result(&format!("{operator} double {left}, {right}"))
            }
            Action::Select(predicate, left, right, other) => {
                let (left, right, other) = (self.value(*left), self.value(*right), self.value(*other));
                let condition = self.result(&format!("compare {predicate} i64 {left}, {right}"));
                self.result(&format!("select {condition}, {left}, {other}"))
            }
            Action::Widen(name, bits, value) => {
                let value = self.value(*value);
                let narrow = self.result(&format!("trunc i64 {value} to i{bits}"));
                self.result(&format!("{name} i{bits} {narrow} to i64"))
            }
            Action::Call(value) => {
                let value = self.value(*value);
                self.result(&format!("call &keep({value})"))
            }
            Action::Absolute(value) => {
                let value = self.value(*value);
                self.result(&format!("call &labs({value})"))
            }
            Action::If(predicate, other, actions) => {
                let holds = self.condition(predicate, other);
                self.only_if(&holds, |writer| writer.actions(actions));
                return None;
            }
            Action::Merge(predicate, other, yes, no) => {
                let holds = self.condition(predicate, other);
                self.merged(&holds, *yes, *no)
            }
            Action::Chosen(predicate, by, yes, no) => {
                let by = self.value(*by);
                let holds = self.result(&format!("compare {predicate} i64 {by}, 3"));
                self.merged(&holds, *yes, *no)
            }
            Action::Indexed(address, width, by, stored) => {
                let (by, address) = (self.value(*by), self.address(address));
                // From 0 to 252 bytes further on.
                let address = self.result(&format!("offset {address} + 128 + {by}:6*4"));
                if let Some(stored) = stored {
                    let stored = self.value(*stored);
                    self.line(&format!("store {width} {stored}, {address}"));
                    return None;
                }
                self.result(&format!("load {width}, {address}"))
            }
        })
    }

    /// One of two values, by a condition.
    fn merged(&mut self, holds: &str, yes: usize, no: usize) -> String {
        let (yes, no) = (self.value(yes), self.value(no));
        let (before, inside) = self.only_if(holds, |_| {});
        let merged = self.register();
        let phi = format!("  {merged} = phi [{before}: {no}, {inside}: {yes}]\n");
        self.blocks[self.block].0.push_str(&phi);
        merged
    }

    /// A loop; control is in the block after it then.
    fn a_loop(&mut self, a_loop: &Loop) {
        let before = self.block;
        let (counter, next) = (self.register(), self.register());
        let slot = a_loop.in_memory.then(|| format!("%{}", 12 + self.depth));
        if let Some(slot) = &slot {
            self.line(&format!("store i64 0, {slot}"));
        }
        // If the check comes last, the head is the body.
        let head = self.new_block();
        self.line(&format!("goto {head}"));
        let (known, outer) = (self.values.len(), self.counter.clone());
        let starts = a_loop.carried.iter().map(|(start, _)| self.value(*start));
        let starts: Vec<String> = starts.collect();
        let carried: Vec<String> = starts.iter().map(|_| self.register()).collect();
        self.block = head;
        if let Some(slot) = &slot {
            self.line(&format!("{counter} = load i64, {slot}"));
        }
        let after = self.new_block();
        if !a_loop.checked_last {
            let body = self.new_block();
            self.check(&counter, a_loop.rounds, body, after);
            self.block = body;
        }
        self.values.push(counter.clone());
        self.values.extend(carried.iter().cloned());
        let around = std::mem::replace(&mut self.around, outer.clone());
        self.counter.clone_from(&counter);
        self.actions(&a_loop.body);
        if let Some(inner) = &a_loop.inner {
            self.depth += 1;
            self.a_loop(inner);
            self.depth -= 1;
        }
        self.line(&format!("{next} = add i64 {counter}, 1"));
        let latch = self.block;
        match &slot {
            Some(slot) => self.line(&format!("store i64 {next}, {slot}")),
            None => {
                let phi = format!("  {counter} = phi [{before}: 0, {latch}: {next}]\n");
                self.blocks[head].0.push_str(&phi);
            }
        }
        for ((value, start), (_, next)) in carried.iter().zip(&starts).zip(&a_loop.carried) {
            let next = self.value(*next);
            let phi = format!("  {value} = phi [{before}: {start}, {latch}: {next}]\n");
            self.blocks[head].0.push_str(&phi);
        }
        match a_loop.checked_last {
            true => self.check(&next, a_loop.rounds, head, after),
            false => self.line(&format!("goto {head}")),
        }
        self.values.truncate(known);
        self.values.push(counter);
        self.values.extend(carried);
        (self.counter, self.around) = (outer, around);
        self.block = after;
    }

    fn check(&mut self, counter: &str, rounds: u64, stay: usize, leave: usize) {
        let holds = self.result(&format!("compare slt i64 {counter}, {rounds}"));
        self.line(&format!("branch {holds}, {stay}, {leave}"));
    }
}

/// MPICH's handles.
const WORLD: u32 = 0x4400_0000;
const INT: u32 = 0x4c00_0405;
const NO_INFO: u32 = 0x1c00_0000;

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut writer = Writer {
            blocks: vec![Default::default()],
            block: 0,
            registers: 15,
            places: 10,
            values: [
                "%10",
                "7",
                "f64 1.5",
                "0",
                "18446744073709551615",
                "2155905152",
                "%7",
            ]
            .map(str::to_owned)
            .to_vec(),
            counter: "3".to_owned(),
            around: "2".to_owned(),
            depth: 0,
        };
        for text in [
            "call &MPI_Init(0, 0)",
            "%2 = allocate 4 * 1 \"rank\"",
            "call &MPI_Comm_rank({WORLD}, %2)",
            "%10 = load i32, %2",
            "%11 = sub i32 1, %10",
            "%3 = allocate 8 * 1 \"base\"",
            "%8 = allocate 4 * 1 \"win\"",
            "call &MPI_Win_allocate(4096, 1, {NO_INFO}, {WORLD}, %3, %8)",
            "%4 = load ptr, %3",
            "%9 = load i32, %8",
            "%7 = call &outside()",
            "%12 = allocate 8 * 1 \"counter\"",
            "%13 = allocate 8 * 1 \"counter\"",
            "%14 = allocate 8 * 1 \"counter\"",
            "%5 = allocate 1 * 1024 \"sent\"",
            "%6 = allocate 1 * 1024 \"private\"",
            "store i64 18446744073709551615, %6",
            "store i64 18446744073709551615, @(cells + 8)",
            "call &MPI_Win_lock_all(0, %9)",
        ] {
            let text = text.replace("{WORLD}", &WORLD.to_string());
            let text = text.replace("{INT}", &INT.to_string());
            writer.line(&text.replace("{NO_INFO}", &NO_INFO.to_string()));
        }
        for part in &self.0 {
            writer.part(part);
        }
        writer.line("call &MPI_Win_unlock_all(%9)");
        writer.line("call &MPI_Win_free(%8)");
        writer.line("call &MPI_Finalize()");
        writer.line("return 0");
        for name in [
            "MPI_Init",
            "MPI_Comm_rank",
            "MPI_Win_allocate",
            "MPI_Win_lock_all",
            "MPI_Put",
            "MPI_Win_flush_local_all",
            "MPI_Barrier",
            "MPI_Win_unlock_all",
            "MPI_Win_free",
            "MPI_Finalize",
            "labs",
            "outside",
        ] {
            writeln!(f, "declare {name}()")?;
        }
        writeln!(f, "global @cells 1024")?;
        writeln!(f, "function keep(i64) registers 3 {{")?;
        writeln!(f, "0:\n  store i64 %0, @(cells + 40) !1")?;
        writeln!(f, "  %1 = load i32, @(cells + 32) !2")?;
        writeln!(f, "  %2 = add i64 %0, %1 !3\n  return %2 !4\n}}")?;
        writeln!(f, "function main() registers {} {{", writer.registers)?;
        for (number, (phis, text)) in writer.blocks.iter().enumerate() {
            write!(f, "{number}:\n{phis}{text}")?;
        }
        writeln!(f, "}}")
    }
}
