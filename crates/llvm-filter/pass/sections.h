// Where sections of OpenMP begin.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

namespace farside {

/// Whether an instruction gives the calling thread its part of the sections of a construct, not of a loop.
bool gives_sections(const llvm::Instruction &instruction);

/// Announces each section where it begins. Clang makes a static loop of `sections`, with a switch over their numbers,
/// so that OpenMP's runtime does not see where one ends and the next begins.
void announce_sections(llvm::Module &module);

} // namespace farside
