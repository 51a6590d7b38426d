//! Programs of several threads, and their events by a random schedule.

use farside_events::{
    AccessKind, AccessRun, AccumulateHints, Assertions, Buffer, Call, ChannelId, CommId, Event, EventKind,
    Interface, ObjectId, Operation, OperationId, OperationKind, Outcome, Rank, StackId, ThreadId, TypeId,
    TypeMap, WinId, Window, WindowFlavor,
};
use farside_findings::{Frame, Place};
use farside_race::{Detector, Ending, Options, Places, RawFinding, Site, WindowLabel};
use farside_trial::Recording;

const WORLD: CommId = CommId(1);
const WIN: WinId = WinId(7);
const INT: TypeId = TypeId(1);
const ONLY: Rank = Rank(0);
const FORK: ObjectId = ObjectId(1);
const JOIN: ObjectId = ObjectId(2);
const LOCK: ObjectId = ObjectId(3);
/// The lines of one text, and the next one's.
const TEXT: u64 = 10_000;
/// Of what a task does, the line that makes it counts as much.
pub(crate) const TASK: u64 = 1 << 32;
const BARRIER: ObjectId = ObjectId(4);
/// What a task begins with, and what it ends with, by its number.
const TASKS: [u64; 2] = [100, 200];

/// Of threads that a library has started, the lines count so much more.
pub(crate) const STARTED: u64 = 1 << 24;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    Put {
        buffer: u64,
        offset: u64,
    },
    Use {
        buffer: u64,
        store: bool,
    },
    Flush {
        local: bool,
    },
    /// Of all threads; no program has it but by a suggestion.
    Barrier,
    /// Makes the next thread that is not there yet, which runs the other text as a task.
    Task,
    /// For the tasks that the thread has made; no program has it but by a suggestion.
    TaskWait,
    /// Starts the next thread that is not there yet, which runs the other text.
    Start,
    /// Waits for the end of the threads that were started.
    Join,
}

impl Statement {
    /// Whether it makes a thread that was not there.
    fn makes(self) -> bool {
        matches!(self, Self::Task | Self::Start)
    }

    /// Whether it waits for those.
    fn awaits(self) -> bool {
        matches!(self, Self::TaskWait | Self::Join)
    }

    /// What a program calls that is seen.
    fn call(self) -> Option<Call> {
        let name = match self {
            Self::Start => "pthread_create",
            Self::Join => "pthread_join",
            _ => return None,
        };
        Some(Call::Completion { name: name.into() })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// By text: its lines, with their numbers.
    pub(crate) texts: [Vec<(u64, Statement)>; 2],
    /// By thread: its text.
    pub(crate) threads: Vec<usize>,
    /// From line to line: what one thread at a time is in.
    pub(crate) sections: Vec<[u64; 2]>,
    /// Lines that one thread alone executes.
    pub(crate) only: Vec<(u64, usize)>,
    /// All threads but the first are started by a library, which their stacks begin in.
    pub(crate) in_a_run: bool,
}

impl Program {
    pub(crate) fn new(texts: [Vec<Statement>; 2], threads: Vec<usize>) -> Self {
        let numbered = |text: usize, all: &Vec<Statement>| {
            let line = |(index, statement): (usize, &Statement)| {
                (TEXT * (text as u64 + 1) + 100 * (index as u64 + 1), *statement)
            };
            all.iter().enumerate().map(line).collect()
        };
        Self {
            texts: [numbered(0, &texts[0]), numbered(1, &texts[1])],
            threads,
            sections: Vec::new(),
            only: Vec::new(),
            in_a_run: false,
        }
    }
}

impl Program {
    /// The line that a thread comes to.
    fn next(&self, thread: usize, at: usize) -> Option<(u64, Statement)> {
        self.texts[self.threads[thread]].get(at).copied()
    }
}

/// Stacks are lines of a function for each text, called by the function of all threads.
pub(crate) struct Lines;

impl Places for Lines {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let line = site.stack.0 as u32;
        let frame = |function: &str, line: u32| Frame {
            function: Some(function.into()),
            module: Some("program".into()),
            place: Some(Place {
                file: "program.c".into(),
                line,
                column: None,
            }),
            ..Frame::default()
        };
        if site.stack.0 >= TASK {
            let (by, line) = (site.stack.0 / TASK, site.stack.0 % TASK);
            return vec![
                frame(".omp_task_entry.", line as u32),
                frame("one.omp_outlined", by as u32),
                frame("main", 5),
            ];
        }
        // What has called the function of a region, the stack of a thread does not tell that was started for it.
        if site.stack.0 >= STARTED {
            return vec![frame("one.omp_outlined", (site.stack.0 % STARTED) as u32)];
        }
        match site.stack.0 / TEXT {
            0 => vec![frame("main", line)],
            1 => vec![frame("one.omp_outlined", line), frame("main", 5)],
            _ => vec![frame("other", line), frame("main", 6)],
        }
    }

    fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
        None
    }

    fn window(&mut self, _: WinId) -> Option<WindowLabel> {
        None
    }
}

struct Run {
    recording: Recording,
    detector: Detector,
    time: u64,
    operations: u64,
}

impl Run {
    fn tell(&mut self, thread: usize, kind: EventKind) {
        self.time += 1;
        let event = Event {
            time: self.time,
            thread: ThreadId(thread as u32),
            kind,
        };
        self.recording.push(ONLY, &event);
        self.detector.event(ONLY, &event);
    }

    fn call(&mut self, thread: usize, line: u64, call: Call) {
        let stack = StackId(line);
        self.tell(thread, EventKind::Enter { call, stack });
        self.tell(thread, EventKind::Leave(Outcome::Done));
    }

    fn begin(&mut self) {
        let (rank, members) = (ONLY, vec![ONLY]);
        let library = "MPI".into();
        self.tell(
            0,
            EventKind::Init {
                rank,
                size: 1,
                pid: 1,
                library,
            },
        );
        self.tell(0, EventKind::Comm { id: WORLD, members });
        let map = TypeMap::basic("MPI_INT", 4);
        self.tell(0, EventKind::Type { id: INT, map });
        self.tell(
            0,
            EventKind::Window(Window {
                id: WIN,
                interface: Interface::Mpi,
                comm: WORLD,
                flavor: WindowFlavor::Allocate,
                base: 0x10_0000,
                size: 4096,
                disp_unit: 1,
                accumulates: AccumulateHints::default(),
                shared: Vec::new(),
                stack: StackId(1),
                handle: None,
            }),
        );
        let assertions = Assertions::default();
        self.call(0, 2, Call::LockAll { win: WIN, assertions });
        self.tell(0, EventKind::Release { object: FORK });
    }

    fn perform(&mut self, thread: usize, line: u64, statement: Statement) {
        let address = |buffer: u64| 0x20_0000 + 64 * buffer;
        match statement {
            Statement::Put { buffer, offset } => {
                self.operations += 1;
                let own = Buffer {
                    address: address(buffer),
                    datatype: INT,
                    count: 1,
                };
                self.tell(
                    thread,
                    EventKind::Operation(Operation {
                        id: OperationId(self.operations),
                        kind: OperationKind::Put,
                        win: WIN,
                        target: Some(ONLY),
                        origin: Some(own),
                        result: None,
                        compare: None,
                        displacement: offset as i64,
                        target_type: INT,
                        target_count: 1,
                        operator: None,
                        operand: None,
                        expected: None,
                        request: None,
                        channel: ChannelId::DEFAULT,
                        notice: None,
                        stack: StackId(line),
                    }),
                );
            }
            Statement::Use { buffer, store } => {
                let kind = if store {
                    AccessKind::Store
                } else {
                    AccessKind::Load
                };
                let run = AccessRun::single(kind, address(buffer), 4, line, StackId(line));
                self.tell(thread, EventKind::Accesses(vec![run]));
            }
            Statement::Barrier
            | Statement::Task
            | Statement::TaskWait
            | Statement::Start
            | Statement::Join => {}
            Statement::Flush { local } => {
                let (win, target, channel) = (WIN, None, None);
                self.call(
                    thread,
                    line,
                    Call::Flush {
                        win,
                        target,
                        local,
                        channel,
                    },
                );
            }
        }
    }
}

