//! What the library did not do: calls that it refused, and calls that it asked to repeat, and that were not repeated.
//! As `interpose` records it.

use super::state::{LAST_NOTIFICATION, State, What};
use super::{Call, Gaspi};
use farside_calls::gaspi::{Limits, Meaning, Side, nearest, refusal};
use farside_events::{EventKind, Mistake, Nearest, StackId};

/// `GASPI_SUCCESS`.
const SUCCESS: u64 = 0;
/// `GASPI_TIMEOUT`.
const TIMEOUT: u64 = 1;
/// `GASPI_QUEUE_FULL`.
const QUEUE_FULL: u64 = 23;

impl Gaspi<'_, '_> {
    /// A call returned this code.
    pub(super) fn look_at(&mut self, call: &Call<'_>, code: u64) {
        let repeats = call.function.meaning().must_be_repeated();
        match code {
            SUCCESS if repeats => self.state_mut().repeated(&what(call)),
            TIMEOUT | QUEUE_FULL if repeats => {
                let stack = self.caller.stack();
                self.state_mut().leave(what(call), stack, code);
            }
            SUCCESS | TIMEOUT | QUEUE_FULL => {}
            _ => {
                let stack = self.caller.stack();
                if let Some((word, why)) = refusal(code as u32 as i32) {
                    let reason = format!("returned {word}, and did nothing: {why}");
                    let given = |place| call.word(place);
                    let nearest = nearest(call.function, code as u32 as i32, &given, self);
                    self.tell(call.name(), (reason, nearest), stack);
                }
            }
        }
    }

    /// Tells of calls that were never repeated. Those of one place are one.
    pub(super) fn tell_what_is_left(&mut self) {
        let mut told = Vec::new();
        for ((name, _), (stack, code)) in self.state_mut().take_left() {
            if told.contains(&(name, stack)) {
                continue;
            }
            told.push((name, stack));
            let nothing = "and the call was never repeated: what it is for was not done";
            let word = match code {
                TIMEOUT => "GASPI_TIMEOUT",
                _ => "GASPI_QUEUE_FULL",
            };
            self.tell(name, (format!("returned {word}, {nothing}"), None), stack);
        }
    }

    fn tell(&mut self, name: &'static str, (reason, nearest): (String, Option<Nearest>), stack: StackId) {
        self.caller.emit(EventKind::Mistaken {
            mistake: Mistake::Refused {
                reason: reason.into(),
                nearest,
            },
            name: name.into(),
            stack,
            earlier: None,
        });
    }
}

impl Limits for Gaspi<'_, '_> {
    fn segment(&self, side: Side, number: u8) -> Option<u64> {
        let of = |state: &State| state.segment(number).map(|segment| segment.size());
        match side {
            Side::Local => of(self.state()),
            Side::Remote(rank) => of(self.library.ranks.get(rank as usize)?),
        }
    }

    fn last_queue(&self) -> Option<u64> {
        self.state().last_queue()
    }

    fn last_notification(&self) -> Option<u64> {
        Some(LAST_NOTIFICATION)
    }
}

/// What a call is for: its function, and its arguments but for the queue and the timeout.
fn what(call: &Call<'_>) -> What {
    let function = call.function;
    let words = match function.meaning() {
        // The buffers of a collective operation may be others when it is repeated.
        Meaning::Collective(_) | Meaning::GroupCommit => {
            vec![call.word(function.words().saturating_sub(2))]
        }
        _ => {
            let places = (0..function.words()).filter(|place| function.is_what(*place));
            places.map(|place| call.word(place)).collect()
        }
    };
    (function.name(), words)
}
