//! Memory of a dynamic window that is not attached, attached too late, or detached too early: what is suggested, and
//! what it makes of the run. The stack of a call is its line.

use farside_events::*;
use farside_findings::{Action, Frame, Place, Proof};
use farside_race::{
    Code, Detector, Ending, Note, Options, Places, RawFinding, RawSuggestion, Site, WindowLabel,
};
use farside_trial::{Clock, Recording, Trials, Work};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const WIN: WinId = WinId(7);
const WORLD: CommId = CommId(1);
const INT: TypeId = TypeId(1);

/// Stacks are lines of one function; memory has names by its hundreds of bytes, from 10,000 on.
struct Lines;

impl Places for Lines {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let place = Place {
            file: "main.c".into(),
            line: site.stack.0 as u32,
            column: None,
        };
        vec![Frame {
            place: Some(place),
            module: Some("program".into()),
            function: Some("main".into()),
            ..Frame::default()
        }]
    }

    fn variable(&mut self, _: Rank, address: u64) -> Option<String> {
        (address >= 10_000).then(|| format!("variable{}+{}", address / 100, address % 100))
    }

    fn window(&mut self, _: WinId) -> Option<WindowLabel> {
        None
    }
}

/// What ranks do, one after the other.
#[derive(Clone, Copy)]
enum Step {
    Attach(u32, u64, u64),
    Detach(u32, u64),
    /// Rank 0 puts an element to an address of a rank.
    Put(u32, u64),
    Barrier,
    Unlock,
    /// Rank 0 completes its operations.
    Flush,
    /// A rank sends a message to another one, which receives it in the line below.
    Message(u32, u32),
}

/// What is found in a run whose steps stand in lines 10, 20 and so on, with what is suggested.
fn found(steps: &[Step]) -> Vec<RawFinding> {
    tried(steps, Work::ALL, || Duration::ZERO).0
}

/// The same with so much work and this clock, which may go on for a minute; and whether it has ended trials.
fn tried(steps: &[Step], work: Work, clock: Clock) -> (Vec<RawFinding>, bool) {
    let (mut recording, mut detector) = (Recording::default(), Detector::new(Options::default()));
    let mut time = 0;
    let mut tell = |rank: u32, kind: EventKind| {
        time += 1;
        let thread = ThreadId(0);
        let event = Event { time, thread, kind };
        recording.push(Rank(rank), &event);
        detector.event(Rank(rank), &event);
    };
    let call = |line: u64, call: Call| {
        let stack = StackId(line);
        [EventKind::Enter { call, stack }, EventKind::Leave(Outcome::Done)]
    };
    for rank in 0..2 {
        let (library, size, pid) = ("MPI".into(), 2, 1);
        tell(
            rank,
            EventKind::Init {
                rank: Rank(rank),
                size,
                pid,
                library,
            },
        );
        let members = vec![Rank(0), Rank(1)];
        tell(rank, EventKind::Comm { id: WORLD, members });
        let map = TypeMap::basic("MPI_INT", 4);
        tell(rank, EventKind::Type { id: INT, map });
    }
    for rank in 0..2 {
        let window = Window {
            interface: Interface::Mpi,
            id: WIN,
            comm: WORLD,
            flavor: WindowFlavor::Dynamic,
            base: 0,
            size: 0,
            disp_unit: 1,
            accumulates: AccumulateHints::default(),
            shared: Vec::new(),
            stack: StackId(1),
            handle: None,
        };
        tell(rank, EventKind::Window(window));
        let assertions = Assertions::default();
        call(2, Call::LockAll { win: WIN, assertions })
            .into_iter()
            .for_each(|kind| tell(rank, kind));
    }
    for (line, step) in (1..).map(|number| 10 * number).zip(steps) {
        match *step {
            Step::Attach(rank, address, size) => {
                let attach = Call::Attach {
                    win: WIN,
                    address,
                    size,
                };
                call(line, attach).into_iter().for_each(|kind| tell(rank, kind));
            }
            Step::Detach(rank, address) => {
                call(line, Call::Detach { win: WIN, address })
                    .into_iter()
                    .for_each(|kind| tell(rank, kind));
            }
            Step::Put(target, address) => tell(0, EventKind::Operation(put(line, target, address))),
            Step::Barrier => {
                let barrier = || Call::Collective {
                    comm: WORLD,
                    sequence: line,
                    direction: Direction::All,
                    name: "MPI_Barrier".into(),
                    request: None,
                };
                let [enter, leave] = call(line, barrier());
                (0..2).for_each(|rank| tell(rank, enter.clone()));
                (0..2).for_each(|rank| tell(rank, leave.clone()));
            }
            Step::Flush => {
                let flush = Call::Flush {
                    win: WIN,
                    target: Some(Rank(1)),
                    local: false,
                    channel: None,
                };
                call(line, flush).into_iter().for_each(|kind| tell(0, kind));
            }
            Step::Message(from, to) => {
                let send = Call::Send {
                    comm: WORLD,
                    dest: Some(Rank(to)),
                    tag: 3,
                    mode: SendMode::Standard,
                    request: None,
                    name: "MPI_Send".into(),
                };
                call(line, send).into_iter().for_each(|kind| tell(from, kind));
                let receive = Call::Receive {
                    post: PostId(line),
                    comm: WORLD,
                    source: Some(Rank(from)),
                    tag: Some(3),
                    request: None,
                    name: "MPI_Recv".into(),
                };
                let [enter, _] = call(line + 1, receive);
                tell(to, enter);
                let (source, tag) = (Some(Rank(from)), 3);
                tell(to, EventKind::Leave(Outcome::Received { source, tag }));
            }
            Step::Unlock => {
                (0..2).for_each(|rank| {
                    call(line, Call::UnlockAll { win: WIN })
                        .into_iter()
                        .for_each(|kind| tell(rank, kind));
                });
            }
        }
    }
    let findings = detector.finish(Ending::Complete).0;
    let judged = (Options::default(), Interface::Mpi);
    let mut lines = Lines;
    let mut trials =
        Trials::new(&recording, judged, &mut lines, work).with_clock(clock, Duration::from_secs(60));
    let proved = trials.prove(findings);
    (proved, trials.were_stopped())
}

