//! Epochs between posts and starts (MPI-4.1 §12.5.2).
//!
//! A post is a message to each process of its group. An operation on a target waits for the post of that, and so does
//! the end of the epoch; this is one of the ways that the standard leaves open. By others, a process goes on before a
//! target has posted: what it then does is noted where others may see it (`Machine::seen`), unless it has been told
//! of the post. The end of the epoch is a write to each target that takes effect after all operations of the epoch
//! there, for which the origin does not wait: it waits until its operations are complete for itself. With several
//! targets one may be seen to be ahead of the post of another one by the targets, so that is noted at once. Neither is
//! where processes go from round to round together, as they mostly do.

use super::constants::target_of;
use crate::declare::transfers;
use crate::knowledge::Mode;
use crate::machine::{Followed, Machine};
use crate::message::Kind;
use crate::program::{name, number};
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{Completion, Direction, StatementKind, Target};

impl Machine<'_> {
    /// Calls of epochs; false if it is none.
    pub(super) fn epoch(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        match (call, values) {
            ("Win_post", [group, _, window]) => {
                let window = self.window_of(window, place)?;
                self.show_stores(window, None, place);
                let origins = self.members(group, place)?;
                self.state.progress_mut().post(window, origins.clone());
                for &origin in &origins {
                    let post = self.next_sent(origin, Kind::Posted(window), place)?;
                    self.knowledge.post(post, self.state.progress().barriers());
                    self.signal(post, place)?;
                }
            }
            ("Win_start", [group, _, window]) => {
                let window = self.window_of(window, place)?;
                let targets = self.members(group, place)?;
                if self.state.progress().is_started(window) {
                    return Err(self.lost(place, "an epoch within an epoch of the same window"));
                }
                let mut posts = Vec::new();
                for &target in &targets {
                    posts.push(self.next_received(target, Kind::Posted(window), place)?);
                }
                self.state.progress_mut().start(window, &posts);
                if targets.len() > 1 && !posts.iter().all(|post| self.is_over(*post)) {
                    self.less(
                        place,
                        "an epoch with several targets, which may see operations before another one has posted \
                         (MPI-4.1 §12.5.2): that is not followed",
                    );
                }
            }
            ("Win_complete", [window]) => {
                let window = self.window_of(window, place)?;
                self.show_stores(window, None, place);
                self.complete(window, place)?;
            }
            ("Win_wait", [window]) => {
                let window = self.window_of(window, place)?;
                self.end_exposure(window, place)?;
            }
            // It may find that the epoch is over as soon as it is, and may as well not (MPI-4.1 §12.5.2).
            ("Win_test", [window, flag]) => {
                let window = self.window_of(window, place)?;
                self.any(2, place, &mut |machine, way| {
                    if way == 0 {
                        machine.end_exposure(window, place)?;
                    }
                    let over = Value::Known(u64::from(way == 0));
                    machine.store(flag, &over, &Type::Integer(32), place)
                })?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `MPI_Win_wait`.
    fn end_exposure(&mut self, window: u32, place: PlaceId) -> Followed<()> {
        let Some((origins, touched)) = self.state.progress_mut().end_exposure(window) else {
            return Err(self.lost(place, "a wait for an epoch that was not posted"));
        };
        let round = self.state.progress().round();
        if touched.is_some_and(|touched| touched != round) {
            self.knowledge.be_uneven();
        }
        for origin in origins {
            let completed = self.next_received(origin, Kind::Completed(window), place)?;
            self.arrive(completed, place)?;
            // What it did in its epoch was in this round, too.
            if self
                .knowledge
                .sent_in(completed)
                .is_some_and(|sent| sent != round)
            {
                self.knowledge.be_uneven();
            }
            // Whoever completes so many epochs has posted as often before, unless it was found otherwise.
            if !self.knowledge.completes_before_posts(window) {
                let posts = completed.number() + 1;
                self.state.progress_mut().told(window, origin, posts);
            }
        }
        Ok(())
    }

    fn complete(&mut self, window: u32, place: PlaceId) -> Followed<()> {
        if !self.state.progress().is_started(window) {
            return Err(self.lost(place, "the end of an epoch that was not started"));
        }
        let started: Vec<u32> = (0..self.ranks)
            .filter(|target| self.state.progress().is_target(window, *target))
            .collect();
        for target in started {
            self.meet(window, target, false, place)?;
        }
        let round = self.state.progress().round();
        if !self.state.progress().is_of_this_round(window) {
            self.knowledge.be_uneven();
        }
        for target in self.state.progress_mut().complete(window) {
            let completed = self.next_sent(target, Kind::Completed(window), place)?;
            if self.state.progress().sent(target, Kind::Posted(window)) <= completed.number() {
                self.knowledge.complete_before_post(window);
            }
            self.knowledge.send_in(completed, round);
            let flag = self.flag(completed, place)?;
            let one = self.written_to(&flag, &Value::Known(1), 32);
            let into = self.target(&flag);
            let set = StatementKind::Assign { into, value: one };
            self.emit(set, place);
            let tell = StatementKind::Transfer {
                direction: Direction::Write,
                local: self.target(&flag),
                rank: number(i64::from(target)),
                remote: self.target(&flag),
                queue: Target::Name(name(&transfers(window))),
                handle: None,
                after_earlier: true,
            };
            self.emit(tell, place);
        }
        self.wait_all(window, Completion::Local, place);
        Ok(())
    }

    /// Waits for the post of a target, once an epoch.
    fn meet(&mut self, window: u32, target: u32, answers: bool, place: PlaceId) -> Followed<()> {
        match self.state.progress_mut().meet(window, target, answers) {
            Some(post) => self.arrive(post, place),
            None => Ok(()),
        }
    }

    /// Before an operation: in an epoch, its target has posted. `answers`: the operation gives something back.
    pub(super) fn begin_operation(
        &mut self,
        (window, rank): (u32, &Value),
        answers: bool,
        place: PlaceId,
    ) -> Followed<()> {
        let target = target_of(rank);
        self.state.progress_mut().operate(window, target);
        let progress = self.state.progress();
        let mode = match progress.is_fenced(window) {
            _ if progress.is_started(window) => Mode::Start,
            Some(true) => Mode::OpeningFence,
            Some(false) => Mode::Fence,
            None => Mode::Lock,
        };
        self.knowledge.operate(window, mode);
        if !self.state.progress().is_started(window) {
            self.seen_within(Some((window, target)), place);
            return Ok(());
        }
        match target {
            Some(target) if self.state.progress().is_target(window, target) => {
                self.meet(window, target, answers, place)?;
                self.seen_within(Some((window, Some(target))), place);
                Ok(())
            }
            _ => Err(self.lost(
                place,
                "an operation on a process that the epoch of MPI_Win_start is not known to have",
            )),
        }
    }
}
