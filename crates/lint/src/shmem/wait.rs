//! Waits for words of the caller's memory that others change (OpenSHMEM 1.5 §9.10).

use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use crate::process::Entered;
use crate::value::{Scalar, mask, signed};
use farside_calls::shmem::Which;
use farside_events::{Call as Event, Comparison, Condition, EventKind};
use std::cmp::Ordering;

/// What `shmem_TYPE_wait_until_any` returns if there is nothing to wait for.
const NONE: u64 = u64::MAX;

impl Shmem<'_, '_> {
    /// `shmem_TYPE_wait_until(word, cmp, value)`, `shmem_TYPE_wait(word, value)`.
    pub(super) fn wait(&mut self, call: &Call<'_>) -> Flow {
        if !self.may_wait(call, "ivar") {
            return NOTHING;
        }
        if !self.is_as_awaited(call) {
            return self.waits(call);
        }
        let until = self.condition(call);
        self.see(call.word(0), call.size(), until);
        self.has_waited(NOTHING)
    }

    /// Whether the words that the first argument names are symmetric; it is told if they are not.
    fn may_wait(&mut self, call: &Call<'_>, argument: &str) -> bool {
        self.caller.entered().is_some() || self.object_of(call, argument, call.word(0)).is_some()
    }

    /// The call waits for somebody to change a word.
    fn waits(&mut self, call: &Call<'_>) -> Flow {
        if self.caller.entered().is_none() {
            self.caller.enter(Event::Await {
                name: call.name().into(),
                of: None,
            });
            self.caller.set_entered(Entered::Condition);
        }
        Flow::Block
    }

    /// The call need not wait any more, if it did.
    pub(super) fn has_waited(&mut self, flow: Flow) -> Flow {
        if self.caller.entered().is_some() {
            self.caller.done();
        }
        flow
    }

    /// `shmem_TYPE_test(word, cmp, value)`.
    pub(super) fn test(&mut self, call: &Call<'_>) -> Flow {
        let holds = self.may_wait(call, "ivar") && self.is_as_awaited(call);
        if holds {
            let until = self.condition(call);
            self.see(call.word(0), call.size(), until);
        }
        Flow::Poll(Scalar::known(u64::from(holds)))
    }

    /// `shmem_signal_fetch(signal)`, `shmem_signal_wait_until(signal, cmp, value)`: the result is what the word holds.
    pub(super) fn signal(&mut self, call: &Call<'_>) -> Flow {
        if !self.may_wait(call, "sig_addr") {
            return NOTHING;
        }
        let waits = call.function.words() > 1;
        if waits && !self.is_as_awaited(call) {
            return self.waits(call);
        }
        // The caller gets the value itself.
        let word = self.see(call.word(0), call.size(), None);
        match waits {
            true => self.has_waited(Flow::Return(word)),
            false => Flow::Poll(word),
        }
    }

    /// Whether the word that is the first argument is as the others say.
    fn is_as_awaited(&mut self, call: &Call<'_>) -> bool {
        // The form without an operator waits until the word is another one.
        if call.function.words() == 2 {
            let word = self.word(call.word(0), call.size());
            return self.order(call, word, call.value(1)).is_ne();
        }
        self.is_word_as(call, call.word(0), call.int(1), call.value(2))
    }

    /// What the first argument's word is to be like, as the others say.
    fn condition(&self, call: &Call<'_>) -> Option<Condition> {
        match call.function.words() {
            2 => Some(self.compared(call, Comparison::Ne, call.value(1))),
            _ => self.condition_of(call, call.int(1), call.value(2)),
        }
    }

    /// What a word is to be like that is compared by an operator of the header with a value.
    fn condition_of(&self, call: &Call<'_>, operator: i32, value: Scalar) -> Option<Condition> {
        let comparison = self.library.constants.comparison(operator)?;
        Some(self.compared(call, comparison, value))
    }

