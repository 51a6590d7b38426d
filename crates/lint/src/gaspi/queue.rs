//! Queues (GASPI 17.1 §8.2.3, §8.5).

use super::segment::window;
use super::{Call, Gaspi, TEST, code};
use crate::flow::Flow;
use crate::value::Scalar;
use farside_events::Call as Event;

impl Gaspi<'_, '_> {
    /// `gaspi_wait(queue, timeout)`: what was posted to a queue is complete here. With `GASPI_TEST` it need not be yet.
    pub(super) fn wait(&mut self, call: &Call<'_>) -> Flow {
        let number = call.small(0);
        if !self.state().has_queue(number) {
            return code::NO_QUEUE;
        }
        let may_be_early = call.word(1) == TEST && self.state().posted(number) > 0;
        if may_be_early && self.caller.refuses() {
            return code::TIMEOUT;
        }
        let channel = self.state().channel(number);
        for segment in self.state_mut().wait(number) {
            self.within(Event::Flush {
                win: window(segment),
                target: None,
                local: true,
                channel: Some(channel),
            });
        }
        code::SUCCESS
    }

    /// `gaspi_queue_create(queue, timeout)`.
    pub(super) fn create_queue(&mut self, call: &Call<'_>) -> Flow {
        let number = self.state_mut().add_queue();
        self.caller.put(call.word(0), 1, Scalar::known(number.into()));
        code::SUCCESS
    }

    /// `gaspi_queue_delete(queue)`.
    pub(super) fn delete_queue(&mut self, call: &Call<'_>) -> Flow {
        if !self.state().has_queue(call.small(0)) {
            return code::NO_QUEUE;
        }
        self.state_mut().delete_queue(call.small(0));
        code::SUCCESS
    }
}
