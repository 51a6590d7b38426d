//! The detector's findings, with source places.

use crate::execute::Job;
use crate::external::External;
use crate::ir::{Module, PlaceId};
use crate::loops;
use crate::memory::{Object, Origin};
use crate::names::{self, Shown};
use farside_calls::mpi::Procedure;
use farside_events::{CallKind, Rank, WinId};
use farside_findings::{Finding, Frame, Holds, Layers, Place, Silence, Superfluous};
use farside_race::{Options, Places, RawFinding, Site, WindowLabel};
use farside_trial::{Costs, Trials, Work, superfluous};
use rustc_hash::FxHashMap as HashMap;

/// How much is done to try the suggestions of one simulation: a second or so.
const FOR_TRIALS: Work = Work::of(1_000_000);

/// The findings of one simulation; their suggestions are tried in its events, if costs of calls are given. And whether
/// the clock has ended that.
pub(crate) fn findings(
    job: &Job,
    raw: Vec<RawFinding>,
    tries: Option<&Costs>,
    (layers, shown): (&Layers, Shown),
) -> (Vec<Finding>, bool) {
    let places = &mut Simulated::new(job, layers, shown);
    let (raw, stopped) = match (job.recording(), tries) {
        (Some(recording), Some(costs)) if !raw.is_empty() => {
            let judged = (Options::default(), job.interface());
            let mut trials = Trials::new(recording, judged, places, FOR_TRIALS).with_costs(costs.clone());
            (trials.prove(raw), trials.were_stopped())
        }
        _ => (raw, false),
    };
    (farside_race::findings(raw, job.interface(), places), stopped)
}

/// How much is done to try the calls of one simulation: five seconds or so.
const FOR_CALLS: Work = Work::of(5_000_000);

/// Which synchronisation one simulation did not need; `followed` says that all of it was simulated as it is.
pub(crate) fn unneeded(job: &Job, followed: bool, (layers, shown): (&Layers, Shown)) -> Superfluous {
    let Some(recording) = job.recording().filter(|_| followed) else {
        return Superfluous {
            refused: Some(Silence::NotFollowed),
            ..Superfluous::default()
        };
    };
    let places = &mut Simulated::new(job, layers, shown);
    let mut found = superfluous(recording, Options::default(), places, FOR_CALLS);
    // Times of a simulation are numbers of events.
    found.nanoseconds = 0;
    found.narrower.clear();
    for call in found.calls.iter_mut().chain(&mut found.instead) {
        (call.nanoseconds, call.holds) = (0, Holds::Simulations);
    }
    found
}

/// The places of a simulation: those that the IR names.
struct Simulated<'j, 'm> {
    job: &'j Job<'m>,
    layers: &'j Layers,
    shown: Shown,
    /// Loads that were asked about: each trial asks again.
    polls: HashMap<PlaceId, Option<bool>>,
}

impl<'j, 'm> Simulated<'j, 'm> {
    fn new(job: &'j Job<'m>, layers: &'j Layers, shown: Shown) -> Self {
        Self {
            job,
            layers,
            shown,
            polls: HashMap::default(),
        }
    }
}

