//! The detector's findings, with source places.

use crate::execute::Job;
use crate::ir::PlaceId;
use farside_events::{Rank, WinId};
use farside_findings::{Finding, Frame, Layers, Place};
use farside_race::{Interface, Places, RawFinding, Site};

/// The findings of one simulation.
pub(crate) fn findings(job: &Job, raw: Vec<RawFinding>, layers: &Layers) -> Vec<Finding> {
    farside_race::findings(raw, Interface::Mpi, &mut Simulated(job, layers))
}

/// The places of a simulation: those that the IR names.
struct Simulated<'j, 'm>(&'j Job<'m>, &'j Layers);

impl Places for Simulated<'_, '_> {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let job = self.0;
        let places = site
            .pc
            .map(|pc| pc as PlaceId)
            .into_iter()
            .chain(job.stack(site.stack));
        let mut frames: Vec<Frame> = places.filter_map(|place| frame(job, place)).collect();
        self.1.mark(&mut frames);
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
        let (object, global) = self.0.object(rank.0, address)?;
        (!object.name.is_empty()).then(|| {
            if global {
                format!("{} (global)", object.name)
            } else {
                object.name.clone()
            }
        })
    }

    fn window(&mut self, id: WinId) -> Option<(Option<String>, Option<Site>)> {
        let (name, created) = self.0.window_label(id);
        Some((name.map(str::to_owned), created))
    }
}

fn frame(job: &Job, place: PlaceId) -> Option<Frame> {
    let known = job.module().places.get(place as usize)?;
    let function = job
        .module()
        .functions
        .get(known.function as usize)
        .map(|function| function.name.clone());
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
