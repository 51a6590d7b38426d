//! Instructions.

use crate::layout::has_two;
use crate::lower::Lowering;
use crate::variables;
use either::Either;
use farside_lint::ir::{
    Action, Arithmetic, AtomicOperator, Conversion, FloatArithmetic, FloatPredicate, Operand, Ordering,
    Predicate, Type,
};
use llvm_ir::TypeRef;
use llvm_ir::function::ParameterAttribute;
use llvm_ir::instruction::{InlineAssembly, Instruction, MemoryOrdering, RMWBinOp};
use llvm_ir::predicates::{FPPredicate, IntPredicate};

impl Lowering<'_> {
    /// What an instruction does; `None` for those that do nothing that counts.
    pub(crate) fn action(&mut self, instruction: &Instruction) -> Option<Action> {
        use Instruction as I;
        macro_rules! arithmetic {
            ($operator:ident, $i:expr) => {{
                let bits = self.bits(&self.layout.type_of(&$i.operand0));
                let (left, right) = (self.operand(&$i.operand0), self.operand(&$i.operand1));
                Action::Arithmetic {
                    operator: Arithmetic::$operator,
                    bits,
                    left,
                    right,
                }
            }};
        }
        macro_rules! floating {
            ($operator:ident, $i:expr) => {{
                let ty = self.layout.lower(&self.layout.type_of(&$i.operand0));
                let (left, right) = (self.operand(&$i.operand0), self.operand(&$i.operand1));
                Action::FloatArithmetic {
                    operator: FloatArithmetic::$operator,
                    ty,
                    left,
                    right,
                }
            }};
        }
        macro_rules! convert {
            ($conversion:ident, $i:expr) => {{
                let from = self.layout.lower(&self.layout.type_of(&$i.operand));
                let to = self.layout.lower(&$i.to_type);
                Action::Convert {
                    conversion: Conversion::$conversion,
                    from,
                    to,
                    value: self.operand(&$i.operand),
                }
            }};
        }
        if self.computes_more(instruction) {
            return Some(Action::Unknown);
        }
        Some(match instruction {
            I::Add(i) => arithmetic!(Add, i),
            I::Sub(i) => arithmetic!(Sub, i),
            I::Mul(i) => arithmetic!(Mul, i),
            I::UDiv(i) => arithmetic!(UDiv, i),
            I::SDiv(i) => arithmetic!(SDiv, i),
            I::URem(i) => arithmetic!(URem, i),
            I::SRem(i) => arithmetic!(SRem, i),
            I::And(i) => arithmetic!(And, i),
            I::Or(i) => arithmetic!(Or, i),
            I::Xor(i) => arithmetic!(Xor, i),
            I::Shl(i) => arithmetic!(Shl, i),
            I::LShr(i) => arithmetic!(LShr, i),
            I::AShr(i) => arithmetic!(AShr, i),
            I::FAdd(i) => floating!(Add, i),
            I::FSub(i) => floating!(Sub, i),
            I::FMul(i) => floating!(Mul, i),
            I::FDiv(i) => floating!(Div, i),
            I::FRem(i) => floating!(Rem, i),
            I::FNeg(i) => {
                let ty = self.layout.lower(&self.layout.type_of(&i.operand));
                let left = self.operand(&i.operand);
                Action::FloatArithmetic {
                    operator: FloatArithmetic::Neg,
                    ty,
                    right: left.clone(),
                    left,
                }
            }
            I::Trunc(i) => convert!(Truncate, i),
            I::ZExt(i) => convert!(ZeroExtend, i),
            I::SExt(i) => convert!(SignExtend, i),
            I::FPTrunc(i) => convert!(FloatToFloat, i),
            I::FPExt(i) => convert!(FloatToFloat, i),
            I::FPToUI(i) => convert!(FloatToUnsigned, i),
            I::FPToSI(i) => convert!(FloatToSigned, i),
            I::UIToFP(i) => convert!(UnsignedToFloat, i),
            I::SIToFP(i) => convert!(SignedToFloat, i),
            I::PtrToInt(i) => convert!(Keep, i),
            I::IntToPtr(i) => convert!(Keep, i),
            I::BitCast(i) => convert!(Keep, i),
            I::AddrSpaceCast(i) => convert!(Keep, i),
            I::Freeze(i) => {
                let ty = self.layout.lower(&self.layout.type_of(&i.operand));
                Action::Convert {
                    conversion: Conversion::Keep,
                    from: ty.clone(),
                    to: ty,
                    value: self.operand(&i.operand),
                }
            }
            I::ICmp(i) => Action::Compare {
                predicate: integer_predicate(i.predicate),
                bits: self.bits(&self.layout.type_of(&i.operand0)),
                left: self.operand(&i.operand0),
                right: self.operand(&i.operand1),
            },
            I::FCmp(i) => Action::FloatCompare {
                predicate: float_predicate(i.predicate),
                ty: self.layout.lower(&self.layout.type_of(&i.operand0)),
                left: self.operand(&i.operand0),
                right: self.operand(&i.operand1),
            },
            I::Select(i) => Action::Select {
                condition: self.operand(&i.condition),
                yes: self.operand(&i.true_value),
                no: self.operand(&i.false_value),
            },
            I::Alloca(i) => {
                let name = match &i.dest {
                    llvm_ir::Name::Name(name) => name.as_str(),
                    llvm_ir::Name::Number(_) => "",
                };
                let source = variables::in_sources(name);
                Action::Allocate {
                    size: self.layout.size(&i.allocated_type),
                    count: self.operand(&i.num_elements),
                    name: source.unwrap_or(name).to_owned(),
                    declared: source.is_some(),
                    arrays: self.layout.arrays(&i.allocated_type),
                }
            }
            I::Load(i) => Action::Load {
                address: self.operand(&i.address),
                ty: self.layout.lower(&i.loaded_ty),
                atomic: i
                    .atomicity
                    .as_ref()
                    .map(|atomicity| ordering(atomicity.mem_ordering)),
            },
            I::Store(i) => Action::Store {
                address: self.operand(&i.address),
                ty: self.layout.lower(&self.layout.type_of(&i.value)),
                value: self.operand(&i.value),
                atomic: i
                    .atomicity
                    .as_ref()
                    .map(|atomicity| ordering(atomicity.mem_ordering)),
            },
            I::GetElementPtr(i) => self.address(&i.address, &i.indices, &i.source_element_type),
            I::AtomicRMW(i) => Action::AtomicUpdate {
                operator: atomic_operator(i.operation),
                address: self.operand(&i.address),
                ty: self.layout.lower(&self.layout.type_of(&i.value)),
                value: self.operand(&i.value),
                ordering: ordering(i.atomicity.mem_ordering),
            },
            I::CmpXchg(i) => Action::CompareExchange {
                address: self.operand(&i.address),
                expected: self.operand(&i.expected),
                ty: self.layout.lower(&self.layout.type_of(&i.replacement)),
                replacement: self.operand(&i.replacement),
                ordering: ordering(i.atomicity.mem_ordering),
            },
            I::ExtractValue(i) => Action::Extract {
                aggregate: self.operand(&i.aggregate),
                path: i.indices.clone(),
            },
            I::InsertValue(i) => Action::Insert {
                aggregate: self.operand(&i.aggregate),
                value: self.operand(&i.element),
                path: i.indices.clone(),
            },
            I::Call(i) => {
                if let Either::Right(llvm_ir::Operand::ConstantOperand(callee)) = &i.function
                    && let llvm_ir::Constant::GlobalReference {
                        name: llvm_ir::Name::Name(name),
                        ..
                    } = callee.as_ref()
                    && [
                        "llvm.dbg.",
                        "llvm.lifetime.",
                        "llvm.assume",
                        "llvm.experimental.noalias",
                    ]
                    .iter()
                    .any(|prefix| name.starts_with(prefix))
                {
                    return None;
                }
                self.call(&i.function, &i.arguments)
            }
            I::Fence(i) => Action::Fence(ordering(i.atomicity.mem_ordering)),
            I::LandingPad(_) => Action::LandingPad,
            I::Phi(_) => return None,
            _ => Action::Unknown,
        })
    }

    /// Whether an instruction computes with numbers that do not fit into 64 bits, or with vectors.
    fn computes_more(&self, instruction: &Instruction) -> bool {
        use Instruction as I;
        macro_rules! either {
            ($i:expr) => {
                self.is_more(&self.layout.type_of(&$i.operand)) || self.is_more(&$i.to_type)
            };
        }
        macro_rules! first {
            ($i:expr) => {
                self.is_more(&self.layout.type_of(&$i.operand0))
            };
        }
        match instruction {
            I::Add(i) => first!(i),
            I::Sub(i) => first!(i),
            I::Mul(i) => first!(i),
            I::UDiv(i) => first!(i),
            I::SDiv(i) => first!(i),
            I::URem(i) => first!(i),
            I::SRem(i) => first!(i),
            I::And(i) => first!(i),
            I::Or(i) => first!(i),
            I::Xor(i) => first!(i),
            I::Shl(i) => first!(i),
            I::LShr(i) => first!(i),
            I::AShr(i) => first!(i),
            I::FAdd(i) => first!(i),
            I::FSub(i) => first!(i),
            I::FMul(i) => first!(i),
            I::FDiv(i) => first!(i),
            I::FRem(i) => first!(i),
            I::ICmp(i) => first!(i),
            I::FCmp(i) => first!(i),
            I::FNeg(i) => self.is_more(&self.layout.type_of(&i.operand)),
            I::Trunc(i) => either!(i),
            I::ZExt(i) => either!(i),
            I::SExt(i) => either!(i),
            I::FPTrunc(i) => either!(i),
            I::FPExt(i) => either!(i),
            I::FPToUI(i) => either!(i),
            I::FPToSI(i) => either!(i),
            I::UIToFP(i) => either!(i),
            I::SIToFP(i) => either!(i),
            _ => false,
        }
    }

    fn is_more(&self, ty: &TypeRef) -> bool {
        let is_vector = matches!(ty.as_ref(), llvm_ir::Type::VectorType { .. });
        is_vector || has_two(ty) || matches!(self.layout.lower(ty), Type::Wide(_))
    }

    /// A call, or the call of an `invoke`.
    pub(crate) fn call(
        &mut self,
        function: &Either<InlineAssembly, llvm_ir::Operand>,
        arguments: &[(llvm_ir::Operand, Vec<ParameterAttribute>)],
    ) -> Action {
        match function {
            Either::Left(_) => Action::Unknown,
            Either::Right(callee) => Action::Call {
                callee: self.operand(callee),
                arguments: arguments
                    .iter()
                    .map(|(argument, _)| self.operand(argument))
                    .collect(),
            },
        }
    }

    fn address(&mut self, base: &llvm_ir::Operand, indices: &[llvm_ir::Operand], ty: &TypeRef) -> Action {
        let base = self.operand(base);
        let (mut constant, mut terms, mut ty) = (0i64, Vec::new(), ty.clone());
        for (position, index) in indices.iter().enumerate() {
            let bits = self.bits(&self.layout.type_of(index));
            let value = self.operand(index);
            if position > 0 {
                if let Operand::Integer(field) = value
                    && let Some((offset, of)) = self.layout.field(&ty, field)
                {
                    constant = constant.wrapping_add(offset as i64);
                    ty = of;
                    continue;
                }
                match self.layout.element(&ty) {
                    Some(element) => ty = element,
                    None => return Action::Unknown,
                }
            }
            let scale = self.layout.size(&ty) as i64;
            match value {
                Operand::Integer(value) => {
                    let value = if bits == 32 {
                        i64::from(value as u32 as i32)
                    } else {
                        value as i64
                    };
                    constant = constant.wrapping_add(value.wrapping_mul(scale));
                }
                value => terms.push((value, bits, scale)),
            }
        }
        Action::Offset {
            base,
            constant,
            terms,
        }
    }

    fn bits(&self, ty: &TypeRef) -> u32 {
        match self.layout.lower(ty) {
            Type::Integer(bits) => bits,
            _ => 64,
        }
    }
}