fn put(line: u64, target: u32, address: u64) -> Operation {
    Operation {
        id: OperationId(line),
        kind: OperationKind::Put,
        win: WIN,
        target: Some(Rank(target)),
        origin: Some(Buffer {
            address: 64 * line,
            datatype: INT,
            count: 1,
        }),
        result: None,
        compare: None,
        displacement: address as i64,
        target_type: INT,
        target_count: 1,
        operator: None,
        operand: None,
        expected: None,
        request: None,
        channel: ChannelId::DEFAULT,
        notice: None,
        stack: StackId(line),
    }
}

/// The one suggestion that is verified first: what is done, with which code, at which line, and after which or before
/// which.
fn verified(steps: &[Step]) -> (Action, Code, Option<u64>, [Option<u64>; 2]) {
    let all = found(steps);
    let [finding] = &all[..] else { panic!("{all:?}") };
    let own = finding.suggestion.as_ref().expect("a suggestion");
    assert_eq!(own.proof, Some(Proof::Verified), "{own:?}");
    let line = |spot: &Option<farside_race::Spot>| spot.as_ref().map(|spot| spot.site.stack.0);
    (
        own.action,
        own.code[0],
        line(&own.at),
        [&own.after, &own.before].map(line),
    )
}

const END: [Step; 2] = [Step::Unlock, Step::Barrier];

#[test]
fn what_is_never_attached_is_attached_before_a_call_that_tells_of_it() {
    let steps = [
        &[Step::Barrier, Step::Put(1, 10_004), Step::Put(1, 10_024)][..],
        &END,
    ]
    .concat();
    // Two statements, and each attaches what it reaches.
    let all = found(&steps);
    assert_eq!(all.len(), 2);
    for (finding, bytes) in all.iter().zip([10_004..10_008, 10_024..10_028]) {
        let own: &RawSuggestion = finding.suggestion.as_ref().expect("a suggestion");
        assert_eq!(
            (own.proof, &own.code[..]),
            (Some(Proof::Verified), &[Code::Attach][..])
        );
        assert_eq!(own.regions, [(Rank(1), bytes)]);
        assert_eq!(own.before.as_ref().map(|spot| spot.site.stack.0), Some(10));
        assert!(!own.stands[0].is_empty());
    }
}

