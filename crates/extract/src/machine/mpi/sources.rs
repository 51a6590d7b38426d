//! From whom a message comes: `MPI_ANY_SOURCE`, `MPI_ANY_TAG`, and probes.

use super::messages::Envelope;
use crate::machine::{Followed, Machine, Stop};
use crate::message::Kind;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

impl Machine<'_> {
    /// `MPI_Probe`: waits for a message that is still to be received.
    pub(super) fn probe(&mut self, from: Envelope<'_>, status: &Value, place: PlaceId) -> Followed<()> {
        let Some(sources) = self.sources_to_wait_for(from, place)? else {
            return self.some_status(status, 1, place);
        };
        let first = self.is_anybody(from.rank());
        self.any(sources.len(), place, &mut |machine, way| {
            machine.look(sources[way], first, status, place)
        })
    }

    /// `MPI_Iprobe`: a message may be there, or not yet.
    pub(super) fn probe_now(
        &mut self,
        from: Envelope<'_>,
        (flag, status): (&Value, &Value),
        place: PlaceId,
    ) -> Followed<()> {
        let Some(sources) = self.sources(from, place)? else {
            self.store(flag, &Value::Known(1), &Type::Integer(32), place)?;
            return self.some_status(status, 1, place);
        };
        let first = self.is_anybody(from.rank());
        let is_there = |&(source, kind): &(u32, Kind)| self.state.progress().probed(source, kind).0;
        let ways = sources.len() + usize::from(!sources.iter().any(is_there));
        self.any(ways, place, &mut |machine, way| {
            let there = sources.get(way).copied();
            if let Some(source) = there {
                machine.look(source, first, status, place)?;
            }
            let there = Value::Known(u64::from(there.is_some()));
            machine.store(flag, &there, &Type::Integer(32), place)
        })
    }

    /// Waits for the next message of a kind, and leaves it.
    fn look(
        &mut self,
        (source, kind): (u32, Kind),
        first: bool,
        status: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        self.state.progress_mut().probe(source, kind, first);
        let message = self.state.progress().next(self.rank, source, kind);
        let message = self.one_of_few(message, place)?;
        self.arrive(message, place)?;
        self.status_of(status, message, place)
    }

    /// From whom a message may come, of which kind: of all that send such messages to this process, if it may come from
    /// any. Nothing for `MPI_PROC_NULL`.
    ///
    /// Which message comes first is open until it is received: messages of two processes come in any order (MPI-4.1
    /// §3.5). Those of one process with different tags do not, so that with any tag there must be one.
    pub(super) fn sources(
        &mut self,
        envelope: Envelope<'_>,
        place: PlaceId,
    ) -> Followed<Option<Vec<(u32, Kind)>>> {
        let from = match self.is_anybody(envelope.rank()) {
            true => None,
            false => match self.peer(envelope, place)? {
                Some(from) => Some(from),
                None => return Ok(None),
            },
        };
        let of = match self.is_any_tag(envelope.tag()) {
            true => None,
            false => Some(self.kind_of(envelope, place)?),
        };
        if let (Some(from), Some(kind)) = (from, of) {
            return Ok(Some(vec![(from, kind)]));
        }
        let all = self.knowledge.senders_to(self.rank);
        let is_meant = |(source, kind): &(u32, Kind)| {
            matches!(kind, Kind::Tag(communicator, _) if *communicator == envelope.communicator())
                && from.is_none_or(|from| from == *source)
                && of.is_none_or(|of| of == *kind)
        };
        let mut found: Vec<(u32, Kind)> = all.filter(is_meant).collect();
        found.sort_unstable();
        if found.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let text =
                "a message with any tag (MPI_ANY_TAG) of a process that sends several, which is not followed";
            return Err(self.lost(place, text));
        }
        // What was found to be the first one is still the first one.
        let is_first = |&(source, kind): &(u32, Kind)| self.state.progress().probed(source, kind).1;
        if let (None, Some(&first)) = (from, found.iter().find(|one| is_first(one))) {
            found = vec![first];
        }
        Ok(Some(found))
    }

    /// The same for a call that waits; where nobody sends a message, it waits for ever.
    pub(super) fn sources_to_wait_for(
        &mut self,
        from: Envelope<'_>,
        place: PlaceId,
    ) -> Followed<Option<Vec<(u32, Kind)>>> {
        match self.sources(from, place)? {
            Some(sources) if sources.is_empty() => Err(Stop::End),
            sources => Ok(sources),
        }
    }
}
