//! The algebra against one that follows the definitions on tables of truth values.

mod naive;
mod orders;
mod relations;
mod sets;