pub(crate) fn integer_predicate(predicate: IntPredicate) -> Predicate {
    match predicate {
        IntPredicate::EQ => Predicate::Eq,
        IntPredicate::NE => Predicate::Ne,
        IntPredicate::UGT => Predicate::Ugt,
        IntPredicate::UGE => Predicate::Uge,
        IntPredicate::ULT => Predicate::Ult,
        IntPredicate::ULE => Predicate::Ule,
        IntPredicate::SGT => Predicate::Sgt,
        IntPredicate::SGE => Predicate::Sge,
        IntPredicate::SLT => Predicate::Slt,
        IntPredicate::SLE => Predicate::Sle,
    }
}

fn float_predicate(predicate: FPPredicate) -> FloatPredicate {
    let (less, equal, greater, unordered) = match predicate {
        FPPredicate::False => (false, false, false, false),
        FPPredicate::OEQ => (false, true, false, false),
        FPPredicate::OGT => (false, false, true, false),
        FPPredicate::OGE => (false, true, true, false),
        FPPredicate::OLT => (true, false, false, false),
        FPPredicate::OLE => (true, true, false, false),
        FPPredicate::ONE => (true, false, true, false),
        FPPredicate::ORD => (true, true, true, false),
        FPPredicate::UNO => (false, false, false, true),
        FPPredicate::UEQ => (false, true, false, true),
        FPPredicate::UGT => (false, false, true, true),
        FPPredicate::UGE => (false, true, true, true),
        FPPredicate::ULT => (true, false, false, true),
        FPPredicate::ULE => (true, true, false, true),
        FPPredicate::UNE => (true, false, true, true),
        FPPredicate::True => (true, true, true, true),
    };
    FloatPredicate {
        less,
        equal,
        greater,
        unordered,
    }
}

/// The binding gives no ordering of some instructions; those are taken to order all that an atomic access can.
fn ordering(ordering: MemoryOrdering) -> Ordering {
    match ordering {
        MemoryOrdering::Unordered | MemoryOrdering::Monotonic => Ordering::Relaxed,
        MemoryOrdering::Acquire => Ordering::Acquire,
        MemoryOrdering::Release => Ordering::Release,
        _ => Ordering::Both,
    }
}

fn atomic_operator(operator: RMWBinOp) -> AtomicOperator {
    match operator {
        RMWBinOp::Xchg => AtomicOperator::Exchange,
        RMWBinOp::Add => AtomicOperator::Add,
        RMWBinOp::Sub => AtomicOperator::Sub,
        RMWBinOp::And => AtomicOperator::And,
        RMWBinOp::Or => AtomicOperator::Or,
        RMWBinOp::Xor => AtomicOperator::Xor,
        RMWBinOp::Max => AtomicOperator::Max,
        RMWBinOp::Min => AtomicOperator::Min,
        RMWBinOp::UMax => AtomicOperator::UMax,
        RMWBinOp::UMin => AtomicOperator::UMin,
        _ => AtomicOperator::Other,
    }
}
