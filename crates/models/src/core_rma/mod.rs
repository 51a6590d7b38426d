//! coreRMA (Dan, Lam, Hoefler, Vechev: Modeling and Analysis of Remote Memory Access Programming, OOPSLA 2016).

/// coreRMA with its rules switched, or strengthened by further orderings.
#[derive(Clone, Debug)]
pub struct CoreModel {
    /// As `--model` takes it.
    pub name: String,
}