/// Runs a program by a random schedule; `None` if threads wait for ever.
pub(crate) fn run(program: &Program, seed: u64) -> Option<(Recording, Vec<RawFinding>)> {
    let mut run = Run {
        recording: Recording::default(),
        detector: Detector::new(Options::default()),
        time: 0,
        operations: 0,
    };
    run.begin();
    let has_tasks = program.texts[0].iter().any(|(_, statement)| statement.makes());
    let mut threads = vec![Progress::default(); program.threads.len()];
    let mut owner: Option<(usize, u64)> = None;
    let mut random = seed;
    for (thread, progress) in threads.iter_mut().enumerate() {
        progress.is_there = thread == 0 || !has_tasks;
        if thread > 0 && !has_tasks {
            run.tell(thread, EventKind::Acquire { object: FORK });
        }
    }
    loop {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let first = (random >> 33) as usize % threads.len();
        let section = |line: u64| program.sections.iter().find(|[from, _]| *from == line);
        let may = |thread: &usize| {
            let own = &threads[*thread];
            let Some((line, statement)) = program.next(*thread, own.at).filter(|_| own.is_there) else {
                return false;
            };
            let waits = match statement {
                Statement::Barrier if own.is_waiting => {
                    threads.iter().any(|other| other.barriers < own.barriers)
                }
                _ if statement.awaits() => (1..threads.len())
                    .any(|task| threads[task].is_there && program.next(task, threads[task].at).is_some()),
                _ => section(line).is_some() && owner.is_some_and(|(other, _)| other != *thread),
            };
            !waits
        };
        let all = (0..threads.len()).map(|on| (first + on) % threads.len());
        let Some(thread) = all.into_iter().find(may) else {
            break;
        };
        let (line, statement) = program.next(thread, threads[thread].at)?;
        let is_own = |(other, only): &(u64, usize)| *other != line || *only == thread;
        if !program.only.iter().all(is_own) {
            threads[thread].at += 1;
            continue;
        }
        if let (Some([_, end]), None) = (section(line), owner) {
            owner = Some((thread, *end));
            run.tell(thread, EventKind::Acquire { object: LOCK });
        }
        let call = statement.call();
        if let Some(call) = call.clone() {
            let stack = StackId(line);
            run.tell(thread, EventKind::Enter { call, stack });
        }
        match statement {
            Statement::Barrier if !threads[thread].is_waiting => {
                run.tell(thread, EventKind::Release { object: BARRIER });
                threads[thread].is_waiting = true;
                threads[thread].barriers += 1;
                continue;
            }
            Statement::Barrier => {
                run.tell(thread, EventKind::Acquire { object: BARRIER });
                threads[thread].is_waiting = false;
            }
            _ if statement.makes() => {
                if let Some(task) = threads.iter().position(|other| !other.is_there) {
                    let object = ObjectId(TASKS[0] + task as u64);
                    run.tell(thread, EventKind::Release { object });
                    run.tell(task, EventKind::Acquire { object });
                    (threads[task].is_there, threads[task].made_at) = (true, line);
                }
            }
            _ if statement.awaits() => {
                for task in (1..threads.len()).filter(|task| threads[*task].is_there) {
                    let object = ObjectId(TASKS[1] + task as u64);
                    run.tell(thread, EventKind::Acquire { object });
                }
            }
            _ => {
                let started = if program.in_a_run && thread > 0 {
                    STARTED
                } else {
                    0
                };
                run.perform(thread, TASK * threads[thread].made_at + started + line, statement);
            }
        }
        if call.is_some() {
            run.tell(thread, EventKind::Leave(Outcome::Done));
        }
        if owner == Some((thread, line)) {
            owner = None;
            run.tell(thread, EventKind::Release { object: LOCK });
        }
        threads[thread].at += 1;
        if has_tasks && thread > 0 && program.next(thread, threads[thread].at).is_none() {
            let object = ObjectId(TASKS[1] + thread as u64);
            run.tell(thread, EventKind::Release { object });
        }
    }
    let ended =
        |thread: usize| !threads[thread].is_there || program.next(thread, threads[thread].at).is_none();
    if owner.is_some() || !(0..threads.len()).all(ended) {
        return None;
    }
    for thread in (1..threads.len()).filter(|thread| threads[*thread].is_there) {
        run.tell(thread, EventKind::Release { object: JOIN });
        run.tell(thread, EventKind::ThreadEnd);
    }
    run.tell(0, EventKind::Acquire { object: JOIN });
    run.call(0, 8, Call::UnlockAll { win: WIN });
    run.call(0, 9, Call::Finalize);
    let findings = run.detector.finish(Ending::Complete).0;
    Some((run.recording, findings))
}

/// Where a thread is.
#[derive(Clone, Debug, Default)]
struct Progress {
    at: usize,
    is_there: bool,
    /// The line that made it, if it is a task.
    made_at: u64,
    is_waiting: bool,
    barriers: u32,
}