impl Places for Simulated<'_, '_> {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let job = self.job;
        let places = site
            .pc
            .map(|pc| pc as PlaceId)
            .into_iter()
            .chain(job.stack(site.stack));
        let mut frames: Vec<Frame> = places.filter_map(|place| frame(job, place, self.shown)).collect();
        self.layers.mark(&mut frames);
        // A stack begins where the program's own sources call what is in headers of the system.
        let own = |frame: &Frame| {
            frame
                .place
                .as_ref()
                .is_some_and(|place| !place.is_in_system_header())
        };
        let first = frames.iter().position(own).unwrap_or(0);
        frames.into_iter().skip(first).collect()
    }

    /// `halo (global)`, `buffer`, `malloc`.
    fn variable(&mut self, rank: Rank, address: u64) -> Option<String> {
        let (object, global) = self.job.object(rank.0, address)?;
        (!object.name.is_empty()).then(|| {
            if global {
                format!("{} (global)", object.name)
            } else {
                object.name.clone()
            }
        })
    }

    fn is_static(&mut self, rank: Rank, address: u64) -> bool {
        self.job
            .object(rank.0, address)
            .is_some_and(|(_, is_global)| is_global)
    }

    fn window(&mut self, id: WinId) -> Option<WindowLabel> {
        let label = self.job.window_label(id)?;
        let holder = self.job.window_holder(id);
        Some(WindowLabel {
            variable: holder.and_then(|(holder, element)| {
                let name = variable(self.job.module(), holder, self.shown)?;
                Some(format!("{name}{element}"))
            }),
            ..label
        })
    }

    fn may_repeat(&mut self, site: Site, calls: usize) -> bool {
        let (job, depth) = (self.job, self.stack(site).len());
        let places = site.pc.map(|pc| pc as PlaceId).into_iter();
        let places: Vec<PlaceId> = places.chain(job.stack(site.stack)).collect();
        // What lies in headers of the system is shown by what calls it.
        let hidden = places.len().saturating_sub(depth);
        let within = places.iter().take(hidden + calls);
        within
            .into_iter()
            .any(|place| loops::may_repeat(job.module(), *place))
    }

    fn polls(&mut self, site: Site) -> Option<bool> {
        let (place, module) = (site.pc? as PlaceId, self.job.module());
        *self
            .polls
            .entry(place)
            .or_insert_with(|| loops::polls(module, place))
    }

    /// Which functions it names is known; that of a pointer has its name as well.
    fn makes_call(&mut self, kind: CallKind) -> Option<bool> {
        let wanted = match kind {
            CallKind::Post => Procedure::Win_post,
            CallKind::Start => Procedure::Win_start,
            CallKind::Complete => Procedure::Win_complete,
            CallKind::Unlock => Procedure::Win_unlock,
            CallKind::UnlockAll => Procedure::Win_unlock_all,
            _ => return None,
        };
        let mut functions = self.job.module().functions.iter();
        Some(functions.any(|function| External::of(&function.name).procedure() == Some(wanted)))
    }
}

/// A variable as the sources write it; `None` if that is not certain.
fn variable(module: &Module, object: &Object, shown: Shown) -> Option<String> {
    let name = object.name.as_str();
    match object.origin() {
        Origin::Made => None,
        Origin::Local => Some(name.to_owned()),
        Origin::Global | Origin::Constant if name.starts_with("_Q") => names::of_fortran(name, 'E'),
        Origin::Global | Origin::Constant if name.starts_with("_Z") => {
            Some(shown(name)).filter(|shown| shown != name)
        }
        // Clang calls a static variable of a function `exchange.win`, and a second one `exchange.win.3`.
        Origin::Global | Origin::Constant => match *name.split('.').collect::<Vec<_>>() {
            [name] => Some(name.to_owned()),
            [function, name] if is_function(module, function) => Some(name.to_owned()),
            [function, name, number] if is_function(module, function) && number.parse::<u32>().is_ok() => {
                Some(name.to_owned())
            }
            _ => None,
        },
    }
}

fn is_function(module: &Module, name: &str) -> bool {
    module.functions.iter().any(|function| function.name == name)
}

fn frame(job: &Job, place: PlaceId, shown: Shown) -> Option<Frame> {
    let known = job.module().places.get(place as usize)?;
    let function = job
        .module()
        .functions
        .get(known.function as usize)
        .map(|function| names::of_function(&function.name, shown));
    let place = (known.line > 0).then(|| Place {
        file: known.file.clone(),
        line: known.line,
        column: Some(known.column).filter(|column| *column > 0),
    });
    Some(Frame {
        function,
        place,
        ..Frame::default()
    })
}
