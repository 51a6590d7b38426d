//! Running a program on a job, again and again.

use crate::steps::{Step, Steps, value};
use farside_fabric::conformance::{Extent, Rig, Shared};
use farside_fabric::{AtomicKind, AtomicOperation, CompareSwap, Fabric, Fetch, Get, Put, Result, Signal};
use farside_litmus::ast::{Observable, Program, Value, VariableId};
use farside_litmus::log::{Entry, State};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Bytes between variables: each has a cache line of its own.
const STRIDE: usize = 64;

/// Most runs between two exchanges of what was seen; each has variables of its own.
const BATCH: usize = 64;

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

/// Runs a program on a job of as many ranks as it has processes, or more: the others watch. All ranks call it with the
/// same arguments; all get the histogram. Once for an endpoint; [`run_on`] for more than one program.
///
/// # Errors
/// The transport's, such as an atomic operation that it does not have.
pub fn run(
    fabric: &dyn Fabric,
    steps: &Steps<'_>,
    observables: &[Observable],
    plan: &Plan,
) -> Result<Histogram> {
    run_on(&Rig::new(fabric, Extent::default()), steps, observables, plan)
}

/// The same on a rig, which is one for all programs that the job runs: another rank may be in the next program already,
/// and the rig keeps what it sends.
///
/// # Errors
/// As for [`run`].
pub fn run_on(
    rig: &Rig<'_>,
    steps: &Steps<'_>,
    observables: &[Observable],
    plan: &Plan,
) -> Result<Histogram> {
    let fabric = rig.fabric;
    let record = 1 + 8 * observables.len();
    // What a rank saw in a batch is one message.
    let batch = (fabric.capabilities().message_bytes / record).clamp(1, BATCH);
    let width = steps.program.variables.len().max(1) * STRIDE;
    let shared = rig.share(width * batch)?;
    let mut rank = Process {
        rig,
        shared: &shared,
        steps,
        random: SplitMix64::seed_from_u64(
            plan.seed ^ u64::from(fabric.rank()).wrapping_mul(0x9E37_79B9_7F4A_7C15),
        ),
        delay: plan.delay,
        registers: Vec::new(),
        base: 0,
    };
    let mut histogram = Histogram::default();
    let mut left = plan.runs as usize;
    while left > 0 {
        let bases: Vec<usize> = (0..left.min(batch)).map(|run| run * width).collect();
        left -= bases.len();
        for base in &bases {
            rank.begin(*base);
            rank.store_first_values();
        }
        let mut ended = Vec::with_capacity(bases.len());
        for base in &bases {
            // All begin together; before the first run, all have stored their first values.
            rig.barrier()?;
            rank.begin(*base);
            let whole = rank.execute()?;
            ended.push((whole, std::mem::take(&mut rank.registers)));
        }
        rig.flush(&shared)?;
        rig.barrier()?;
        let mut bytes = Vec::with_capacity(record * bases.len());
        for (base, (whole, registers)) in bases.iter().zip(ended) {
            (rank.base, rank.registers) = (*base, registers);
            bytes.extend(rank.seen(observables, whole));
        }
        let seen = rig.exchange(&bytes)?;
        for run in 0..bases.len() {
            histogram.count(steps, observables, |rank| &seen[rank][run * record..]);
        }
    }
    rig.unshare(shared)?;
    Ok(histogram)
}

impl Histogram {
    /// As logs have it. `observables` are those that it was counted by.
    #[must_use]
    pub fn entry(&self, program: &Program, observables: &[Observable], time: Duration) -> Entry {
        let states = self.outcomes.iter().filter_map(|(outcome, times)| {
            let values: Vec<Value> = outcome.iter().copied().map(Value::Known).collect();
            Some((State::read(&program.state(observables, &values))?, Some(*times)))
        });
        Entry {
            name: program.name.clone(),
            kind: "Allowed".to_owned(),
            states: states.collect(),
            verdict: "Ok".to_owned(),
            bounded: self.bounded > 0,
            seconds: format!("{:.6}", time.as_secs_f64()),
            hash: program.hash(),
            ..Entry::default()
        }
    }

    /// One run more; `seen` gives what a rank saw of it.
    fn count<'s>(&mut self, steps: &Steps<'_>, observables: &[Observable], seen: impl Fn(usize) -> &'s [u8]) {
        if (0..steps.program.processes.len()).any(|rank| seen(rank).first() != Some(&1)) {
            self.bounded += 1;
            return;
        }
        let outcome = (0..observables.len()).map(|place| {
            let owner = owner(steps, observables[place]) as usize;
            let word = seen(owner)[1 + place * 8..]
                .first_chunk()
                .copied()
                .unwrap_or_default();
            i64::from_ne_bytes(word)
        });
        *self.outcomes.entry(outcome.collect()).or_default() += 1;
    }
}

/// The rank that knows the value.
fn owner(steps: &Steps<'_>, observable: Observable) -> u32 {
    match observable {
        Observable::Register(rank, _) => rank.0,
        Observable::Variable(variable) => steps.program.variables[variable.0 as usize].owner.0,
    }
}

/// A rank that runs its process.
struct Process<'a> {
    rig: &'a Rig<'a>,
    shared: &'a Shared,
    steps: &'a Steps<'a>,
    random: SplitMix64,
    delay: Duration,
    registers: Vec<i64>,
    /// Where the variables of the run begin, in the regions of all.
    base: usize,
}

impl Process<'_> {
    fn own(&self) -> &[Step] {
        self.steps
            .processes
            .get(self.rig.rank() as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// A run begins: registers are 0.
    fn begin(&mut self, base: usize) {
        self.base = base;
        let process = self.steps.program.processes.get(self.rig.rank() as usize);
        self.registers = vec![0; process.map_or(0, |process| process.registers.len())];
    }

    fn store_first_values(&self) {
        for (variable, index) in self.steps.program.variables.iter().zip(0..) {
            if variable.owner.0 == self.rig.rank() {
                self.store(VariableId(index), variable.value);
            }
        }
    }

    /// Where a variable is in the region of its owner.
    fn place(&self, variable: VariableId) -> usize {
        self.base + variable.0 as usize * STRIDE
    }

    fn store(&self, variable: VariableId, value: i64) {
        self.shared
            .word(self.place(variable))
            .store(value as u64, Ordering::SeqCst);
    }

    fn address(&self, variable: VariableId) -> *mut u8 {
        self.shared.word(self.place(variable)).as_ptr().cast()
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
        let bits = self.random.next_u64();
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
                self.registers[into.0 as usize] = self.shared.load(self.place(*from)) as i64;
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
                    displacement: self.place(*target),
                };
                // SAFETY: the word lives until the region is withdrawn, after the flush. That it is touched meanwhile
                // is what is tested: only by atomic accesses of 8 bytes, as transports make them too.
                unsafe { fabric.get(&get) }?;
            }
            Step::Put { target, from } => {
                let put = Put {
                    scope,
                    origin: self.address(*from),
                    bytes: 8,
                    remote: remote(*target),
                    displacement: self.place(*target),
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
                    displacement: self.place(*target),
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
                    displacement: self.place(*target),
                };
                // SAFETY: as for the get.
                unsafe { fabric.compare_swap(&swap) }?;
            }
            Step::Flush(target) => fabric.flush(scope, Some(target.0))?,
            Step::Barrier => self.rig.barrier()?,
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
                Observable::Variable(variable) if mine => self.shared.load(self.place(*variable)) as i64,
                _ => 0,
            };
            bytes.extend(value.to_ne_bytes());
        }
        bytes
    }
}
