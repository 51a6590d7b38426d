//! Executes a program in one of its interleavings, and gives what the detector found.

use super::program::{Around, Cell, Line, Program, What};
use crate::script::{Script, WIN, at, private};
use farside_events::*;
use farside_findings::{Finding, Frame, Place};
use farside_race::{Places, Site, WindowLabel, findings};

/// Findings, or that no process could go on.
pub(crate) fn run(program: &Program, seed: u64) -> Result<Vec<Finding>, String> {
    let mut run = Run::new(program, seed);
    run.all()?;
    Ok(findings(run.script.finish(), Interface::Mpi, &mut Lines))
}

/// The stack of an event is its line.
struct Lines;

impl Places for Lines {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let place = Place {
            file: "text".to_owned(),
            line: site.stack.0 as u32,
            column: None,
        };
        vec![Frame {
            function: Some("main".to_owned()),
            place: Some(place),
            ..Frame::default()
        }]
    }

    fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
        None
    }

    fn window(&mut self, _: WinId) -> Option<WindowLabel> {
        None
    }
}

/// A generator of choices: xorshift.
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound
    }
}

/// One rank's progress.
#[derive(Clone, Default)]
struct Process {
    round: u64,
    line: usize,
    /// It has entered the collective call that it stands at.
    entered: bool,
    /// Collective calls entered.
    met: u64,
    requests: Vec<RequestId>,
    /// Number of the last posts, starts.
    posts: u64,
    waits: u64,
    completes: u64,
    sequence: u64,
}

struct Run<'p> {
    program: &'p Program,
    script: Script,
    choices: Choices,
    processes: Vec<Process>,
    /// Messages on their way: sender, receiver, number of the line pair.
    sent: Vec<(u32, u32, u32)>,
    next: u64,
}

const REQUESTS: u64 = 1 << 20;

impl<'p> Run<'p> {
    fn new(program: &'p Program, seed: u64) -> Self {
        let ranks = program.ranks;
        let mut script = Script::without_window(ranks);
        for rank in 0..ranks {
            let others = (0..ranks).filter(|other| program.shared && *other != rank);
            let shared = others.map(|other| SharedSegment {
                owner: Rank(other),
                base: mapped(rank, other),
                size: 4096,
            });
            let window = Window {
                id: WIN,
                interface: Interface::Mpi,
                comm: CommId(1),
                flavor: if program.shared {
                    WindowFlavor::Shared
                } else {
                    WindowFlavor::Allocate
                },
                base: at(rank, 0),
                size: 4096,
                disp_unit: 1,
                accumulates: AccumulateHints::default(),
                shared: shared.collect(),
                stack: StackId(1),
                handle: None,
            };
            script.kind(rank, 0, EventKind::Window(window));
        }
        Self {
            program,
            script,
            choices: Choices::new(seed),
            processes: vec![Process::default(); ranks as usize],
            sent: Vec::new(),
            next: 0,
        }
    }

    fn all(&mut self) -> Result<(), String> {
        let ranks = self.program.ranks;
        self.everyone(1, |_| Call::Collective {
            comm: CommId(1),
            sequence: 1 << 30,
            direction: Direction::All,
            name: "MPI_Win_create".into(),
            request: None,
        });
        match self.program.around {
            Around::LockAll => (0..ranks).for_each(|rank| {
                self.script.call(
                    rank,
                    2,
                    Call::LockAll {
                        win: WIN,
                        assertions: Assertions::default(),
                    },
                );
            }),
            Around::Fence => self.everyone(2, |_| fence(false)),
            Around::Nothing => {}
        }
        loop {
            let open: Vec<u32> = (0..ranks)
                .filter(|rank| self.processes[*rank as usize].round < self.program.rounds)
                .collect();
            if open.is_empty() {
                break;
            }
            // From a random one on, the first that can go on.
            let start = self.choices.below(open.len());
            let order = open[start..].iter().chain(&open[..start]);
            let went = order.copied().find(|rank| self.go(*rank));
            if went.is_none() {
                return Err("no process can go on".to_owned());
            }
        }
        if self.program.around == Around::LockAll {
            (0..ranks).for_each(|rank| self.script.call(rank, 100_000, Call::UnlockAll { win: WIN }));
        }
        self.everyone(100_001, |_| Call::WinFree { win: WIN });
        Ok(())
    }

    fn everyone(&mut self, line: u64, call: impl Fn(u32) -> Call) {
        (0..self.program.ranks).for_each(|rank| self.script.enter(rank, line, call(rank)));
        (0..self.program.ranks).for_each(|rank| self.script.leave(rank));
    }

    /// Whether the rank went on by a line.
    fn go(&mut self, rank: u32) -> bool {
        let place = self.processes[rank as usize].line;
        let Some(&Line { number, what }) = self.program.body.get(place) else {
            let process = &mut self.processes[rank as usize];
            process.line = 0;
            process.round += 1;
            return true;
        };
        if what.is_of(rank) && !self.execute(rank, u64::from(number), what) {
            return false;
        }
        self.processes[rank as usize].line += 1;
        true
    }

