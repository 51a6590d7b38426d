//! Collective calls of all processes, as the order that they are.
//!
//! Each process gets something from all others, so that all wait for all, and no put is completed by it (OpenSHMEM 1.5
//! §9.9): `shmem_sync_all`. A broadcast makes only the others wait for the root: the program that is left then does
//! less than the C program may do.

use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

/// What is combined, in the names of reductions.
const COMBINED: [&str; 7] = ["and", "or", "xor", "max", "min", "sum", "prod"];
/// `SHMEM_TEAM_WORLD` of Farside's library.
const TEAM_WORLD: i64 = 1;

/// Who gives what to whom.
enum Movement {
    /// So many elements are combined.
    Combine,
    /// The elements of one process go to all.
    Broadcast,
    /// All get the elements of all.
    Collect,
    /// Each gets a part from each.
    Exchange,
}

impl Machine<'_> {
    /// A collective call; false if it is none that is followed.
    pub(super) fn collective_of_all(
        &mut self,
        kind: &str,
        values: &[Value],
        size: u64,
        place: PlaceId,
    ) -> Followed<bool> {
        let combines = |end: &str| {
            kind.strip_suffix(end)
                .is_some_and(|combined| COMBINED.contains(&combined))
        };
        let movement = match kind {
            "broadcast" => Movement::Broadcast,
            "collect" | "fcollect" => Movement::Collect,
            "alltoall" => Movement::Exchange,
            _ if combines("_reduce") || combines("_to_all") => Movement::Combine,
            "sync" | "team_sync" | "barrier" => return self.meet_of(kind, values, place),
            _ => return Ok(false),
        };
        // The forms of 1.5 begin with a team; those of 1.4 name an active set after the buffers.
        let (team, rest) = match values {
            [team, rest @ ..] if rest.len() <= 4 => (Some(team), rest),
            _ => (None, values),
        };
        let [dest, source, count, further @ ..] = rest else {
            return Ok(false);
        };
        match (team, &movement, further) {
            (Some(team), ..) if constant(team, 64) == Some(TEAM_WORLD) => {}
            (None, Movement::Broadcast, [_, start, stride, of, ..]) | (None, _, [start, stride, of, ..])
                if self.is_all(start, stride, of) => {}
            _ => {
                return Err(self.lost(
                    place,
                    "a collective call of some processes, which is not followed",
                ));
            }
        }
        let bytes = size.saturating_mul(self.count(count, place)?);
        let all = u64::from(self.ranks);
        let (given, got) = match movement {
            Movement::Combine | Movement::Broadcast => (bytes, bytes),
            Movement::Collect => (bytes, bytes.saturating_mul(all)),
            Movement::Exchange => (bytes.saturating_mul(all), bytes.saturating_mul(all)),
        };
        if given > 0 {
            self.load(source, &Type::Opaque(given), u32::MAX, place)?;
        }
        if let Movement::Broadcast = movement {
            self.less(
                place,
                "a broadcast makes its root wait for nobody (OpenSHMEM 1.5 §9.9): that it may be ahead is not \
                 followed",
            );
        }
        self.emit_call("shmem_sync_all", Vec::new(), place);
        self.got_bytes(dest, got, &format!("what shmem_{kind} gives"), place)?;
        Ok(true)
    }

    /// Barriers of a team or of an active set.
    fn meet_of(&mut self, kind: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        let all = match values {
            [team] => constant(team, 64) == Some(TEAM_WORLD),
            [start, stride, of, _] => self.is_all(start, stride, of),
            _ => false,
        };
        if !all {
            return Err(self.lost(place, "a barrier of some processes, which is not followed"));
        }
        let call = match kind {
            "barrier" => {
                self.state.progress_mut().order_puts();
                "shmem_barrier_all"
            }
            _ => "shmem_sync_all",
        };
        self.emit_call(call, Vec::new(), place);
        Ok(true)
    }

    /// Whether an active set is all processes.
    fn is_all(&self, start: &Value, stride: &Value, of: &Value) -> bool {
        let given = [start, stride, of].map(|value| constant(value, 32));
        given == [Some(0), Some(0), Some(i64::from(self.ranks))]
    }
}
