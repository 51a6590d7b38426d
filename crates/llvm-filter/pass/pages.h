// What is left of the callbacks is called only if a page is watched, which is asked in place.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace farside {

/// Puts a look at the table of pages around callbacks, several of one block together. Whether anything changed.
///
/// `__farside_page_table[(address >> 12) & __farside_page_mask] & 0x7f` is 0 exactly if the callback would return at once.
bool check_pages(llvm::Function &function, llvm::LoopInfo &loops);

} // namespace farside