    /// Whether it could be executed now.
    fn execute(&mut self, rank: u32, line: u64, what: What) -> bool {
        let round = self.processes[rank as usize].round;
        let address = |cell: Cell| {
            if cell.owner == rank {
                at(rank, offset(cell, round))
            } else {
                mapped(rank, cell.owner) + offset(cell, round)
            }
        };
        match what {
            What::Put { to, request, .. } => {
                let mut op = self.script.op(
                    OperationKind::Put,
                    line,
                    buffer(line as u32),
                    to.owner,
                    offset(to, round) as i64,
                );
                if request {
                    self.next += 1;
                    let id = RequestId(REQUESTS + self.next);
                    op.request = Some(id);
                    self.processes[rank as usize].requests.push(id);
                }
                self.script.issue(rank, op);
            }
            What::Get { from, .. } => {
                let displacement = offset(from, round) as i64;
                self.script
                    .get(rank, line, buffer(line as u32), from.owner, displacement);
            }
            What::Load { cell, .. } => self.script.load(rank, line, address(cell)),
            What::Store { cell, .. } => self.script.store(rank, line, address(cell)),
            What::StoreBuffer { of, .. } => self.script.store(rank, line, buffer(of)),
            What::LoadBuffer { of, .. } => self.script.load(rank, line, buffer(of)),
            What::Flush { target, local, .. } => {
                let target = Some(Rank(target));
                self.script.call(
                    rank,
                    line,
                    Call::Flush {
                        win: WIN,
                        target,
                        local,
                        channel: None,
                    },
                );
            }
            What::FlushAll { local, .. } => {
                let target = None;
                self.script.call(
                    rank,
                    line,
                    Call::Flush {
                        win: WIN,
                        target,
                        local,
                        channel: None,
                    },
                );
            }
            What::WaitRequests { .. } => {
                let name = "MPI_Wait".into();
                self.script.enter(rank, line, Call::Completion { name });
                for request in std::mem::take(&mut self.processes[rank as usize].requests) {
                    self.script
                        .kind(rank, 0, EventKind::OperationRequestDone { request });
                }
                self.script.leave(rank);
            }
            What::Sync { .. } => self.script.call(rank, line, Call::Sync { win: WIN }),
            What::Barrier => {
                let sequence = self.processes[rank as usize].sequence;
                let call = Call::Collective {
                    comm: CommId(1),
                    sequence,
                    direction: Direction::All,
                    name: "MPI_Barrier".into(),
                    request: None,
                };
                if !self.meet(rank, line, call) {
                    return false;
                }
                self.processes[rank as usize].sequence += 1;
            }
            What::Fence { noprecede } => return self.meet(rank, line, fence(noprecede)),
            What::Send { to, number, .. } => {
                self.sent.push((rank, to, number));
                let call = Call::Send {
                    comm: CommId(1),
                    dest: Some(Rank(to)),
                    tag: number as i32,
                    mode: SendMode::Standard,
                    request: None,
                    name: "MPI_Send".into(),
                };
                self.script.call(rank, line, call);
            }
            What::Receive {
                from,
                number,
                first_round,
                ..
            } => {
                if round == 0 && !first_round {
                    return true;
                }
                let Some(index) = self.sent.iter().position(|sent| *sent == (from, rank, number)) else {
                    return false;
                };
                self.sent.remove(index);
                self.next += 1;
                let call = Call::Receive {
                    post: PostId(REQUESTS + self.next),
                    comm: CommId(1),
                    source: Some(Rank(from)),
                    tag: Some(number as i32),
                    request: None,
                    name: "MPI_Recv".into(),
                };
                self.script.enter(rank, line, call);
                let outcome = Outcome::Received {
                    source: Some(Rank(from)),
                    tag: number as i32,
                };
                self.script.kind(rank, 0, EventKind::Leave(outcome));
            }
            What::Post { to, .. } => {
                self.processes[rank as usize].posts += 1;
                let (group, assertions) = (vec![Rank(to)], Assertions::default());
                self.script.call(
                    rank,
                    line,
                    Call::Post {
                        win: WIN,
                        group,
                        assertions,
                    },
                );
            }
            What::Start { to, .. } => {
                let (group, assertions) = (vec![Rank(to)], Assertions::default());
                self.script.call(
                    rank,
                    line,
                    Call::Start {
                        win: WIN,
                        group,
                        assertions,
                    },
                );
            }
            What::Complete { .. } => {
                self.processes[rank as usize].completes += 1;
                self.script.call(rank, line, Call::Complete { win: WIN });
            }
            What::Wait { .. } => {
                // One origin and one target.
                let done: u64 = self.processes.iter().map(|process| process.completes).sum();
                if done <= self.processes[rank as usize].waits {
                    return false;
                }
                self.processes[rank as usize].waits += 1;
                self.script.call(
                    rank,
                    line,
                    Call::Wait {
                        win: WIN,
                        test: false,
                    },
                );
            }
            What::Lock { target, .. } => self.script.lock(rank, line, target, LockKind::Shared),
            What::Unlock { target, .. } => {
                let target = Rank(target);
                self.script.call(rank, line, Call::Unlock { win: WIN, target });
            }
        }
        true
    }

    /// Enters a collective call, or leaves it if all have entered.
    fn meet(&mut self, rank: u32, line: u64, call: Call) -> bool {
        let process = &mut self.processes[rank as usize];
        if !process.entered {
            process.entered = true;
            process.met += 1;
            self.script.enter(rank, line, call);
        }
        let met = self.processes[rank as usize].met;
        let all = self.processes.iter().all(|process| process.met >= met);
        if all {
            self.processes[rank as usize].entered = false;
            self.script.leave(rank);
        }
        all
    }
}

fn fence(noprecede: bool) -> Call {
    let assertions = Assertions {
        noprecede,
        ..Assertions::default()
    };
    Call::Fence { win: WIN, assertions }
}

fn offset(cell: Cell, round: u64) -> u64 {
    64 * cell.number + 8 * (round % cell.turns)
}

/// The buffer of an operation.
fn buffer(line: u32) -> u64 {
    private(0x4000 + 64 * u64::from(line))
}

/// Where the memory of `owner` lies in a neighbour's address space.
fn mapped(rank: u32, owner: u32) -> u64 {
    at(owner, 0) + 0x1000_0000 * (u64::from(rank) + 1)
}
