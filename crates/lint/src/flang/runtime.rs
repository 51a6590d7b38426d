//! flang's runtime library, as far as it touches memory of the program or decides where control goes.
//!
//! What is not named here and does input or output succeeds; any other function gives an unknown value.

use super::descriptor::Descriptor;
use crate::flow::Flow;
use crate::job::Job;
use crate::reach::Cause;
use crate::site::Site;
use crate::value::{Scalar, source};
use farside_events::AccessKind;

const NOTHING: Flow = Flow::Return(Scalar::known(0));
const TRUE: Flow = Flow::Return(Scalar::known(1));

impl Job<'_> {
    /// A function of the runtime, by its name without `_FortranA`.
    pub(crate) fn fortran_runtime(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let at = |index: usize| a.get(index).copied().unwrap_or_default();
        match name {
            "ProgramStart" | "ProgramEndStatement" => NOTHING,
            "StopStatement" | "StopStatementText" | "FailImageStatement" => {
                let error = at(if name == "StopStatement" { 1 } else { 2 });
                let (word, status) = match name {
                    "FailImageStatement" => ("fail image", None),
                    _ if error.bits & 1 == 1 => ("error stop", None),
                    "StopStatement" => ("stop", Some(at(0).signed32())),
                    _ => ("stop", None),
                };
                if error.bits & 1 == 1 || status.is_some_and(|status| status != 0) {
                    self.give_up(site, word, status);
                } else {
                    self.stop(site.at(), Cause::Call(word.into(), status), site.place);
                }
                self.end_process(site.rank);
                Flow::Ended
            }
            "Assign" | "AssignTemporary" | "AssignPolymorphic" | "AssignExplicitLengthCharacter" => {
                self.assign(site, at(0).bits, at(1).bits)
            }
            "CopyInAssign" => self.copy_in(site, at(0).bits, at(1).bits),
            "CopyOutAssign" => self.copy_out(site, at(0).bits, at(1).bits),
            "IsContiguous" => {
                let contiguous = self.descriptor(site, at(0).bits).is_contiguous();
                Flow::Return(Scalar::known(u64::from(contiguous)))
            }
            "AllocatableSetBounds" | "PointerSetBounds" => {
                let mut descriptor = self.descriptor(site, at(0).bits);
                let (lower, upper) = (at(2).bits as i64, at(3).bits as i64);
                if let Some(dimension) = descriptor.dimensions.get_mut(at(1).bits as usize) {
                    *dimension = (lower, (upper - lower + 1).max(0) as u64, 0);
                }
                let base = descriptor.base;
                self.put_descriptor(site, at(0).bits, &descriptor.packed(base));
                NOTHING
            }
            "AllocatableAllocate" | "PointerAllocate" => {
                let descriptor = self.descriptor(site, at(0).bits);
                self.allocate_elements(site, at(0).bits, descriptor);
                NOTHING
            }
            "AllocatableDeallocate" | "PointerDeallocate" => {
                let base = self.memory(site.rank, at(0).bits).load(at(0).bits, 8).bits;
                self.processes.of_mut(site.rank).memory.free(base);
                self.put_long(site, at(0).bits, 0);
                NOTHING
            }
            "PointerNullifyIntrinsic" | "AllocatableInitIntrinsicForAllocate" => {
                self.put_long(site, at(0).bits, 0);
                NOTHING
            }
            "PointerIsAssociated" => {
                let base = self.memory(site.rank, at(0).bits).load(at(0).bits, 8).bits;
                Flow::Return(Scalar::known(u64::from(base != 0)))
            }
            "Size" => Flow::Return(Scalar::known(self.descriptor(site, at(0).bits).count())),
            "SizeDim" => {
                let descriptor = self.descriptor(site, at(0).bits);
                let dimension = (at(1).bits as u32 as usize).wrapping_sub(1);
                let extent = descriptor
                    .dimensions
                    .get(dimension)
                    .map_or(0, |(_, extent, _)| *extent);
                Flow::Return(Scalar::known(extent))
            }
            _ if name.starts_with("io") => self.input_output(site, name, a),
            _ if is_reduction(name) => self.reduce_elements(site, name, at(0).bits),
            _ => {
                let value = self.outside_value(site, name);
                Flow::Return(value)
            }
        }
    }

    /// `to = from`: an allocatable variable takes the shape of what is assigned (Fortran 2018 §10.2.1.3).
    fn assign(&mut self, site: &Site, to: u64, from: u64) -> Flow {
        let (mut target, value) = (self.descriptor(site, to), self.descriptor(site, from));
        let extents = |of: &Descriptor| {
            of.dimensions
                .iter()
                .map(|(_, extent, _)| *extent)
                .collect::<Vec<_>>()
        };
        let other_shape = !value.dimensions.is_empty() && extents(&target) != extents(&value);
        let bytes = self.read_elements(site, "assignment", &value);
        if target.allocatable && (target.base == 0 || other_shape) {
            if !value.dimensions.is_empty() {
                target.dimensions = value.dimensions;
            }
            target.element = target.element.max(value.element);
            self.allocate_elements(site, to, target.clone());
            target = self.descriptor(site, to);
        }
        self.write_elements(site, "assignment", &target, &bytes);
        NOTHING
    }

    /// A temporary copy of a section that is not contiguous.
    fn copy_in(&mut self, site: &Site, temporary: u64, variable: u64) -> Flow {
        let value = self.descriptor(site, variable);
        let bytes = self.read_elements(site, "copy-in", &value);
        self.allocate_elements(site, temporary, value);
        let copy = self.descriptor(site, temporary);
        self.memory_mut(site.rank, copy.base).write(copy.base, &bytes);
        NOTHING
    }

    /// The temporary copy goes back into the section, if there is one to go to, and is no more.
    fn copy_out(&mut self, site: &Site, variable: u64, temporary: u64) -> Flow {
        let copy = self.descriptor(site, temporary);
        if variable != 0 {
            let target = self.descriptor(site, variable);
            let bytes = self.read_elements(site, "copy-out", &copy);
            self.write_elements(site, "copy-out", &target, &bytes);
        }
        self.processes.of_mut(site.rank).memory.free(copy.base);
        NOTHING
    }

    fn allocate_elements(&mut self, site: &Site, at: u64, descriptor: Descriptor) {
        let size = descriptor.size().min(1 << 40);
        let base = self.processes.of_mut(site.rank).memory.allocate(size, "allocate");
        self.put_descriptor(site, at, &descriptor.packed(base));
    }

    /// Reads what is written, and writes what is read. What is read from outside is not known.
    fn input_output(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let at = |index: usize| a.get(index).copied().unwrap_or_default();
        match name {
            _ if name.starts_with("ioBegin") => {
                let statement = self.processes.of_mut(site.rank).memory.allocate(64, "");
                Flow::Return(Scalar::known(statement))
            }
            "ioEndIoStatement" => NOTHING,
            "ioOutputAscii" => {
                self.library_access(site, "write", AccessKind::Load, at(1).bits, at(2).bits);
                TRUE
            }
            "ioOutputDescriptor" => {
                let value = self.descriptor(site, at(1).bits);
                self.read_elements(site, "write", &value);
                TRUE
            }
            "ioInputDescriptor" => {
                let target = self.descriptor(site, at(1).bits);
                self.write_elements(site, "read", &target, &[]);
                TRUE
            }
            "ioInputInteger" | "ioInputReal32" | "ioInputReal64" | "ioInputLogical" => {
                let size = match name {
                    "ioInputInteger" => at(2).bits.clamp(1, 8),
                    "ioInputReal64" => 8,
                    _ => 4,
                };
                self.library_access(site, "read", AccessKind::Store, at(1).bits, size);
                let value = Scalar {
                    bits: if name == "ioInputInteger" { 4 } else { 0 },
                    symbol: source((name, site.place)),
                };
                self.memory_mut(site.rank, at(1).bits)
                    .store(at(1).bits, size, value);
                TRUE
            }
            _ => TRUE,
        }
    }

    /// Functions over whole arrays: sums of integers and of real numbers are computed, others only read their array.
    fn reduce_elements(&mut self, site: &Site, name: &str, at: u64) -> Flow {
        let value = self.descriptor(site, at);
        let bytes = self.read_elements(site, name, &value);
        let unknown = self.outside_value(site, name);
        let elements = bytes
            .chunks_exact(value.element.clamp(1, 8) as usize)
            .map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
        Flow::Return(match name {
            "SumInteger4" => Scalar::known(u64::from(
                elements.fold(0u32, |sum, word| sum.wrapping_add(word as u32)),
            )),
            "SumInteger8" => Scalar::known(elements.fold(0, u64::wrapping_add)),
            "SumReal4" => Scalar::known(u64::from(
                elements
                    .map(|word| f32::from_bits(word as u32))
                    .sum::<f32>()
                    .to_bits(),
            )),
            "SumReal8" => Scalar::known(elements.map(f64::from_bits).sum::<f64>().to_bits()),
            _ => unknown,
        })
    }
}

/// Functions whose first argument is the descriptor of an array that they read, and whose result is a number.
fn is_reduction(name: &str) -> bool {
    [
        "Sum", "Product", "Maxval", "Minval", "Any", "All", "Count", "IAll", "IAny", "Norm2",
    ]
    .iter()
    .any(|start| name.starts_with(start))
        && !name.ends_with("Dim")
}
