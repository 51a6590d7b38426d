//! Thread-specific data of POSIX and C11. Limit: destructors of keys are not called.

use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;

/// A function about the keys of thread-specific data; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let thread = caller.thread();
    Some(match name {
        "pthread_key_create" | "tss_create" => {
            let key = caller.process_mut().specific().new_key();
            caller.put(at(0).bits, 4, Scalar::known(key));
            NOTHING
        }
        "pthread_setspecific" | "tss_set" => {
            let key = at(0).bits;
            caller.process_mut().specific().set(thread, key, at(1));
            NOTHING
        }
        "pthread_getspecific" | "tss_get" => {
            Flow::Return(caller.process_mut().specific().get(thread, at(0).bits))
        }
        "pthread_key_delete" | "tss_delete" => NOTHING,
        _ => return None,
    })
}
