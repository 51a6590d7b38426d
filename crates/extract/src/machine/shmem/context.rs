//! Contexts (OpenSHMEM 1.5 §9.5): operations on one are completed and ordered by its own quiet and fence, and by no
//! barrier.

use crate::machine::{Followed, Machine};
use crate::tables::Context;
use crate::value::Value;
use farside_calls::shmem::DEFAULT_CONTEXT;
use farside_lint::ir::{PlaceId, Type};

/// As many contexts have queues in `dialects/shmem.calls`.
const MOST: u32 = 64;
/// The type of a handle.
pub(super) const HANDLE: Type = Type::Integer(64);

impl Machine<'_> {
    /// `shmem_ctx_*`, without what is the same in all their names.
    pub(super) fn context_call(
        &mut self,
        call: &str,
        values: &[Value],
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        match (call, values) {
            ("create", [_, to]) => {
                let world = self.world();
                self.make_context(world, to, place)
            }
            ("session_start" | "session_stop", _) => Ok(None),
            ("get_team", _) => Err(self.lost(place, "shmem_ctx_get_team, which is not followed")),
            ("destroy", [handle]) => {
                if let Some(context) = self.context_of(handle, place)? {
                    // What was begun on it is complete (§9.5.3).
                    self.context = Some(context.number());
                    self.emit_call("shmem_quiet", Vec::new(), place);
                    self.context = None;
                    self.state.progress_mut().close_context(context.number());
                }
                Ok(None)
            }
            (_, [handle, rest @ ..]) => {
                let Some(context) = self.context_of(handle, place)? else {
                    return self.shmem(call, rest, result, place);
                };
                let rest = self.of_world(call, rest, context, place)?;
                self.context = Some(context.number());
                let given = self.shmem(call, &rest, result, place);
                self.context = None;
                given
            }
            _ => Err(self.lost(
                place,
                &format!("a call of shmem_ctx_{call}, which is not followed"),
            )),
        }
    }

    /// Makes a context of a team, which names processes by their numbers in it.
    pub(super) fn make_context(
        &mut self,
        communicator: u32,
        to: &Value,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let number = self.state.progress_mut().open_context();
        if number >= MOST {
            return Err(self.lost(place, &format!("more than {MOST} contexts at a time")));
        }
        let handle = self.tables.context(Context::new(number, communicator));
        self.store(to, &Value::Known(handle), &HANDLE, place)?;
        Ok(Some(Value::Known(0)))
    }

    /// The context of a handle; none for the default one.
    fn context_of(&mut self, handle: &Value, place: PlaceId) -> Followed<Option<Context>> {
        let known = match *handle {
            Value::Known(DEFAULT_CONTEXT) => return Ok(None),
            Value::Known(handle) => self.tables.context_at(handle),
            _ => None,
        };
        match known {
            Some(context) => Ok(Some(context)),
            None => Err(self.lost(place, "a context that is not known")),
        }
    }

    /// The arguments with the process, which is the last one, by its number in the world.
    fn of_world(
        &mut self,
        call: &str,
        values: &[Value],
        context: Context,
        place: PlaceId,
    ) -> Followed<Vec<Value>> {
        let mut values = values.to_vec();
        if !matches!(call, "fence" | "quiet")
            && let Some(pe) = values.last_mut()
        {
            *pe = self.process(pe, context.communicator(), place)?;
        }
        Ok(values)
    }
}
