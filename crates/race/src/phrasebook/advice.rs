//! What to do, and where: code, and the words that go with it.

use super::Phrasebook;
use crate::finding::{Argument, Code, Note, RawSuggestion, Spot};
use farside_events::CallKind;
use farside_findings::{Action, GIVEN, Place, Section};

impl Phrasebook {
    /// The calls of a suggestion, one after the other.
    pub(crate) fn codes(&self, codes: &[Code]) -> String {
        let codes: Vec<String> = codes.iter().map(|code| self.code(*code)).collect();
        codes.join("; ")
    }

    /// A piece of code.
    pub(crate) fn code(&self, code: Code) -> String {
        match code {
            Code::Call(call) => self.own.call(call).to_owned(),
            Code::Access => String::new(),
            Code::Static => "static".to_owned(),
            Code::CopyBefore => "memcpy(copy, source, size)".to_owned(),
            Code::RepeatWhenFull => {
                "while (call == GASPI_QUEUE_FULL) gaspi_wait(queue, GASPI_BLOCK)".to_owned()
            }
            Code::RepeatWhenTimedOut => "while (call == GASPI_TIMEOUT)".to_owned(),
            Code::CopyAfter => "memcpy(dest, copy, size)".to_owned(),
            Code::Argument(argument) => written(argument),
            Code::TeamBarrier => "#pragma omp barrier".to_owned(),
            Code::TaskWait => "#pragma omp taskwait".to_owned(),
            _ => self.own.code(code),
        }
    }

