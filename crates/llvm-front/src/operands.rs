//! Operands and constants.

use crate::lower::Lowering;
use farside_lint::ir::{Operand, Type};
use llvm_ir::constant::{Constant, Float};
use llvm_ir::{ConstantRef, Name, TypeRef};

impl Lowering<'_> {
    /// An operand of an instruction.
    pub(crate) fn operand(&mut self, operand: &llvm_ir::Operand) -> Operand {
        match operand {
            llvm_ir::Operand::LocalOperand { name, .. } => Operand::Register(self.register(name)),
            llvm_ir::Operand::ConstantOperand(constant) => self.constant(constant),
            llvm_ir::Operand::MetadataOperand => Operand::Undefined,
        }
    }

    /// A constant.
    pub(crate) fn constant(&self, constant: &ConstantRef) -> Operand {
        match constant.as_ref() {
            Constant::Int { bits: 128, value } => {
                Operand::Aggregate(vec![Operand::Integer(*value), Operand::Integer(0)])
            }
            Constant::Int { value, .. } => Operand::Integer(*value),
            Constant::Float(Float::Single(value)) => Operand::Single(*value),
            Constant::Float(Float::Double(value)) => Operand::Float(*value),
            Constant::Null(_) => Operand::Integer(0),
            Constant::AggregateZero(ty) => self.zero(ty),
            Constant::Struct { values, .. } => {
                Operand::Aggregate(values.iter().map(|v| self.constant(v)).collect())
            }
            Constant::Array { elements, .. } => {
                Operand::Aggregate(elements.iter().map(|v| self.constant(v)).collect())
            }
            Constant::Vector(elements) => {
                Operand::Aggregate(elements.iter().map(|v| self.constant(v)).collect())
            }
            Constant::GlobalReference { name, .. } => self.global(name),
            Constant::GetElementPtr(gep) => self.constant_address(gep),
            Constant::PtrToInt(cast) => self.constant(&cast.operand),
            Constant::IntToPtr(cast) => self.constant(&cast.operand),
            Constant::BitCast(cast) => self.constant(&cast.operand),
            Constant::AddrSpaceCast(cast) => self.constant(&cast.operand),
            Constant::Trunc(cast) => self.constant(&cast.operand),
            _ => Operand::Undefined,
        }
    }

    /// Writes a constant into memory: its scalars with their offsets. Zeros are left out.
    pub(crate) fn flatten(&self, constant: &ConstantRef, offset: u64, into: &mut Vec<(u64, Type, Operand)>) {
        match constant.as_ref() {
            Constant::AggregateZero(_) | Constant::Undef(_) | Constant::Poison(_) | Constant::Null(_) => {}
            Constant::Array {
                element_type,
                elements,
            } => {
                let size = self.layout.size(element_type);
                for (index, element) in elements.iter().enumerate() {
                    self.flatten(element, offset + index as u64 * size, into);
                }
            }
            Constant::Struct { values, .. } => {
                let ty = self.layout.module.types.type_of(constant);
                for (index, value) in values.iter().enumerate() {
                    if let Some((field, _)) = self.layout.field(&ty, index as u64) {
                        self.flatten(value, offset + field, into);
                    }
                }
            }
            _ => {
                let ty = self.layout.module.types.type_of(constant);
                // The binding does not say what these are.
                let is_large = matches!(
                    constant.as_ref(),
                    Constant::Int {
                        bits: 128,
                        value: 1..
                    }
                );
                if is_large || matches!(constant.as_ref(), Constant::Float(Float::X86_FP80)) {
                    into.push((offset, Type::Wide(16), Operand::Undefined));
                    return;
                }
                match self.constant(constant) {
                    Operand::Integer(0) => {}
                    value => into.push((offset, self.layout.lower(&ty), value)),
                }
            }
        }
    }

    fn zero(&self, ty: &TypeRef) -> Operand {
        match self.layout.lower(ty) {
            Type::Structure(fields, _) => Operand::Aggregate(vec![Operand::Integer(0); fields.len()]),
            _ => Operand::Integer(0),
        }
    }

    fn global(&self, name: &Name) -> Operand {
        let name = match name {
            Name::Name(name) => name.to_string(),
            Name::Number(number) => number.to_string(),
        };
        let name = self.aliases.get(&name).unwrap_or(&name);
        if let Some(index) = self.functions.get(name) {
            return Operand::Function(*index);
        }
        match self.globals.get(name) {
            Some(index) => Operand::Global(*index, 0),
            None => Operand::Undefined,
        }
    }

    /// The address that a constant expression names: `constants` has made it a number of bytes past the beginning of a
    /// global.
    fn constant_address(&self, gep: &llvm_ir::constant::GetElementPtr) -> Operand {
        match (self.constant(&gep.address), &gep.indices[..]) {
            (Operand::Global(global, start), [index]) => match index.as_ref() {
                Constant::Int { value, .. } => Operand::Global(global, start.wrapping_add(*value as i64)),
                _ => Operand::Undefined,
            },
            _ => Operand::Undefined,
        }
    }
}
