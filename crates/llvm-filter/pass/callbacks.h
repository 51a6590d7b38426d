// The callbacks of LLVM's thread sanitizer, as calls in the IR, and the further ones that Farside's libraries have.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <optional>

namespace farside {

/// A call of `__tsan_read8(address)`, `__tsan_read_range(address, 32)` or their like: it announces one load or store of
/// the program.
struct Access {
    llvm::CallInst *call;
    bool store;
    unsigned size;

    llvm::Value *address() const { return call->getArgOperand(0); }
};

/// The access that an instruction announces, if it is such a call.
std::optional<Access> access_of(llvm::Instruction &instruction);

/// Whether an instruction surely neither orders threads or processes, nor ends the function, nor changes what is
/// watched. A callback between two quiet instructions may be moved past both: the accesses of one stretch between two
/// synchronisations are a set.
bool quiet(llvm::Instruction &instruction);

/// A run of accesses of `size` bytes at `base + i * stride + j * pitch`, for i < count and j < lines: what a call of
/// Farside's own callbacks announces.
struct RunArguments {
    llvm::Value *base, *count, *stride, *lines, *pitch;
};

/// Puts in a call that records what of a run lies in watched memory.
llvm::CallInst *announce_run(llvm::IRBuilderBase &builder, bool store, unsigned size, const RunArguments &run);

/// Puts in a question: whether a page of the line `base + i * stride`, for i < count, may be watched.
llvm::Value *ask_line(llvm::IRBuilderBase &builder, unsigned size, const RunArguments &run);

/// Says of a callback what the optimiser cannot know: it reads and writes nothing that the program can, and it returns.
void calm(llvm::CallInst &call);

} // namespace farside
