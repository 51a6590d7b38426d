//! Running a program on a job, again and again.

use crate::steps::{Step, Steps, value};
use farside_fabric::conformance::{Extent, Rig, Shared};
use farside_fabric::{AtomicKind, AtomicOperation, CompareSwap, Fabric, Fetch, Get, Put, Result, Signal};
use farside_litmus::ast::{Observable, VariableId};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Bytes between variables: each has a cache line of its own.
const STRIDE: usize = 64;

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How often.
    pub runs: u32,
    /// The longest delay between two statements; most are shorter, many are none.
    pub delay: Duration,
    /// Decides the delays.
    pub seed: u64,
}

/// How often each outcome came: values in the order of the observables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Outcomes with their numbers.
    pub outcomes: BTreeMap<Vec<i64>, u64>,
    /// Runs that came to the bound of a loop, and are not among the outcomes.
    pub bounded: u64,
}

/// Runs a program on a job of as many ranks as it has processes, or more: the others watch. All ranks call it with the same
/// arguments; all get the histogram.
///
/// # Errors
/// The transport's, such as an atomic operation that it does not have.
pub fn run(
    fabric: &dyn Fabric,
    steps: &Steps<'_>,
    observables: &[Observable],
    plan: &Plan,
) -> Result<Histogram> {
    let rig = Rig::new(fabric, Extent::default());
    let shared = rig.share(steps.program.variables.len().max(1) * STRIDE)?;
    let mut rank = Process {
        rig: &rig,
        shared: &shared,
        steps,
        random: Random(plan.seed ^ u64::from(fabric.rank()).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        delay: plan.delay,
        registers: Vec::new(),
    };
    let mut histogram = Histogram::default();
    for _ in 0..plan.runs {
        rank.reset();
        rig.barrier()?;
        let whole = rank.execute()?;
        rig.flush(&shared)?;
        rig.barrier()?;
        let seen = rig.exchange(&rank.seen(observables, whole))?;
        if seen.iter().any(|part| part.first() != Some(&1)) {
            histogram.bounded += 1;
            continue;
        }
        let outcome = (0..observables.len()).map(|place| {
            let owner = owner(steps, observables[place]) as usize;
            let word = seen[owner][1 + place * 8..]
                .first_chunk()
                .copied()
                .unwrap_or_default();
            i64::from_ne_bytes(word)
        });
        *histogram.outcomes.entry(outcome.collect()).or_default() += 1;
    }
    rig.unshare(shared)?;
    Ok(histogram)
}

/// The rank that knows the value.
fn owner(steps: &Steps<'_>, observable: Observable) -> u32 {
    match observable {
        Observable::Register(rank, _) => rank.0,
        Observable::Variable(variable) => steps.program.variables[variable.0 as usize].owner.0,
    }
}

/// Where a variable is in the region of its owner.
fn place(variable: VariableId) -> usize {
    variable.0 as usize * STRIDE
}

/// A rank that runs its process.
struct Process<'a> {
    rig: &'a Rig<'a>,
    shared: &'a Shared,
    steps: &'a Steps<'a>,
    random: Random,
    delay: Duration,
    registers: Vec<i64>,
}

