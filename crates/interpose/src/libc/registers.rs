//! Saving and restoring the argument registers, in assembly.

/// Stores the argument registers at `rsp` as the register save area of the System V ABI (3.5.7).
macro_rules! save_registers {
    () => {
        "mov qword ptr [rsp], rdi
         mov qword ptr [rsp + 8], rsi
         mov qword ptr [rsp + 16], rdx
         mov qword ptr [rsp + 24], rcx
         mov qword ptr [rsp + 32], r8
         mov qword ptr [rsp + 40], r9
         test al, al
         je 3f
         movaps xmmword ptr [rsp + 48], xmm0
         movaps xmmword ptr [rsp + 64], xmm1
         movaps xmmword ptr [rsp + 80], xmm2
         movaps xmmword ptr [rsp + 96], xmm3
         movaps xmmword ptr [rsp + 112], xmm4
         movaps xmmword ptr [rsp + 128], xmm5
         movaps xmmword ptr [rsp + 144], xmm6
         movaps xmmword ptr [rsp + 160], xmm7
      3:"
    };
}
pub(super) use save_registers;

/// The reverse of [`save_registers`].
macro_rules! restore_registers {
    () => {
        "mov rdi, qword ptr [rsp]
         mov rsi, qword ptr [rsp + 8]
         mov rdx, qword ptr [rsp + 16]
         mov rcx, qword ptr [rsp + 24]
         mov r8, qword ptr [rsp + 32]
         mov r9, qword ptr [rsp + 40]
         test al, al
         je 4f
         movaps xmm0, xmmword ptr [rsp + 48]
         movaps xmm1, xmmword ptr [rsp + 64]
         movaps xmm2, xmmword ptr [rsp + 80]
         movaps xmm3, xmmword ptr [rsp + 96]
         movaps xmm4, xmmword ptr [rsp + 112]
         movaps xmm5, xmmword ptr [rsp + 128]
         movaps xmm6, xmmword ptr [rsp + 144]
         movaps xmm7, xmmword ptr [rsp + 160]
      4:"
    };
}
pub(super) use restore_registers;
