//! Attributes of communicators, windows and datatypes (MPI-4.1 §7.7).

use crate::value::Scalar;
use std::collections::BTreeMap;

/// The first key of an attribute that we give out; no predefined key of either library is as large.
const FIRST_KEY: i32 = 0x7a00_0000;

/// The attributes of the objects of one process: by object and key.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    keys: i32,
    values: BTreeMap<(u64, i32), Scalar>,
}

impl Attributes {
    /// A key that no other attribute has.
    pub(crate) fn new_key(&mut self) -> i32 {
        self.keys += 1;
        FIRST_KEY + self.keys
    }

    /// Whether it is the library that has defined a key.
    pub(crate) fn is_predefined(key: i32) -> bool {
        key <= FIRST_KEY
    }

    pub(crate) fn set(&mut self, object: u64, key: i32, value: Scalar) {
        self.values.insert((object, key), value);
    }

    pub(crate) fn delete(&mut self, object: u64, key: i32) {
        self.values.remove(&(object, key));
    }

    pub(crate) fn get(&self, object: u64, key: i32) -> Option<Scalar> {
        self.values.get(&(object, key)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_belongs_to_one_object() {
        let mut attributes = Attributes::default();
        let key = attributes.new_key();
        assert!(!Attributes::is_predefined(key) && key != attributes.new_key());
        attributes.set(1, key, Scalar::known(7));
        assert_eq!(
            (attributes.get(1, key), attributes.get(2, key)),
            (Some(Scalar::known(7)), None)
        );
        attributes.delete(1, key);
        assert_eq!(attributes.get(1, key), None);
    }
}