    /// Where the code belongs, and what to add to it. The source places are those of what is replaced or moved, of what
    /// the code goes after, and of what it goes before; a loop may lead from the one to the other.
    pub(crate) fn position(
        &self,
        raw: &RawSuggestion,
        [at, after, before]: [Option<&Place>; 3],
        next_round: bool,
    ) -> String {
        let mut words = Vec::new();
        if let Some(spot) = &raw.at {
            let name = self.name(&spot.name);
            words.push(match (raw.action, &raw.instead_of, at) {
                (Action::Replace, Some(Code::Argument(Argument::Given)), Some(at)) => {
                    format!("to the {name} at {}", line(at))
                }
                (Action::Replace, Some(Code::Call(CallKind::Test)), Some(at)) => format!("at {}", line(at)),
                (Action::Replace, Some(_), Some(at)) => format!("in the {name} at {}", line(at)),
                (Action::Replace, Some(_), None) => format!("in the {name}"),
                (Action::Replace, None, Some(at)) => format!("in the place of the {name} at {}", line(at)),
                (Action::Replace, None, None) => format!("in the place of the {name}"),
                (Action::Remove, _, Some(at)) => format!("at {}", line(at)),
                (Action::Remove, _, None) => String::new(),
                (_, _, Some(at)) if raw.after.is_none() && raw.before.is_none() => {
                    format!("from {}", line(at))
                }
                (_, _, Some(at)) => format!("from {} to", line(at)),
                (_, _, None) => "to".to_owned(),
            });
        } else if raw.action == Action::Move {
            words.push("up to".to_owned());
        }
        if !matches!(raw.action, Action::Replace | Action::Remove) {
            let sides = [("after", after, &raw.after), ("before", before, &raw.before)];
            let side = |(word, place, spot): (&str, Option<&Place>, &Option<Spot>)| match (place, spot) {
                (Some(place), _) => Some(format!("{word} {}", line(place))),
                (None, Some(spot)) => Some(format!("{word} the {}", self.name(&spot.name))),
                (None, None) => None,
            };
            let mut sides: Vec<String> = sides.into_iter().filter_map(side).collect();
            if let (true, Some(last)) = (next_round, sides.last_mut()) {
                last.push_str(" of the next round");
            } else if let ([Some(first), Some(second)], [Some(a), Some(b)]) =
                ([after, before], [&raw.after, &raw.before])
                && line(first) == line(second)
                && a.site.rank != b.site.rank
                && !raw.notes.first().is_some_and(|note| note.names_ranks())
                && let Some(last) = sides.last_mut()
            {
                last.push_str(&format!(" on rank {}", b.site.rank.0));
            }
            if !sides.is_empty() {
                words.push(sides.join(" and "));
            }
        }
        let mut parts = vec![words.join(" ")];
        // The call belongs to the process whose place is named first, unless the note says otherwise.
        let spot = raw.actor();
        let other_lock = match (raw.changes_locks(), at, before) {
            (true, Some(at), Some(other)) => Some((line(at), line(other))),
            _ => None,
        };
        let is_one_lock = other_lock.as_ref().is_some_and(|(one, other)| one == other);
        let waits_where_a_test_was = raw.instead_of == Some(Code::Call(CallKind::Test));
        if raw.moves_a_statement() || is_one_lock || waits_where_a_test_was {
            parts.push("on all ranks that make it".to_owned());
            if raw.moves_an_access() {
                parts.push("if nothing in between needs it".to_owned());
            }
        } else if !raw.notes.first().is_some_and(|note| note.names_ranks()) {
            parts.extend(spot.map(|spot| format!("on rank {}", spot.site.rank.0)));
        }
        if let Some((_, other)) = other_lock.filter(|_| !is_one_lock) {
            parts.push(format!("and in that at {other}"));
        }
        if raw.is_on_ways_that_keep() {
            let codes: Vec<Code> = raw.code.iter().map(|code| code.for_every_target()).collect();
            parts.push(format!("call `{}`", self.codes(&codes)));
        }
        if raw.is_by_one_of_a_team() {
            parts.push(self.by_one_of_a_team(&raw.code));
        }
        parts.extend(raw.notes.iter().map(|note| self.note(*note)));
        if let (Some(_), Some(place), Some(wait)) = (raw.awaited_besides(), before, &raw.before) {
            let rank = wait.site.rank.0;
            parts.push(format!("before {} on rank {rank}", line(place)));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    /// What a lock is taken around: `around halo.c:29 to halo.c:30, and around halo.c:34, on rank 0, which leaves open
    /// which comes first`. A call that one of them lacks is named first: `with the call after halo.c:29 and the lock
    /// around`.
    pub(crate) fn around(&self, raw: &RawSuggestion, sections: &[Section], after: Option<&Place>) -> String {
        let around = |section: &Section| match line(&section.from) == line(&section.to) {
            true => format!("around {}", line(&section.from)),
            false => format!("around {} to {}", line(&section.from), line(&section.to)),
        };
        let around: Vec<String> = sections.iter().map(around).collect();
        let around = around.join(", and ");
        let mut parts = match (raw.code.len(), after) {
            (2.., Some(after)) => vec![format!(
                "with the call after {} and the lock {around}",
                line(after)
            )],
            _ => vec![around],
        };
        let rank = raw.sections.first().map(|[from, _]| from.site.rank.0);
        parts.extend(rank.map(|rank| format!("on rank {rank}")));
        parts.extend((sections.len() > 1).then(|| "which leaves open which comes first".to_owned()));
        parts.extend(raw.notes.iter().map(|note| self.note(*note)));
        parts.join(", ")
    }

    /// What threads do where one of them makes a collective call, the last of these calls, on all ranks.
    fn by_one_of_a_team(&self, codes: &[Code]) -> String {
        let (meeting, own) = match codes.split_last() {
            Some((meeting, own)) => (self.code(*meeting), self.codes(own)),
            None => Default::default(),
        };
        let own = match own.is_empty() {
            true => own,
            false => format!("call `{own}` in each thread, "),
        };
        format!(
            "{own}let the threads meet, one of them call `{meeting}`, on all ranks, and the threads meet again"
        )
    }

    fn note(&self, note: Note) -> String {
        let words = match note {
            Note::OnAllRanksOrMessage { from, to } => {
                return format!("on all ranks, or a message from rank {} to rank {}", from.0, to.0);
            }
            Note::OnRankThenBarrierOrMessage { from, to } => {
                return format!(
                    "on rank {0}, the barrier on all ranks, or in its place a message from rank {0} to rank {1}",
                    from.0, to.0
                );
            }
            Note::AndUnlock(target) => {
                return format!(
                    "and MPI_Win_unlock({}, win) after it, or MPI_Win_fence on all ranks, or MPI_Win_start",
                    target.0
                );
            }
            Note::SeenBefore(target) => {
                return format!(
                    "and before the access on rank {} gaspi_notify_waitsome and gaspi_notify_reset",
                    target.0
                );
            }
            Note::SeenBeforeCall(target) => {
                return format!(
                    "and before that call on rank {} gaspi_notify_waitsome and gaspi_notify_reset",
                    target.0
                );
            }
            Note::SeenBeforeBarrier(target) => {
                return format!(
                    "on rank {} gaspi_notify_waitsome and gaspi_notify_reset, and then the barrier on all ranks",
                    target.0
                );
            }
            Note::AndSetItBack => "and gaspi_notify_reset after it",
            Note::AwaitedBesides(_) => "and gaspi_notify_waitsome and gaspi_notify_reset for that one",
            Note::OnAllRanks => "on all ranks",
            Note::OnAllRanksOfWindow => "on all ranks of the window",
            Note::OnRanksThatComeThere => "on all ranks that come there",
            Note::OnRanksThenBarrier => "on all ranks that come there, the barrier on all ranks",
            Note::AndOnOthersLikewise => "and on the others in the same way",
            Note::OrderThreads => "order the two threads, by a barrier of threads or a lock",
            Note::AndOrderThreads => "and order the two threads, by a barrier of threads or a lock",
            Note::AndExposureForEach => "and an exposure epoch for each at the target",
            Note::OneTypeAndOperator => "or use one basic type and one operator",
            Note::AtomicRead => self.own.note_on_atomic_read(),
            Note::OrSameOnAllRanks => "or give the same on all ranks",
            Note::AndInOtherLock => "and in the other lock",
            Note::AndInPost => "and in the MPI_Win_post that it meets",
            Note::WithoutRequest => "and leave its request out, or use a lock",
            Note::OnWaysThatKeep => {
                "where the program leaves this function, or begins the next round, and still has the lock"
            }
            Note::ByOneOfATeam => "for no two threads may make one collective call at once",
            Note::WhereTheTeamComes => "where all threads of the team come to it",
            Note::OutsideLoops => "outside of loops that it is not in",
            Note::InItsDeclaration => {
                "in the declaration of what is given there, or give memory of shmem_malloc"
            }
            Note::IfMeant => "if that is what was meant",
            Note::AndPostedFor => "where each of them posts for it",
            Note::GiveTheCopy => "and give the call the copy, so that what it reads is not what it writes",
            Note::WriteTheCopy => "where copy is what the call writes",
            Note::MeaningNotKnown => {
                "no change is suggested: the run does not tell which of the values that would be right was meant"
            }
            Note::NoneKnown => {
                "no change is suggested: the run does not tell which of the calls here was not meant"
            }
            Note::OtherMemory => "give the two arguments memory that does not overlap",
            Note::DestroyedLater => "destroy it after its last use",
            Note::NotAfterItsEnd => "free the memory after its last use, or use what it was moved to",
            Note::AttachFirst => {
                "attach that memory to the window before, or give the address of what is attached"
            }
            Note::DetachLater => {
                "detach that memory after the operation is complete, and let its origin tell that it is"
            }
            Note::NotBeforeItsWindow => {
                "free the window or detach the memory before that memory ends, or let `MPI_Win_allocate` give it"
            }
            Note::OneCollectiveAtATime => {
                "let one thread make both calls, or give each thread a communicator of its own (`MPI_Comm_dup`)"
            }
            Note::ByTheMainThread => {
                "let the thread that initialised MPI make the call, or ask `MPI_Init_thread` for MPI_THREAD_SERIALIZED \
                 or MPI_THREAD_MULTIPLE, and look at what it provides"
            }
            Note::OneCallAtATime => {
                "let a mutex or a barrier of threads order the calls, or ask `MPI_Init_thread` for MPI_THREAD_MULTIPLE, \
                 and look at what it provides"
            }
            Note::WithoutNoLocks => {
                "leave `no_locks` out of the info that the window is made with, or use epochs without locks"
            }
            Note::WithoutSameUnit => {
                "leave `same_disp_unit` out of the info that the window is made with, or give the same unit on all ranks"
            }
            Note::OfAllThatIsReached => "on all ranks that come there, of all the memory that is reached",
            Note::EndTheExposureFirst => {
                "take the lock after the exposure epoch has ended, and let the target tell that it has"
            }
            Note::EndTheLockFirst => {
                "expose the window after the lock was given back, and let its holder tell that it was"
            }
            Note::AnotherNotification => {
                "use another notification, and wait for both, or post the second one when the target has told that \
                 it has reset the first"
            }
            Note::GroupsThatMeet => {
                "name the same processes in the group of each post and of the start that it meets"
            }
            Note::AfterInit => "to after shmem_init",
            Note::BetweenInitAndTerm => "to between gaspi_proc_init and gaspi_proc_term",
            Note::BeforeFinalize => "to before shmem_finalize",
            Note::SendTheCopy => "and send the copy, which nobody stores to",
            Note::CollectivesInOneOrder => "call collectives on all ranks, and in the same order",
            Note::LocksByTheirCalls => {
                "give a lock back with shmem_clear_lock, and keep other data in words of their own"
            }
            Note::WriteAwaitedWord => "let a process write the awaited word before it waits for this one",
            Note::OrEpochsInOneOrder => "or take locks and open epochs in the same order on all ranks",
            Note::PostFirst => {
                "call MPI_Win_post before waiting for a process that starts an epoch for it, or before MPI_Win_start"
            }
            Note::EpochsInOneOrder => {
                "take locks and open epochs in the same order on all ranks, \
                 and close each before waiting for another process"
            }
        };
        words.to_owned()
    }
}

/// What a call is given.
fn written(argument: Argument) -> String {
    let (name, value) = match argument {
        Argument::Count(value) => ("count", value.to_string()),
        Argument::Displacement(value) => ("displacement", value.to_string()),
        Argument::Target(rank) => ("target", rank.0.to_string()),
        Argument::Pe(number) => ("pe", number.to_string()),
        Argument::Group(ranks) => {
            let ranks = (0..u64::BITS).filter(|rank| ranks >> rank & 1 == 1);
            let ranks: Vec<String> = ranks.map(|rank| rank.to_string()).collect();
            ("group", format!("{{{}}}", ranks.join(", ")))
        }
        Argument::OfGaspi(argument, value) => (argument.name(), value.to_string()),
        Argument::Address => return "the address".to_owned(),
        Argument::Beginning => return "the beginning of its allocation".to_owned(),
        Argument::Given => return GIVEN.to_owned(),
        Argument::Window(_) => return "the window of the operation".to_owned(),
        Argument::Communicator(_) => return "the communicator of the window".to_owned(),
        Argument::AsTheOther => return "what the other call is given".to_owned(),
    };
    format!("{name} {value}")
}

/// `main.c:54`.
pub(crate) fn line(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}