/// Allocated memory may come into being between two calls; where its address is told, it is there.
#[test]
fn memory_that_is_not_there_from_the_beginning_is_attached_where_it_is_told() {
    let told = |address| {
        let steps = [&[Step::Barrier, Step::Barrier, Step::Put(1, address)][..], &END].concat();
        let all = found(&steps);
        let own = all[0].suggestion.clone().expect("a suggestion");
        let others = own.others.clone();
        let all = std::iter::once(&own).chain(&others);
        let attach = all.filter(|one| one.code == [Code::Attach]);
        let lines = attach.filter_map(|one| Some(one.before.as_ref()?.site.stack.0));
        lines.collect::<BTreeSet<u64>>()
    };
    let (variable, allocated) = (told(10_004), told(404));
    assert_eq!(variable.len(), 2);
    assert_eq!(allocated.iter().collect::<Vec<_>>(), [variable.last().unwrap()]);
}

#[test]
fn what_is_attached_too_late_or_not_long_enough_is_moved() {
    let attach = Step::Attach(1, 10_000, 40);
    let late = [&[Step::Barrier, Step::Put(1, 10_004), attach][..], &END].concat();
    let (action, code, at, beside) = verified(&late);
    assert_eq!((action, at, beside), (Action::Move, Some(30), [None, Some(10)]));
    assert_eq!(code, Code::Call(CallKind::Attach));
    let early = [
        &[
            attach,
            Step::Detach(1, 10_000),
            Step::Barrier,
            Step::Put(1, 10_004),
        ][..],
        &END,
    ]
    .concat();
    let (action, code, at, beside) = verified(&early);
    assert_eq!((action, at, beside), (Action::Move, Some(20), [Some(60), None]));
    assert_eq!(code, Code::Call(CallKind::Detach));
}

#[test]
fn what_is_attached_after_a_message_that_tells_of_it_is_moved_up() {
    let attach = Step::Attach(1, 10_000, 40);
    let late = [Step::Message(1, 0), attach, Step::Put(1, 10_004)];
    let (action, code, at, beside) = verified(&[&late[..], &END].concat());
    assert_eq!((action, at, beside), (Action::Move, Some(20), [None, Some(10)]));
    assert_eq!(code, Code::Call(CallKind::Attach));
    // A message of the origin tells the owner that it may go.
    let early = [
        attach,
        Step::Barrier,
        Step::Detach(1, 10_000),
        Step::Put(1, 10_004),
        Step::Flush,
        Step::Message(0, 1),
    ];
    let (action, code, at, beside) = verified(&[&early[..], &END].concat());
    assert_eq!((action, at, beside), (Action::Move, Some(30), [Some(61), None]));
    assert_eq!(code, Code::Call(CallKind::Detach));
}

/// A finding, by the lines of its parties, and all that is suggested.
fn told(steps: &[Step]) -> (Vec<u64>, Vec<RawSuggestion>) {
    let all = found(&[steps, &END].concat());
    let [finding] = &all[..] else { panic!("{all:?}") };
    let lines = finding.parties.iter().map(|party| party.site.stack.0).collect();
    let own = finding.suggestion.clone().expect("a suggestion");
    let others = own.others.clone();
    (lines, [own].into_iter().chain(others).collect())
}

/// Whichever of the two comes first in the run, and whether the memory is attached again meanwhile: it is one finding.
#[test]
fn what_is_detached_in_no_order_with_an_operation_is_told_with_the_operation() {
    let (attach, detach) = (Step::Attach(1, 10_000, 40), Step::Detach(1, 10_000));
    let put = Step::Put(1, 10_004);
    for (middle, lines) in [
        (&[put, Step::Flush, detach][..], [30, 50]),
        (&[detach, put, Step::Flush], [40, 30]),
        (&[detach, attach, put, Step::Flush], [50, 30]),
    ] {
        let (parties, suggestions) = told(&[&[attach, Step::Barrier][..], middle].concat());
        assert_eq!(parties, lines);
        let is_barrier = |own: &RawSuggestion| {
            let (from, to) = (Rank(0), Rank(1));
            own.code == [Code::Barrier] && own.notes == [Note::OnAllRanksOrMessage { from, to }]
        };
        assert!(suggestions.iter().any(is_barrier), "{suggestions:?}");
        // Memory that is freed afterwards must be detached.
        assert!(
            suggestions.iter().all(|own| own.action != Action::Remove),
            "{suggestions:?}"
        );
    }
}

