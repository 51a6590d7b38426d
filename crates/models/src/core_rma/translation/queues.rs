//! Queues, notifications, flags and barriers.

use super::Translation;
use crate::core_rma::action::{ActionKind, Parts};
use crate::core_rma::value::{Source, Term};
use farside_litmus::ast::{Access, Atomicity, BinaryOperator, Notification, StatementKind, VariableId};

impl Translation<'_, '_> {
    /// What is not in the paper. Whether there is such a statement.
    pub(super) fn queues(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Notify(notification) => {
                let nw = self.notification(*notification);
                self.execute(Parts::Notify(nw));
            }
            StatementKind::PutNotify {
                target,
                from,
                notification,
            } => {
                let er = self.reader(*from);
                let ew = self.writer(ActionKind::ExternalWrite, *target, Source::Copy(er));
                let nw = self.notification(*notification);
                self.execute(Parts::PutNotify { er, ew, nw });
            }
            StatementKind::GetNotify { into, target, flag } => {
                let er = self.reader(*target);
                let ew = self.writer(ActionKind::ExternalWrite, *into, Source::Copy(er));
                let nw = self.notification(Notification {
                    flag: *flag,
                    value: 1,
                });
                self.execute(Parts::GetNotify { er, ew, nw });
            }
            StatementKind::WaitQueue(queue) => {
                self.queue = Some(*queue);
                let wait = self.without_memory(ActionKind::QueueWait, self.rank);
                self.execute(Parts::Local(wait));
            }
            StatementKind::Await(flag) => {
                let r = self.flag(ActionKind::LocalRead, *flag, true, None);
                let set = Term::Binary(
                    BinaryOperator::NotEqual,
                    Box::new(Term::Read(r)),
                    Box::new(Term::Number(0)),
                );
                self.path.branches.push((set, true));
                self.execute(Parts::Local(r));
            }
            StatementKind::Take { into, flag } => {
                let reset = Source::Term(Term::Number(0));
                let rw = self.flag(ActionKind::LocalReadWrite, *flag, true, Some(reset));
                self.registers[into.0 as usize] = Term::Read(rw);
                self.execute(Parts::Local(rw));
            }
            StatementKind::Barrier => {
                let enter = self.without_memory(ActionKind::Enter, self.rank);
                let leave = self.without_memory(ActionKind::Leave, self.rank);
                self.execute(Parts::Barrier {
                    enter,
                    leave,
                    turn: self.barriers,
                });
                self.barriers += 1;
            }
            _ => return false,
        }
        true
    }

    fn notification(&mut self, Notification { flag, value }: Notification) -> usize {
        let set = Source::Term(Term::Number(value));
        self.flag(ActionKind::Notification, flag, false, Some(set))
    }

    /// An access to a flag: it is atomic, whatever accesses are.
    fn flag(&mut self, kind: ActionKind, flag: VariableId, reads: bool, written: Option<Source>) -> usize {
        let access = Access {
            variable: flag,
            atomicity: Atomicity::Atomic,
        };
        let writes = written.is_some().then_some(flag);
        let index = self.action(kind, access, reads.then_some(flag), writes, written);
        self.path.actions[index].atomicity = Atomicity::Atomic;
        index
    }
}
