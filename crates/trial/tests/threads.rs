//! Locks that were proved in the events of a run, put into the text of the program, which is then run anew, by other
//! schedules: the race must be gone, and nothing new be there.
//!
//! Programs are random: two or three threads of one process, each of which runs one of two texts; what they share are
//! two buffers and the process' own part of a window.

use farside_events::{
    AccessKind, AccessRun, AccumulateHints, Assertions, Buffer, Call, ChannelId, CommId, Event, EventKind,
    Interface, ObjectId, Operation, OperationId, OperationKind, Outcome, Rank, StackId, ThreadId, TypeId,
    TypeMap, WinId, Window, WindowFlavor,
};
use farside_findings::{Frame, Place, Proof, Rule};
use farside_race::{
    Code, Detector, Ending, Options, Places, RawFinding, RawParty, RawSuggestion, Site, WindowLabel,
};
use farside_trial::{Recording, Trials};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const WORLD: CommId = CommId(1);
const WIN: WinId = WinId(7);
const INT: TypeId = TypeId(1);
const ONLY: Rank = Rank(0);
const FORK: ObjectId = ObjectId(1);
const JOIN: ObjectId = ObjectId(2);
const LOCK: ObjectId = ObjectId(3);
/// The lines of one text, and the next one's.
const TEXT: u64 = 10_000;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement {
    Put { buffer: u64, offset: u64 },
    Use { buffer: u64, store: bool },
    Flush { local: bool },
}

#[derive(Clone, Debug)]
struct Program {
    /// By text: its lines, with their numbers.
    texts: [Vec<(u64, Statement)>; 2],
    /// By thread: its text.
    threads: Vec<usize>,
    /// From line to line: what one thread at a time is in.
    sections: Vec<[u64; 2]>,
}

impl Program {
    fn new(texts: [Vec<Statement>; 2], threads: Vec<usize>) -> Self {
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
        }
    }

    /// With what a suggestion adds; `None` if it is no lock.
    fn with(&self, suggestion: &RawSuggestion) -> Option<Self> {
        let mut changed = self.clone();
        let line = |spot: &farside_race::Spot| spot.site.stack.0;
        for code in &suggestion.code {
            match code {
                Code::Exclusion => {
                    let lines = |ends: &[farside_race::Spot; 2]| ends.each_ref().map(line);
                    changed.sections = suggestion.sections.iter().map(lines).collect();
                }
                Code::Flush { local, .. } => {
                    let after = line(suggestion.after.as_ref()?);
                    for text in &mut changed.texts {
                        if let Some(at) = text.iter().position(|(number, _)| *number == after) {
                            text.insert(at + 1, (after + 1, Statement::Flush { local: *local }));
                        }
                    }
                }
                _ => return None,
            }
        }
        // What completes an operation is a part of the section that ends with that one.
        let after = suggestion.after.as_ref().map(line);
        let ends = |section: &mut [u64; 2]| section[1] += u64::from(after == Some(section[1]));
        changed.sections.iter_mut().for_each(ends);
        (!changed.sections.is_empty()).then_some(changed)
    }
}

fn program() -> impl Strategy<Value = Program> {
    let buffer = 0..2_u64;
    let one = prop_oneof![
        3 => (buffer.clone(), prop::sample::select(vec![0_u64, 4]))
            .prop_map(|(buffer, offset)| Statement::Put { buffer, offset }),
        3 => (buffer, any::<bool>()).prop_map(|(buffer, store)| Statement::Use { buffer, store }),
        3 => any::<bool>().prop_map(|local| Statement::Flush { local }),
    ];
    let text = prop::collection::vec(one, 1..5);
    let threads = prop::collection::vec(0..2_usize, 2..4);
    ([text.clone(), text], threads).prop_map(|(texts, threads)| Program::new(texts, threads))
}

