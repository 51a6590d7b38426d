// Which loads and stores the thread sanitizer is to announce.
#pragma once

#include <llvm/IR/Function.h>

namespace farside {

/// Takes accesses away from the sanitizer that can meet neither window memory nor an origin buffer: nobody outside the
/// module (variables) or the function (allocated memory) can know the address.
void leave_out_private_memory(llvm::Function &function);

/// Announces what the sanitizer overlooks: accesses whose size it has no callback for, such as vectors of 32 bytes, and
/// those to parts of local variables whose address others know.
void announce_overlooked(llvm::Function &function);

} // namespace farside
