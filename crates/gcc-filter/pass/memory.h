// Memory whose address nobody outside can know: its accesses meet neither window memory nor an origin buffer.
#pragma once

#include "callbacks.h"

namespace farside {

/// Notes which variables of the module are private. Call when all functions of the module are known, before the
/// sanitizer is at work.
void note_private_variables();

/// Takes out callbacks of private memory: of variables whose address never leaves the module, and of memory that was
/// allocated in this function and whose address does not leave it. The sanitizer itself does so with local variables.
void leave_out_private_memory();

/// Copies and fillings of memory become calls of callbacks that do and announce them: the compiler would expand them in
/// place, later and unseen. Those of private memory stay.
void announce_copies();

} // namespace farside