    fn compared(&self, call: &Call<'_>, comparison: Comparison, value: Scalar) -> Condition {
        Condition {
            comparison,
            with: value.bits,
            is_unsigned: call.function.is_unsigned(),
        }
    }

    fn word(&self, at: u64, size: u64) -> Scalar {
        self.caller.memory(at).load(at, size)
    }

    fn is_word_as(&mut self, call: &Call<'_>, at: u64, operator: i32, value: Scalar) -> bool {
        let word = self.word(at, call.size());
        let order = self.order(call, word, value);
        match self.library.constants.comparison(operator) {
            Some(comparison) => comparison.is(order),
            None => {
                let what = format!("{} with a comparison that the header does not have", call.name());
                self.caller.unknown_call(&what);
                true
            }
        }
    }

    /// How two values of the type of the call compare. What is not computed says nothing.
    fn order(&mut self, call: &Call<'_>, word: Scalar, value: Scalar) -> Ordering {
        if word.is_uncomputed() || value.is_uncomputed() {
            self.caller.end_computation();
        }
        let bits = 8 * call.size() as u32;
        match call.function.is_unsigned() {
            true => mask(word.bits, bits).cmp(&mask(value.bits, bits)),
            false => signed(word.bits, bits).cmp(&signed(value.bits, bits)),
        }
    }

    /// The caller sees what a word holds, or only that it is as it waited for, and what its writer did before.
    fn see(&mut self, address: u64, size: u64, until: Option<Condition>) -> Scalar {
        let word = self.word(address, size);
        self.caller.emit(EventKind::Seen {
            address,
            size: size as u32,
            value: word.bits,
            until,
        });
        word
    }

    /// A wait for an array of words: `(words, count, status, cmp, value)`, or with an array of numbers before the
    /// status; `_vector` has a value for each word.
    pub(super) fn wait_array(&mut self, call: &Call<'_>, which: Which, tests: bool) -> Flow {
        if !self.may_wait(call, "ivars") {
            return NOTHING;
        }
        let (words, count, size) = (call.word(0), call.word(1), call.size());
        let status = match which {
            Which::Some => 3,
            Which::All | Which::Any => 2,
        };
        let (excluded, operator) = (call.word(status), call.int(status + 1));
        let values = call.name().ends_with("_vector");
        let counts = |number: &u64| excluded == 0 || self.caller.int_at(excluded + 4 * number) == 0;
        let counted: Vec<u64> = (0..count).filter(counts).collect();
        let mut there = Vec::new();
        for number in &counted {
            let value = match values {
                true => self.word(call.word(status + 2) + number * size, size),
                false => call.value(status + 2),
            };
            if self.is_word_as(call, words + number * size, operator, value) {
                there.push((*number, self.condition_of(call, operator, value)));
            }
        }
        // Of the words that are as awaited, whichever the library looks at first.
        if which == Which::Any && !there.is_empty() {
            let taken = self.caller.chance().one_of(there.len());
            there.swap(0, taken);
        }
        let (come, result) = match which {
            Which::All => (there.len() == counted.len(), 1),
            Which::Any => (!there.is_empty(), there.first().map_or(NONE, |(first, _)| *first)),
            Which::Some => (!there.is_empty(), there.len() as u64),
        };
        if !come && !tests && !counted.is_empty() {
            return self.waits(call);
        }
        let seen = match which {
            _ if !come => &[][..],
            Which::Any => &there[..1],
            Which::All | Which::Some => &there[..],
        };
        for (number, until) in seen {
            self.see(words + number * size, size, *until);
        }
        if which == Which::Some {
            for (place, (number, _)) in (0..).zip(seen) {
                self.caller.put_long(call.word(2) + 8 * place, *number);
            }
        }
        let result = match which {
            Which::All => u64::from(come),
            Which::Any | Which::Some => result,
        };
        match tests {
            true => Flow::Poll(Scalar::known(result)),
            false => self.has_waited(Flow::Return(Scalar::known(result))),
        }
    }
}
