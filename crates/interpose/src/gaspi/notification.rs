//! Notifications that are seen (GASPI 17.1 §8.3.2, §8.3.3).

use super::{After, BLOCK, Call, SUCCESS, enter, leave, segment};
use crate::recorder::record;
use farside_events::{Call as Entered, EventKind};

/// `gaspi_notify_waitsome(segment, first, number, found, timeout)`: the one that was found is known to be set, and of
/// the others nothing. One that may wait for ever tells that it waits before it does, others when they have found.
pub(super) fn wait_some(call: &Call) -> After {
    let enter = |call: &Call| {
        let name = call.function().name().into();
        enter(Entered::Await { name, of: None }, call.stack());
    };
    let waits = call.word(4) == BLOCK;
    if waits {
        enter(call);
    }
    Some(Box::new(move |call: &Call, code| {
        match (code == SUCCESS, waits) {
            (true, true) => {}
            (true, false) => enter(call),
            (false, true) => return leave(),
            (false, false) => return,
        }
        // SAFETY: the library has written it. Libraries before GPI-2 1.6 write two bytes: the others are not looked at
        // unless they can be part of it.
        let found = unsafe { call.result::<u32>(3) };
        let (begin, number) = (call.number(1), call.number(2));
        let is_in = |id: u32| id.checked_sub(begin).is_some_and(|place| place < number);
        if let Some(found) = found.filter(|_| number > 0) {
            let found = if is_in(found) { found } else { found & 0xffff };
            record(EventKind::FlagSeen {
                win: segment::window(call.small(0)),
                number: found,
                taken: None,
            });
        }
        leave();
    }))
}

/// `gaspi_notify_reset(segment, notification, old)`.
pub(super) fn reset() -> After {
    Some(Box::new(|call: &Call, code| {
        if code != SUCCESS {
            return;
        }
        // SAFETY: the library has written it.
        match unsafe { call.result::<u32>(2) } {
            // Nothing had come, or another thread had taken it.
            None | Some(0) => {}
            Some(old) => record(EventKind::FlagSeen {
                win: segment::window(call.small(0)),
                number: call.number(1),
                taken: Some(old.into()),
            }),
        }
    }))
}
