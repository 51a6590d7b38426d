//! Calls: of the program's own functions, of a library that communicates, of the C library.

use super::{Followed, Machine, Stop};
use crate::state::Frame;
use crate::tables::Tables;
use crate::value::Value;
use farside_lint::ir::{Operand, PlaceId};
use farside_pgas::ast::Api;

/// Calls within calls.
const MOST_DEPTH: u32 = 64;

impl Machine<'_> {
    pub(super) fn call(
        &mut self,
        callee: &Operand,
        arguments: &[Operand],
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<()> {
        let function = match self.operand(callee, place) {
            Value::Known(address) => Tables::function_at(address),
            _ => None,
        };
        let module = self.module;
        let Some((number, function)) =
            function.and_then(|number| Some((number, module.functions.get(number as usize)?)))
        else {
            return Err(self.lost(place, "a call through a pointer that is not known"));
        };
        let values = self.operands(arguments, place);
        if !function.blocks.is_empty() {
            return self.enter_function(number, values, place);
        }
        let name = function.name.as_str();
        let shmem = name
            .strip_prefix("shmem_")
            .or(name.strip_prefix("_my_pe").map(|_| "my_pe"))
            .or(name.strip_prefix("_num_pes").map(|_| "n_pes"));
        let value = if let Some(call) = shmem.filter(|_| self.api == Some(Api::Shmem)) {
            self.shmem(call, &values, result, place)?
        } else if let Some(call) = name
            .strip_prefix("gaspi_")
            .filter(|_| self.api == Some(Api::Gaspi17))
        {
            self.gaspi(call, &values, result, place)?
        } else if let Some(call) = name.strip_prefix("MPI_").filter(|_| self.api.is_none()) {
            // Success, on whichever way it goes on.
            if let Some(result) = result {
                self.set(result, Value::Known(0));
            }
            self.mpi(call, &values, place)?
        } else if let Some(value) = self.library(name, &values, result, place)? {
            value
        } else {
            return Err(self.lost(place, &format!("a call of {name}, which is not followed")));
        };
        if let (Some(result), Some(value)) = (result, value) {
            self.set(result, value);
        }
        Ok(())
    }

    fn enter_function(&mut self, number: u32, mut values: Vec<Value>, place: PlaceId) -> Followed<()> {
        let module = self.module;
        let code = &module.functions[number as usize];
        let Some(frame) = self.state.frame() else {
            return Err(Stop::End);
        };
        let (function, block, at) = (frame.function(), frame.block(), frame.at());
        let path = self.tables.path(frame.path(), function, block, at as u32);
        if self.tables.depth(path) > MOST_DEPTH {
            return Err(self.lost(place, "calls within calls, too deep"));
        }
        // The caller needs only what it reads later.
        let live = self
            .liveness(function)
            .before(&module.functions[function as usize], block, at);
        if let Some(frame) = self.state.frame_mut() {
            frame.keep(&live);
        }
        values.truncate(code.parameters as usize);
        self.state.call(Frame::new(number, path, values));
        Ok(())
    }
}
