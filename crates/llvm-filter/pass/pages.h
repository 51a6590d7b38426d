// What is left of the callbacks is called only if a page is watched, which is asked in place.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace farside {

/// What is known of loops, where functions are optimised.
struct LoopBounds {
    llvm::ScalarEvolution &evolution;
    llvm::TargetTransformInfo &target;
};

/// Puts a look at the table of pages around callbacks, several of one block together. Whether anything changed.
///
/// `__farside_page_table[(address >> 12) & __farside_page_mask] & 0x7f` is 0 exactly if the callback would return at
/// once. With `bounds`, a loop asks before its first round whether any address that a callback in it can have is
/// watched; if none is, its rounds do not look.
bool check_pages(llvm::Function &function, llvm::LoopInfo &loops, LoopBounds *bounds);

} // namespace farside
