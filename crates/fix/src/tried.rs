//! Where calls may be written: wherever a suggestion says, or only where they were tried.

use crate::edit::Side;
use crate::source::Source;
use crate::statement::{Kind, Step};
use farside_findings::{Place, Stand, Stretch};

/// Where calls may be written.
#[derive(Clone, Debug)]
pub(crate) enum Tried<'f> {
    /// Anywhere between the places that the suggestion names.
    Anywhere,
    /// Where they helped, for each of the findings that the change is for.
    There(Vec<&'f [Stand]>),
}

impl<'f> Tried<'f> {
    /// The place beside which a call of one rank was tried, for all findings; `None` if there is no such place.
    pub(crate) fn spot(&self, call: &str) -> Option<(&'f Place, Side)> {
        let Self::There(findings) = self else {
            return None;
        };
        let spot = |stretch: &'f Stretch| {
            let (place, after) = stretch.beside()?;
            Some((place, if after { Side::After } else { Side::Before }))
        };
        let first = stretches(findings.first()?, call).find_map(spot)?;
        let everywhere = findings
            .iter()
            .all(|stands| stretches(stands, call).any(|stretch| spot(stretch) == Some(first)));
        everywhere.then_some(first)
    }

    /// The two places of one function between which a call of all ranks was tried first; `None` if that is not known.
    pub(crate) fn between(&self, call: &str) -> Option<(&'f Place, &'f Place)> {
        let Self::There(findings) = self else {
            return None;
        };
        stretches(findings.first()?, call)
            .find_map(|stretch| stretch.after.as_ref().zip(stretch.before.as_ref()))
    }

    /// The places next to which a call of all ranks was tried first.
    pub(crate) fn next_to(&self, call: &str) -> Vec<&'f Place> {
        let Self::There(findings) = self else {
            return Vec::new();
        };
        let first = findings.first().and_then(|stands| stretches(stands, call).next());
        let ends = first.map(|stretch| [stretch.after.as_ref(), stretch.before.as_ref()]);
        ends.into_iter().flatten().flatten().collect()
    }

    /// Whether a call was tried beside a statement.
    pub(crate) fn was_there(&self, call: &str, source: &Source, place: &(Step<'_>, Side)) -> bool {
        matches!(self, Self::There(_)) && self.allows(call, source, std::slice::from_ref(place))
    }

    /// Whether a call of all ranks may stand beside these statements, all of them in one stretch where it was tried.
    pub(crate) fn allows(&self, call: &str, source: &Source, beside: &[(Step<'_>, Side)]) -> bool {
        let Self::There(findings) = self else {
            return true;
        };
        let at = |(step, side): &(Step<'_>, Side)| match side {
            Side::After => step.statement().range().end,
            Side::Before => step.statement().range().start,
        };
        let holds = |stretch: &Stretch| beside.iter().all(|place| holds(source, stretch, at(place)));
        findings.iter().all(|stands| stretches(stands, call).any(holds))
    }
}

/// The stretches of a call by its name: one for all targets is one for each.
fn stretches<'f>(stands: &'f [Stand], call: &str) -> impl Iterator<Item = &'f Stretch> {
    let wanted = base(call).to_owned();
    let named = move |stand: &&Stand| base(&stand.call) == wanted;
    stands.iter().filter(named).flat_map(|stand| &stand.stretches)
}

/// The name of a call without what says that it is for all targets.
pub(crate) fn base(call: &str) -> &str {
    let name = call.split('(').next().unwrap_or_default().trim();
    name.strip_suffix("_all").unwrap_or(name)
}

/// Whether a byte of a source lies in a stretch.
fn holds(source: &Source, stretch: &Stretch, at: usize) -> bool {
    let statement = |place: &Place| {
        let offset = source
            .offset(place)
            .ok()
            .filter(|_| place.file == source.file())?;
        let path = source.path(offset).ok()?;
        let statement = path.last()?.statement();
        // Of what has others in it, a place is in its head.
        Some(match statement.kind() {
            Kind::Simple => statement.range(),
            _ => statement.range().start..offset,
        })
    };
    let is_after = |place: &Place| statement(place).is_some_and(|range| range.end <= at);
    let is_before = |place: &Place| statement(place).is_some_and(|range| at <= range.start);
    let in_function = |place: &Place| {
        let known = statement(place);
        known.is_some_and(|range| source.is_one_function(range.start, at))
    };
    match (&stretch.after, &stretch.before) {
        (Some(after), Some(before)) => is_after(after) && is_before(before),
        (Some(after), None) => is_after(after) && in_function(after),
        (None, Some(before)) => is_before(before) && in_function(before),
        (None, None) => false,
    }
}
