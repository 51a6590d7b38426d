//! Notifications that are seen (GASPI 17.1 §8.3.2, §8.3.3).

use super::segment::window;
use super::state::NOTIFICATIONS;
use super::{Call, Gaspi, code};
use crate::flow::Flow;
use farside_events::EventKind;

impl Gaspi<'_, '_> {
    /// `gaspi_notify_waitsome(segment, first, number, found, timeout)`.
    pub(super) fn wait_some(&mut self, call: &Call<'_>) -> Flow {
        let (segment, first, count) = (call.small(0), call.number(1), call.number(2));
        if self.state().segment(segment).is_none() {
            return code::NO_SEGMENT;
        }
        let found = match count {
            0 => None,
            _ => {
                let set = self.state().notifications(segment, first, count);
                if set.is_empty() {
                    return self.waits(call, call.word(4));
                }
                Some(set[self.caller.chance().one_of(set.len())])
            }
        };
        self.enter_wait(call);
        if let Some(number) = found {
            self.caller.put_int(call.word(3), number.cast_signed());
            self.caller.emit(EventKind::FlagSeen {
                win: window(segment),
                number,
                taken: None,
            });
        }
        self.has_waited();
        code::SUCCESS
    }

    /// `gaspi_notify_reset(segment, notification, old)`.
    pub(super) fn reset(&mut self, call: &Call<'_>) -> Flow {
        let (segment, number) = (call.small(0), call.number(1));
        if self.state().segment(segment).is_none() {
            return code::NO_SEGMENT;
        }
        if number >= NOTIFICATIONS {
            return code::NO_NOTIFICATION;
        }
        let old = self.state_mut().take_notification(segment, number);
        if call.word(2) != 0 {
            self.caller.put_int(call.word(2), old.unwrap_or(0).cast_signed());
        }
        if let Some(old) = old {
            self.caller.emit(EventKind::FlagSeen {
                win: window(segment),
                number,
                taken: Some(old.into()),
            });
        }
        // A loop that resets until something has come waits for it.
        match old {
            Some(_) => code::SUCCESS,
            None => Flow::Poll(crate::value::Scalar::known(0)),
        }
    }
}