/// Stacks are lines of a function for each text, called by the function of all threads.
struct Lines;

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
        match site.stack.0 / TEXT {
            0 => vec![frame("main", line)],
            1 => vec![frame("one", line), frame("main", 5)],
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
fn run(program: &Program, seed: u64) -> Option<(Recording, Vec<RawFinding>)> {
    let mut run = Run {
        recording: Recording::default(),
        detector: Detector::new(Options::default()),
        time: 0,
        operations: 0,
    };
    run.begin();
    let mut at = vec![0_usize; program.threads.len()];
    let mut owner: Option<(usize, u64)> = None;
    let mut random = seed;
    for thread in 1..at.len() {
        run.tell(thread, EventKind::Acquire { object: FORK });
    }
    loop {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let first = (random >> 33) as usize % at.len();
        let next = |thread: usize| program.texts[program.threads[thread]].get(at[thread]).copied();
        let section = |line: u64| program.sections.iter().find(|[from, _]| *from == line);
        let may = |thread: &usize| {
            let waits = |(line, _): (u64, Statement)| {
                section(line).is_some() && owner.is_some_and(|(other, _)| other != *thread)
            };
            next(*thread).is_some_and(|line| !waits(line))
        };
        let threads = (0..at.len()).map(|on| (first + on) % at.len());
        let Some(thread) = threads.into_iter().find(may) else {
            break;
        };
        let (line, statement) = next(thread)?;
        if let (Some([_, end]), None) = (section(line), owner) {
            owner = Some((thread, *end));
            run.tell(thread, EventKind::Acquire { object: LOCK });
        }
        run.perform(thread, line, statement);
        if owner == Some((thread, line)) {
            owner = None;
            run.tell(thread, EventKind::Release { object: LOCK });
        }
        at[thread] += 1;
    }
    let ended = |thread: usize| at[thread] == program.texts[program.threads[thread]].len();
    if owner.is_some() || !(0..at.len()).all(ended) {
        return None;
    }
    for thread in 1..at.len() {
        run.tell(thread, EventKind::Release { object: JOIN });
        run.tell(thread, EventKind::ThreadEnd);
    }
    run.tell(0, EventKind::Acquire { object: JOIN });
    run.call(0, 8, Call::UnlockAll { win: WIN });
    run.call(0, 9, Call::Finalize);
    let findings = run.detector.finish(Ending::Complete).0;
    Some((run.recording, findings))
}

/// The rule and the lines of each race, and what is done there.
type Races = BTreeSet<(Rule, Vec<(u64, String)>)>;

fn races(findings: &[RawFinding]) -> Races {
    let lines = |finding: &RawFinding| {
        let line = |party: &RawParty| (party.site.stack.0, format!("{:?}", party.name));
        let mut lines: Vec<_> = finding.parties.iter().map(line).collect();
        lines.sort_unstable();
        (finding.rule, lines)
    };
    findings.iter().map(lines).collect()
}

/// The races of a program that ran, with the locks that were proved for them.
fn proved(program: &Program, seed: u64) -> (Races, Vec<(Races, RawSuggestion)>) {
    let (recording, findings) = run(program, seed).expect("a program without locks ends");
    let before = races(&findings);
    let judged = (Options::default(), Interface::Mpi);
    let until = Instant::now() + Duration::from_secs(60);
    let proved = Trials::new(&recording, judged, &mut Lines, until).prove(findings);
    let locks = proved.into_iter().flat_map(|finding| {
        let own = finding.suggestion.clone();
        let all = own.into_iter().flat_map(|own| {
            let others = own.others.clone();
            std::iter::once(own).chain(others)
        });
        let id = races(std::slice::from_ref(&finding));
        let helps = |one: &RawSuggestion| !one.sections.is_empty() && one.proof == Some(Proof::Verified);
        all.filter(helps)
            .map(move |one| (id.clone(), one))
            .collect::<Vec<_>>()
    });
    let locks = locks.collect();
    (before, locks)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A lock that is verified helps in the program itself, by whatever schedule it runs.
    #[test]
    fn a_lock_that_is_verified_helps(program in program(), seeds in any::<[u64; 4]>()) {
        let (mut before, locks) = proved(&program, seeds[0]);
        // Which thread's flush completes what depends on the schedule.
        for seed in &seeds[1..] {
            before.extend(races(&run(&program, *seed).expect("it ends").1));
        }
        for (race, lock) in locks {
            let Some(changed) = program.with(&lock) else { continue };
            for seed in &seeds[1..] {
                let Some((_, findings)) = run(&changed, *seed) else {
                    return Err(TestCaseError::fail(format!("{changed:?} does not end")));
                };
                let now = races(&findings);
                prop_assert!(
                    race.is_disjoint(&now) && now.is_subset(&before),
                    "{program:?}\n{lock:?} does not help: {now:?}"
                );
            }
        }
    }
}

fn lines(lock: &RawSuggestion) -> Vec<[u64; 2]> {
    let ends = |ends: &[farside_race::Spot; 2]| ends.each_ref().map(|end| end.site.stack.0);
    lock.sections.iter().map(ends).collect()
}

/// Two threads, each with its text: a put that is flushed, and a store to its buffer.
#[test]
fn a_put_and_a_store_exclude_each_other() {
    let put = vec![
        Statement::Put { buffer: 0, offset: 0 },
        Statement::Flush { local: true },
    ];
    let store = vec![Statement::Use {
        buffer: 0,
        store: true,
    }];
    for seed in 0..8 {
        let program = Program::new([put.clone(), store.clone()], vec![0, 1]);
        let (_, locks) = proved(&program, seed);
        let [(_, lock)] = &locks[..] else {
            panic!("{locks:?}")
        };
        let mut told = lines(lock);
        told.sort_unstable();
        assert_eq!(told, [[10_100, 10_200], [20_100, 20_100]]);
    }
}

/// What fills a buffer and what sends it is one section, where both threads do both.
#[test]
fn a_buffer_is_sent_before_it_is_filled_again() {
    let both = vec![
        Statement::Use {
            buffer: 0,
            store: true,
        },
        Statement::Put { buffer: 0, offset: 0 },
        Statement::Flush { local: false },
    ];
    let program = Program::new([both, Vec::new()], vec![0, 0]);
    let (races, locks) = proved(&program, 3);
    assert!(!races.is_empty());
    for (race, _) in &locks {
        let first = locks
            .iter()
            .find(|(other, _)| other == race)
            .map(|(_, lock)| lines(lock));
        let has_store = race
            .iter()
            .any(|(_, lines)| lines.iter().any(|(line, _)| *line == 10_100));
        if has_store {
            assert_eq!(first, Some(vec![[10_100, 10_300]]));
        }
    }
    assert!(!locks.is_empty());
}

/// A put that nothing completes in its section gets a flush there.
#[test]
fn a_put_is_completed_under_the_lock() {
    let put = vec![Statement::Put { buffer: 0, offset: 0 }];
    let store = vec![Statement::Use {
        buffer: 0,
        store: true,
    }];
    let program = Program::new([put, store], vec![0, 1]);
    let (_, locks) = proved(&program, 5);
    let completes = |lock: &RawSuggestion| matches!(lock.code[..], [Code::Flush { .. }, Code::Exclusion]);
    assert!(locks.iter().any(|(_, lock)| completes(lock)), "{locks:?}");
}
