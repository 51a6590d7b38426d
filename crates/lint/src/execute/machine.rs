//! One step of the abstract machine: what instructions mean, over any domain of values and for any machine.
//!
//! Two machines work on the values that a program has: [`Running`](super::running::Running), a thread with all that its
//! steps may concern, which follows every instruction; and `Alone`, the fast way, which follows what a
//! thread does with its own registers and with memory that no operation is concerned with. The third,
//! [`Execution`](super::rounds), works on values as functions of a loop's round.
//!
//! Promise: what an instruction reads, in which order, and what it makes of it is said here and nowhere else. A machine that
//! does not follow an instruction says so by [`Machine::Stop`] before it has changed anything but what it has noted; the thread
//! then does that instruction by a machine that follows it.

use crate::ir::{
    Action, Arithmetic, Block, BlockId, Conversion, FloatArithmetic, FloatPredicate, Instruction, Operand,
    Ordering, PlaceId, Predicate, Register, Type,
};

/// Values, and what operators make of them.
pub(crate) trait Domain {
    /// A number or an address.
    type Number: Copy;
    /// The sum of an address and offsets, as long as it is being made.
    type Sum;
    /// What is noted of operands besides the result.
    type Notes<'n>;
    /// Why there is no result.
    type Stop;

    fn integer(
        operator: Arithmetic,
        bits: u32,
        left: Self::Number,
        right: Self::Number,
        notes: Self::Notes<'_>,
    ) -> Result<Self::Number, Self::Stop>;

    fn float(
        operator: FloatArithmetic,
        ty: &Type,
        left: Self::Number,
        right: Self::Number,
    ) -> Result<Self::Number, Self::Stop>;

    fn compare(
        predicate: Predicate,
        bits: u32,
        left: Self::Number,
        right: Self::Number,
        notes: Self::Notes<'_>,
    ) -> Result<Self::Number, Self::Stop>;

    fn float_compare(
        predicate: FloatPredicate,
        ty: &Type,
        left: Self::Number,
        right: Self::Number,
    ) -> Result<Self::Number, Self::Stop>;

    fn convert(
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: Self::Number,
        notes: Self::Notes<'_>,
    ) -> Result<Self::Number, Self::Stop>;

