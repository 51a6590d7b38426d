//! Sizes and offsets of LLVM types in memory, as the ABIs of 64-bit Linux lay them out.
//!
//! Every scalar is aligned to its size, vectors and long doubles to 16 bytes at most.

use farside_lint::ir::Type;
use llvm_ir::types::{FPType, NamedStructDef, Typed as _};
use llvm_ir::{Module, TypeRef};

/// What flang calls the source of every module.
const FLANG: &str = "FIRModule";

/// The end of the name of the type of a window's handle in Fortran.
const WINDOW: &str = "Tmpi_win";

/// Bits of one of the two halves that an integer of 128 bits is.
pub(crate) const HALF: u32 = 64;

/// Whether a type is that of integers of two halves.
pub(crate) fn has_two(ty: &TypeRef) -> bool {
    matches!(ty.as_ref(), llvm_ir::Type::IntegerType { bits: 128 })
}

/// That type in the words of the lint.
fn of_two() -> Type {
    let half = || Type::Integer(HALF);
    Type::Structure(vec![(0, half()), (8, half())], 16)
}

/// The layout of the types of one module.
pub(crate) struct Layout<'m> {
    pub(crate) module: &'m Module,
}

impl Layout<'_> {
    /// Bytes from one element of an array of the type to the next.
    pub(crate) fn size(&self, ty: &TypeRef) -> u64 {
        self.measure(ty).0
    }

    /// The offset of a field, and its type.
    pub(crate) fn field(&self, ty: &TypeRef, index: u64) -> Option<(u64, TypeRef)> {
        let (elements, packed) = self.fields(ty)?;
        let mut offset = 0u64;
        for (position, element) in elements.iter().enumerate() {
            let (size, align) = self.measure(element);
            if !packed {
                offset = offset.next_multiple_of(align);
            }
            if position as u64 == index {
                return Some((offset, element.clone()));
            }
            offset += size;
        }
        None
    }

    /// The type of an array's or vector's elements.
    pub(crate) fn element(&self, ty: &TypeRef) -> Option<TypeRef> {
        match ty.as_ref() {
            llvm_ir::Type::ArrayType { element_type, .. }
            | llvm_ir::Type::VectorType { element_type, .. } => Some(element_type.clone()),
            _ => None,
        }
    }

    /// Lengths of the arrays that a variable of this type consists of, as the sources count its elements.
    pub(crate) fn arrays(&self, ty: &TypeRef) -> Option<Vec<u64>> {
        let (mut lengths, mut inner) = (Vec::new(), ty);
        // Fortran's arrays may begin at any number, which debug information alone says.
        let of_fortran = self.module.source_file_name == FLANG;
        while let llvm_ir::Type::ArrayType {
            element_type,
            num_elements,
        } = inner.as_ref()
        {
            lengths.push(*num_elements as u64);
            inner = element_type;
        }
        let is_whole = match inner.as_ref() {
            llvm_ir::Type::IntegerType { .. } | llvm_ir::Type::PointerType { .. } => true,
            // What Fortran's handles are.
            llvm_ir::Type::NamedStructType { name } => of_fortran && name.ends_with(WINDOW),
            _ => false,
        };
        (is_whole && (lengths.is_empty() || !of_fortran)).then_some(lengths)
    }

    /// The type in the words of the lint.
    pub(crate) fn lower(&self, ty: &TypeRef) -> Type {
        match ty.as_ref() {
            llvm_ir::Type::IntegerType { bits } if *bits <= 64 => Type::Integer(*bits),
            llvm_ir::Type::PointerType { .. } => Type::Pointer,
            llvm_ir::Type::FPType(FPType::Single) => Type::Float,
            llvm_ir::Type::FPType(FPType::Double) => Type::Double,
            llvm_ir::Type::FPType(FPType::X86_FP80) => Type::Extended,
            llvm_ir::Type::FPType(FPType::FP128 | FPType::PPC_FP128) => Type::Wide(16),
            llvm_ir::Type::IntegerType { bits: 128 } => of_two(),
            llvm_ir::Type::IntegerType { .. } => Type::Wide(self.size(ty)),
            llvm_ir::Type::StructType { element_types, .. } => self.structure(ty, element_types.len()),
            llvm_ir::Type::NamedStructType { .. } => match self.fields(ty) {
                Some((fields, _)) => self.structure(ty, fields.len()),
                None => Type::Opaque(0),
            },
            llvm_ir::Type::ArrayType {
                element_type,
                num_elements,
            } if *num_elements <= 16 => {
                let (size, element) = (self.size(element_type), self.lower(element_type));
                let fields = (0..*num_elements as u64).map(|index| (index * size, element.clone()));
                Type::Structure(fields.collect(), size * *num_elements as u64)
            }
            _ => Type::Opaque(self.size(ty)),
        }
    }

    /// The type of any operand.
    pub(crate) fn type_of(&self, operand: &llvm_ir::Operand) -> TypeRef {
        operand.get_type(&self.module.types)
    }

    fn structure(&self, ty: &TypeRef, fields: usize) -> Type {
        let lowered = (0..fields as u64).filter_map(|index| {
            let (offset, field) = self.field(ty, index)?;
            Some((offset, self.lower(&field)))
        });
        Type::Structure(lowered.collect(), self.size(ty))
    }

    fn fields(&self, ty: &TypeRef) -> Option<(Vec<TypeRef>, bool)> {
        match ty.as_ref() {
            llvm_ir::Type::StructType {
                element_types,
                is_packed,
            } => Some((element_types.clone(), *is_packed)),
            llvm_ir::Type::NamedStructType { name } => match self.module.types.named_struct_def(name)? {
                NamedStructDef::Defined(definition) => self.fields(definition),
                NamedStructDef::Opaque => None,
            },
            _ => None,
        }
    }

    /// Size (a multiple of the alignment) and alignment.
    fn measure(&self, ty: &TypeRef) -> (u64, u64) {
        match ty.as_ref() {
            llvm_ir::Type::IntegerType { bits } => {
                let size = u64::from(*bits).div_ceil(8).next_power_of_two();
                (size.max(1), size.clamp(1, 16))
            }
            llvm_ir::Type::PointerType { .. } => (8, 8),
            llvm_ir::Type::FPType(float) => match float {
                FPType::Half | FPType::BFloat => (2, 2),
                FPType::Single => (4, 4),
                FPType::Double => (8, 8),
                _ => (16, 16),
            },
            llvm_ir::Type::ArrayType {
                element_type,
                num_elements,
            } => {
                let (size, align) = self.measure(element_type);
                (size * *num_elements as u64, align)
            }
            llvm_ir::Type::VectorType {
                element_type,
                num_elements,
                ..
            } => {
                let size = (self.size(element_type) * *num_elements as u64).next_power_of_two();
                (size, size.clamp(1, 64))
            }
            llvm_ir::Type::StructType { .. } | llvm_ir::Type::NamedStructType { .. } => {
                let Some((elements, packed)) = self.fields(ty) else {
                    return (0, 1);
                };
                let (mut size, mut whole) = (0u64, 1);
                for element in &elements {
                    let (bytes, align) = self.measure(element);
                    if !packed {
                        size = size.next_multiple_of(align);
                        whole = whole.max(align);
                    }
                    size += bytes;
                }
                (size.next_multiple_of(whole), whole)
            }
            _ => (0, 1),
        }
    }
}