impl Process<'_> {
    fn own(&self) -> &[Step] {
        self.steps
            .processes
            .get(self.rig.rank() as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// First values, before the barrier.
    fn reset(&mut self) {
        let program = self.steps.program;
        for (variable, index) in program.variables.iter().zip(0..) {
            if variable.owner.0 == self.rig.rank() {
                self.store(VariableId(index), variable.value);
            }
        }
        let registers = program
            .processes
            .get(self.rig.rank() as usize)
            .map_or(0, |process| process.registers.len());
        self.registers = vec![0; registers];
    }

    fn store(&self, variable: VariableId, value: i64) {
        self.shared
            .word(place(variable))
            .store(value as u64, Ordering::SeqCst);
    }

    fn address(&self, variable: VariableId) -> *mut u8 {
        self.shared.word(place(variable)).as_ptr().cast()
    }

    /// False if a loop came to its bound.
    fn execute(&mut self) -> Result<bool> {
        let mut turns = vec![0; self.steps.loops];
        let mut next = 0;
        while let Some(step) = self.own().get(next).cloned() {
            self.pause();
            next += 1;
            match step {
                Step::Unless(condition, to) if value(&condition, &self.registers) == 0 => next = to,
                Step::Unless(..) => {}
                Step::Jump(to) => next = to,
                Step::Enter(number) => turns[number] = 0,
                Step::Bound(number, bound) if turns[number] == bound => return Ok(false),
                Step::Bound(number, ..) => turns[number] += 1,
                step => self.step(&step)?,
            }
        }
        Ok(true)
    }

    fn pause(&mut self) {
        // Most often nothing, else anything up to the longest, short ones oftener.
        let bits = self.random.next();
        if bits & 1 == 1 {
            let part = (bits >> 1) % 1000;
            self.rig
                .fabric
                .compute(self.delay.mul_f64((part * part) as f64 / 1e6));
        }
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        let (fabric, scope) = (self.rig.fabric, self.shared.scope);
        let remote = |variable: VariableId| {
            let owner = self.steps.program.variables[variable.0 as usize].owner.0;
            self.shared.remotes[owner as usize]
        };
        match step {
            Step::Load { into, from } => {
                self.registers[into.0 as usize] = self.shared.load(place(*from)) as i64;
            }
            Step::Store {
                into,
                value: expression,
            } => self.store(*into, value(expression, &self.registers)),
            Step::Assign {
                into,
                value: expression,
            } => {
                self.registers[into.0 as usize] = value(expression, &self.registers);
            }
            Step::Get { into, target } => {
                let get = Get {
                    scope,
                    origin: self.address(*into),
                    bytes: 8,
                    remote: remote(*target),
                    displacement: place(*target),
                };
                // SAFETY: the word lives until the region is withdrawn, behind the flush. That it is touched meanwhile is
                // what is tested: only by atomic accesses of 8 bytes, as transports make them too.
                unsafe { fabric.get(&get) }?;
            }
            Step::Put { target, from } => {
                let put = Put {
                    scope,
                    origin: self.address(*from),
                    bytes: 8,
                    remote: remote(*target),
                    displacement: place(*target),
                    signal: Signal::None,
                };
                // SAFETY: as for the get.
                unsafe { fabric.put(&put) }?;
            }
            Step::FetchAdd {
                into,
                target,
                operand,
            } => {
                let fetch = Fetch {
                    scope,
                    operation: AtomicOperation::Sum,
                    kind: AtomicKind::I64,
                    count: 1,
                    operands: self.address(*operand),
                    results: self.address(*into),
                    remote: remote(*target),
                    displacement: place(*target),
                };
                // SAFETY: as for the get.
                unsafe { fabric.fetch(&fetch) }?;
            }
            Step::CompareSwap {
                into,
                target,
                compare,
                swap,
            } => {
                let swap = CompareSwap {
                    scope,
                    kind: AtomicKind::I64,
                    expected: self.address(*compare),
                    replacement: self.address(*swap),
                    result: self.address(*into),
                    remote: remote(*target),
                    displacement: place(*target),
                };
                // SAFETY: as for the get.
                unsafe { fabric.compare_swap(&swap) }?;
            }
            Step::Flush(target) => fabric.flush(scope, Some(target.0))?,
            Step::Unless(..) | Step::Jump(_) | Step::Enter(_) | Step::Bound(..) => {}
        }
        Ok(())
    }

    /// A byte that says if all loops ended, and a word an observable: the values that are of this rank.
    fn seen(&self, observables: &[Observable], whole: bool) -> Vec<u8> {
        let mut bytes = vec![u8::from(whole)];
        for observable in observables {
            let mine = owner(self.steps, *observable) == self.rig.rank();
            let value = match observable {
                Observable::Register(_, register) if mine => self.registers[register.0 as usize],
                Observable::Variable(variable) if mine => self.shared.load(place(*variable)) as i64,
                _ => 0,
            };
            bytes.extend(value.to_ne_bytes());
        }
        bytes
    }
}

/// Numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
