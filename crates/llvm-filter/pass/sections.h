// Where sections of OpenMP begin.
#pragma once

#include <llvm/IR/Module.h>

namespace farside {

/// Announces each section where it begins. Clang makes a static loop of `sections`, with a switch over their numbers,
/// so that OpenMP's runtime does not see where one ends and the next begins.
void announce_sections(llvm::Module &module);

} // namespace farside
