//! An event stream that grows, and what the detector says of it.

use crate::case::{Case, Role};
use farside_events::*;
use farside_findings::Rule;
use farside_litmus::ast::VariableId;
use farside_race::{Detector, Ending, Options, RawFinding};
use farside_trial::Recording;

/// The window that all data are in.
pub(crate) const WIN: WinId = WinId(77);
const WORLD: CommId = CommId(1);
const LONG: TypeId = TypeId(1);

/// The line that stands for a statement.
pub(crate) fn line(rank: u32, number: usize) -> u64 {
    1000 * (u64::from(rank) + 1) + number as u64
}

/// The stream of a schedule of a program.
pub(crate) struct Stream<'c> {
    case: &'c Case,
    detector: Detector,
    /// The same events.
    recording: Recording,
    time: u64,
    /// By process: how many barriers it has come to.
    barriers: Vec<u64>,
    /// Processes in the barrier of the moment.
    inside: Vec<u32>,
}

impl<'c> Stream<'c> {
    /// All processes have their part of the window.
    pub(crate) fn new(case: &'c Case, library: &str, interface: Interface, options: Options) -> Self {
        let size = case.program.processes.len() as u32;
        let mut stream = Self {
            case,
            detector: Detector::new(options),
            recording: Recording::default(),
            time: 0,
            barriers: vec![0; size as usize],
            inside: Vec::new(),
        };
        for rank in 0..size {
            let init = EventKind::Init {
                rank: Rank(rank),
                size,
                pid: rank,
                library: library.into(),
            };
            stream.event(rank, init);
            let members = (0..size).map(Rank).collect();
            stream.event(rank, EventKind::Comm { id: WORLD, members });
            let map = TypeMap::basic("integer", 8);
            stream.event(rank, EventKind::Type { id: LONG, map });
        }
        for rank in 0..size {
            let window = Window {
                id: WIN,
                interface,
                comm: WORLD,
                flavor: WindowFlavor::Create,
                base: base(rank),
                size: 4096,
                disp_unit: 1,
                accumulates: AccumulateHints::default(),
                shared: Vec::new(),
                stack: StackId(1),
                handle: None,
            };
            stream.event(rank, EventKind::Window(window));
        }
        stream
    }

    pub(crate) fn case(&self) -> &'c Case {
        self.case
    }

    /// How many processes there are.
    pub(crate) fn size(&self) -> u32 {
        self.barriers.len() as u32
    }

    pub(crate) fn event(&mut self, rank: u32, kind: EventKind) {
        self.time += 10;
        let event = Event {
            time: self.time,
            thread: ThreadId(0),
            kind,
        };
        self.detector.event(Rank(rank), &event);
        self.recording.push(Rank(rank), &event);
    }

    pub(crate) fn enter(&mut self, rank: u32, line: u64, call: Call) {
        let stack = StackId(line);
        self.event(rank, EventKind::Enter { call, stack });
    }

    pub(crate) fn leave(&mut self, rank: u32) {
        self.event(rank, EventKind::Leave(Outcome::Done));
    }

    pub(crate) fn call(&mut self, rank: u32, line: u64, call: Call) {
        self.enter(rank, line, call);
        self.leave(rank);
    }

    /// Values of calls are in no window.
    pub(crate) fn address(&self, variable: VariableId) -> u64 {
        let owner = self.case.program.variables[variable.0 as usize].owner;
        let place = match self.case.roles[variable.0 as usize] {
            Role::Data | Role::Flag => base(owner.0),
            Role::Value | Role::Returned => PRIVATE,
        };
        place + offset(variable)
    }

    pub(crate) fn access(&mut self, rank: u32, line: u64, kind: AccessKind, variable: VariableId) {
        let mut run = AccessRun::single(kind, self.address(variable), 8, line, StackId::UNKNOWN);
        run.stack = StackId(line);
        self.event(rank, EventKind::Accesses(vec![run]));
    }

    /// A put on the word of a variable, without anything else.
    pub(crate) fn operation(&self, target: VariableId) -> Operation {
        Operation {
            id: OperationId(0),
            kind: OperationKind::Put,
            channel: ChannelId::DEFAULT,
            win: WIN,
            target: Some(Rank(self.case.program.variables[target.0 as usize].owner.0)),
            origin: None,
            result: None,
            compare: None,
            displacement: offset(target) as i64,
            target_type: LONG,
            target_count: 1,
            operator: None,
            operand: None,
            expected: None,
            request: None,
            notice: None,
            stack: StackId::UNKNOWN,
        }
    }

    pub(crate) fn issue(&mut self, rank: u32, operation: Operation) {
        self.event(rank, EventKind::Operation(operation));
    }

    pub(crate) fn done(&mut self, rank: u32, request: Option<RequestId>) {
        if let Some(request) = request {
            self.event(rank, EventKind::OperationRequestDone { request });
        }
    }

    /// A process comes to a barrier; the last one lets all go.
    pub(crate) fn barrier(&mut self, rank: u32, line: u64, name: &str) {
        let count = &mut self.barriers[rank as usize];
        *count += 1;
        let call = Call::Collective {
            comm: WORLD,
            sequence: *count,
            direction: Direction::All,
            name: name.into(),
            request: None,
        };
        self.enter(rank, line, call);
        self.inside.push(rank);
        if self.inside.len() == self.barriers.len() {
            for rank in std::mem::take(&mut self.inside) {
                self.leave(rank);
            }
        }
    }

    /// All events so far.
    pub(crate) fn into_recording(self) -> Recording {
        self.recording
    }

    /// What was found.
    pub(crate) fn end(self) -> Vec<RawFinding> {
        self.detector.finish(Ending::Complete).0
    }
}

/// The races among findings: the lines of both places.
pub(crate) fn lines(findings: &[RawFinding]) -> Vec<[u64; 2]> {
    let is_race = |rule| {
        matches!(
            rule,
            Rule::LocalRace | Rule::RemoteRace | Rule::AccumulateMismatch | Rule::Polling
        )
    };
    let mut races = Vec::new();
    for finding in findings.iter().filter(|finding| is_race(finding.rule)) {
        let line = |index: usize| finding.parties.get(index).map_or(0, |party| party.site.stack.0);
        let mut lines = [line(0), line(1)];
        lines.sort_unstable();
        races.push(lines);
    }
    races
}

/// An integer in memory.
pub(crate) fn buffer(address: u64) -> Buffer {
    Buffer {
        address,
        datatype: LONG,
        count: 1,
    }
}

/// Memory that is of no window.
const PRIVATE: u64 = 0x1000;

/// Where the symmetric memory of a PE begins.
pub(crate) fn base(rank: u32) -> u64 {
    0x10_0000 * (u64::from(rank) + 1)
}

pub(crate) fn offset(variable: VariableId) -> u64 {
    8 * u64::from(variable.0)
}
