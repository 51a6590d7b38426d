// The callbacks of GCC's thread sanitizer, as calls in GIMPLE, and the further ones that Farside's libraries have.
#pragma once

#include "gcc.h"

namespace farside {

/// A call of `__tsan_read8 (address)`, `__tsan_read_range (address, 32)` or their like: it announces one load or store
/// of the program.
struct Access {
    gcall *call;
    bool store;
    unsigned size;
    /// Whether the address is a multiple of the size, or of 8 if that is less.
    bool aligned;

    tree address() const { return gimple_call_arg(call, 0); }
};

/// The access that a statement announces, if it is such a call.
std::optional<Access> access_of(gimple *statement);

/// Whether a statement surely neither orders threads or processes, nor ends the function, nor changes what is watched.
/// A callback between two quiet statements may be moved past both: the accesses of one stretch between two
/// synchronisations are a set.
bool quiet(gimple *statement);

/// A run of accesses of `size` bytes at `base + i * stride + j * pitch`, for i < count and j < lines: what a call of
/// Farside's own callbacks announces. All are of [`word`]'s type.
struct RunArguments {
    tree base, count, stride, lines, pitch;
};

/// The type of addresses and numbers in callbacks.
inline tree word() { return long_unsigned_type_node; }

/// A call that records what of a run lies in watched memory.
gcall *announce_run(bool store, unsigned size, const RunArguments &run);

/// A question, with its answer in a new `int`: whether a page of the line `base + i * stride`, for i < count, may be
/// watched.
gcall *ask_line(unsigned size, const RunArguments &run);

/// The same callback once more, as one that reads and writes nothing that the program can.
gcall *calm_copy(const Access &access);

/// Takes a callback out.
void remove(gcall *call);

/// `__tsan_memcpy`, `__tsan_memmove`, `__tsan_memset`: they do what they are named after, and announce it.
tree copy_callback();
tree move_callback();
tree fill_callback();

/// The table of watched pages and the mask that fits it, as variables.
tree page_table();
tree page_mask();

/// The type of a page's byte, which aliases nothing of the program.
tree page_byte();

/// Makes what is built here known to GCC's garbage collector. Call once, when the plugin is loaded.
void keep_declarations(const char *plugin);

} // namespace farside