    /// `base + constant`.
    fn sum(base: Self::Number, constant: i64, notes: Self::Notes<'_>) -> Self::Sum;

    /// Adds `index`, sign-extended from its bits, times `scale`.
    fn add(sum: &mut Self::Sum, index: Self::Number, bits: u32, scale: i64, notes: Self::Notes<'_>);

    fn total(sum: Self::Sum, notes: Self::Notes<'_>) -> Self::Number;
}

/// Who executes instructions: registers, memory, and what is to be done besides.
pub(crate) trait Machine {
    /// What its numbers are.
    type Domain: Domain<Number = Self::Number, Stop = Self::Stop>;
    /// A number or an address.
    type Number: Copy;
    /// What a register holds; the default is the result of an instruction that has none.
    type Value: From<Self::Number> + Default;
    /// Why an instruction has no value here, or is not followed.
    type Stop;

    /// A number that an instruction reads.
    fn number(&mut self, operand: &Operand) -> Result<Self::Number, Self::Stop>;

    /// Anything that an instruction passes on as it is.
    fn value(&mut self, operand: &Operand) -> Result<Self::Value, Self::Stop>;

    /// What a phi of a block receives that names no value for the block before.
    fn unnamed(&mut self) -> Result<Self::Value, Self::Stop>;

    fn set(&mut self, register: Register, value: Self::Value);

    fn notes(&mut self) -> <Self::Domain as Domain>::Notes<'_>;

    fn load(
        &mut self,
        address: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        place: PlaceId,
    ) -> Result<Self::Value, Self::Stop>;

    fn store(
        &mut self,
        address: &Operand,
        value: &Operand,
        ty: &Type,
        atomic: Option<Ordering>,
        place: PlaceId,
    ) -> Result<(), Self::Stop>;

    /// Whether a condition holds.
    fn decide(&mut self, condition: Self::Number) -> Result<bool, Self::Stop>;

    /// One of two values.
    fn select(
        &mut self,
        condition: Self::Number,
        yes: &Operand,
        no: &Operand,
    ) -> Result<Self::Value, Self::Stop> {
        let chosen = if self.decide(condition)? { yes } else { no };
        self.value(chosen)
    }

    /// Instructions that are no arithmetic, and neither load nor store.
    fn special(&mut self, action: &Action, place: PlaceId) -> Result<Self::Value, Self::Stop>;

    /// A conversion; of a value that is no number, the machine says what it is.
    fn convert(
        &mut self,
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: &Operand,
    ) -> Result<Self::Value, Self::Stop> {
        let value = self.number(value)?;
        Self::Domain::convert(conversion, from, to, value, self.notes()).map(Into::into)
    }
}

/// Does an instruction, up to its result, which its register has not got yet.
#[inline]
pub(crate) fn act<M: Machine>(machine: &mut M, action: &Action, place: PlaceId) -> Result<M::Value, M::Stop> {
    let number = match action {
        Action::Load { address, ty, atomic } => return machine.load(address, ty, *atomic, place),
        Action::Store {
            address,
            value,
            ty,
            atomic,
        } => {
            machine.store(address, value, ty, *atomic, place)?;
            return Ok(M::Value::default());
        }
        Action::Offset {
            base,
            constant,
            terms,
        } => {
            let base = machine.number(base)?;
            let mut sum = M::Domain::sum(base, *constant, machine.notes());
            for (index, bits, scale) in terms {
                let index = machine.number(index)?;
                M::Domain::add(&mut sum, index, *bits, *scale, machine.notes());
            }
            M::Domain::total(sum, machine.notes())
        }
        Action::Arithmetic {
            operator,
            bits,
            left,
            right,
        } => {
            let (left, right) = both(machine, left, right)?;
            M::Domain::integer(*operator, *bits, left, right, machine.notes())?
        }
        Action::FloatArithmetic {
            operator,
            ty,
            left,
            right,
        } => {
            let (left, right) = both(machine, left, right)?;
            M::Domain::float(*operator, ty, left, right)?
        }
        Action::Compare {
            predicate,
            bits,
            left,
            right,
        } => {
            let (left, right) = both(machine, left, right)?;
            M::Domain::compare(*predicate, *bits, left, right, machine.notes())?
        }
        Action::FloatCompare {
            predicate,
            ty,
            left,
            right,
        } => {
            let (left, right) = both(machine, left, right)?;
            M::Domain::float_compare(*predicate, ty, left, right)?
        }
        Action::Convert {
            conversion,
            from,
            to,
            value,
        } => return machine.convert(*conversion, from, to, value),
        Action::Select { condition, yes, no } => {
            let condition = machine.number(condition)?;
            return machine.select(condition, yes, no);
        }
        special => return machine.special(special, place),
    };
    Ok(number.into())
}

/// Does an instruction.
#[inline]
pub(crate) fn step<M: Machine>(machine: &mut M, instruction: &Instruction) -> Result<(), M::Stop> {
    let value = act(machine, &instruction.action, instruction.place)?;
    if let Some(register) = instruction.result {
        machine.set(register, value);
    }
    Ok(())
}

/// Gives the phis of a block that is entered from another one their values: all are read before any of them is written.
#[inline]
pub(crate) fn merge<M: Machine>(
    machine: &mut M,
    entered: &Block,
    from: Option<BlockId>,
) -> Result<(), M::Stop> {
    /// So many are kept without asking for memory.
    const FEW: usize = 8;
    let read = |machine: &mut M, incoming: &[(BlockId, Operand)]| match incoming
        .iter()
        .find(|(block, _)| Some(*block) == from)
    {
        Some((_, operand)) => machine.value(operand),
        None => machine.unnamed(),
    };
    if entered.phis.len() <= FEW {
        let mut values: [M::Value; FEW] = Default::default();
        for (value, (_, incoming)) in values.iter_mut().zip(&entered.phis) {
            *value = read(machine, incoming)?;
        }
        for (value, (register, _)) in values.into_iter().zip(&entered.phis) {
            machine.set(*register, value);
        }
        return Ok(());
    }
    let mut values = Vec::with_capacity(entered.phis.len());
    for (_, incoming) in &entered.phis {
        values.push(read(machine, incoming)?);
    }
    for (value, (register, _)) in values.into_iter().zip(&entered.phis) {
        machine.set(*register, value);
    }
    Ok(())
}

/// Both operands, of which the second is read even if there is nothing to be had of the first.
#[inline]
fn both<M: Machine>(
    machine: &mut M,
    left: &Operand,
    right: &Operand,
) -> Result<(M::Number, M::Number), M::Stop> {
    let (left, right) = (machine.number(left), machine.number(right));
    Ok((left?, right?))
}