/// The barrier is there, and the operation is not complete by then.
#[test]
fn what_is_detached_under_an_open_operation_is_told_with_its_completion() {
    let steps = [
        Step::Attach(1, 10_000, 40),
        Step::Barrier,
        Step::Put(1, 10_004),
        Step::Barrier,
        Step::Detach(1, 10_000),
    ];
    let (parties, suggestions) = told(&steps);
    assert_eq!(parties, [30, 50]);
    let completes = |own: &RawSuggestion| {
        own.proof == Some(Proof::Verified) && matches!(own.code[..], [Code::Flush { local: false, .. }])
    };
    assert!(suggestions.iter().any(completes), "{suggestions:?}");
}

#[test]
fn what_was_detached_before_is_told_with_its_detachment() {
    let steps = [
        Step::Attach(1, 10_000, 40),
        Step::Barrier,
        Step::Detach(1, 10_000),
        Step::Message(1, 0),
        Step::Put(1, 10_004),
    ];
    let (parties, suggestions) = told(&steps);
    assert_eq!(parties, [50, 30]);
    assert!(
        suggestions.iter().all(|own| own.action == Action::Move),
        "{suggestions:?}"
    );
    // Attached again, of which the origin does not know.
    let again = [&steps[..4], &[Step::Attach(1, 10_000, 40), steps[4]]].concat();
    assert_eq!(told(&again).0, [60, 50]);
}

/// Nothing but the work decides, until the clock has come to its end, which is told.
#[test]
fn how_fast_the_clock_runs_decides_nothing() {
    static NOW: AtomicU64 = AtomicU64::new(0);
    let stands: Clock = || Duration::ZERO;
    let hurries: Clock = || Duration::from_millis(NOW.fetch_add(1, Ordering::Relaxed));
    let leaps: Clock = || Duration::from_secs(NOW.fetch_add(100, Ordering::Relaxed));
    let steps = [
        &[Step::Barrier, Step::Put(1, 10_004), Step::Attach(1, 10_000, 40)][..],
        &END,
    ]
    .concat();
    let suggested = |work, clock| {
        let (all, stopped) = tried(&steps, work, clock);
        let own = |finding: &RawFinding| finding.suggestion.clone().expect("a suggestion");
        (all.iter().map(own).collect::<Vec<_>>(), stopped)
    };
    let whole = suggested(Work::ALL, stands);
    assert_eq!((whole.0[0].proof, whole.1), (Some(Proof::Verified), false));
    let mut seen = Vec::new();
    for work in [0, 30, 60, 120, 240, 480, 960, 1920].map(Work::of) {
        let all = suggested(work, stands);
        assert_eq!(all, suggested(work, hurries), "{work:?}");
        assert!(!all.1);
        seen.push(all);
    }
    // The work does decide.
    assert_ne!(seen[0], whole);
    assert_eq!(seen[seen.len() - 1], whole);
    assert!(suggested(Work::ALL, leaps).1);
}

/// What the run does not tell to be one piece that nobody else attaches is not attached; nor where nothing lies
/// between that tells the origin of it.
#[test]
fn what_may_be_something_else_is_not_attached() {
    let helps = |steps: &[Step]| {
        let all = found(&[steps, &END].concat());
        let own = |finding: &RawFinding| finding.suggestion.clone().and_then(|own| own.proof);
        assert!(!all.is_empty());
        all.iter().any(|finding| own(finding).is_some_and(Proof::helps))
    };
    assert!(helps(&[Step::Barrier, Step::Put(1, 10_004)]));
    assert!(!helps(&[Step::Put(1, 10_004)]));
    // Rank 0 comes to the same call, and has attached that variable, or memory without a name.
    let attached = |address| [Step::Attach(0, address, 8), Step::Barrier, Step::Put(1, 10_004)];
    assert!(!helps(&attached(10_000)));
    assert!(helps(&attached(20_000)));
    let unnamed = |address| [Step::Attach(0, address, 8), Step::Barrier, Step::Put(1, 404)];
    assert!(!helps(&unnamed(400)));
    assert!(helps(&unnamed(20_000)));
}
