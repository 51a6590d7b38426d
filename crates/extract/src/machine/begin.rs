//! How `main` is called.

use super::{Followed, Machine};
use crate::tables::{ObjectKind, Tables};
use crate::value::{Cause, Value};
use farside_lint::ir::Type;

/// The name of the program is not known, and has so many bytes at most.
const NAME: u64 = 4096;

impl Machine<'_> {
    /// Gives `main` what it is started with: the number of words, and their addresses. The first one, the name of the
    /// program, is not known, as the environment is not.
    pub(super) fn begin(&mut self, main: usize) -> Followed<()> {
        let function = &self.module.functions[main];
        let (place, parameters) = (function.blocks[0].end_place, function.parameters);
        let words = self.arguments.len() as u64 + 1;
        let mut given = vec![Value::Known(words)];
        if parameters > 1 {
            let list = self.tables.object(ObjectKind::Arguments, 8 * (words + 1), "argv");
            for (word, text) in (0..).zip(std::iter::once(None).chain(self.arguments.iter().map(Some))) {
                let size = text.map_or(NAME, |text| text.len() as u64 + 1);
                let object = self.tables.object(ObjectKind::Argument(word), size, "argument");
                let bytes = text.iter().flat_map(|text| text.bytes()).chain([0]);
                if text.is_some() {
                    for (at, byte) in (0..).zip(bytes) {
                        let to = Value::Known(Tables::address(object, at));
                        self.store(&to, &Value::Known(u64::from(byte)), &Type::Integer(8), place)?;
                    }
                }
                let to = Value::Known(Tables::address(list, 8 * i64::from(word)));
                let address = Value::Known(Tables::address(object, 0));
                self.store(&to, &address, &Type::Pointer, place)?;
            }
            let end = Value::Known(Tables::address(list, 8 * words as i64));
            self.store(&end, &Value::Known(0), &Type::Pointer, place)?;
            given.push(Value::Known(Tables::address(list, 0)));
        }
        let note = self.note(place, "the environment of the program is not known");
        given.resize(parameters as usize, Value::Unknown(Cause::Lost(note)));
        for (register, value) in (0..).zip(given) {
            self.set(register, value);
        }
        Ok(())
    }
}
