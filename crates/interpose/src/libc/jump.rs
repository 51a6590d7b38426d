//! Exported names that show their arguments to an observer and then jump to the real function.

/// The integer arguments of a call, in order.
pub(super) type Arguments = [u64; 6];

/// `name => observer, first;`: exports `name`, whose observer is `unsafe extern "C" fn(&Arguments, usize)` (the
/// arguments and the return address), and which calls `first` until the real function is known.
macro_rules! observed {
    ($($name:ident => $observer:path, $first:path;)*) => {$(
        const _: () = {
            static REAL: crate::libc::forward::Real =
                crate::libc::forward::Real::new(concat!(stringify!($name), "\0"), $first as *const () as *mut _);

            #[unsafe(link_section = ".init_array")]
            #[used]
            static FIND: extern "C" fn() = {
                extern "C" fn find() {
                    REAL.find();
                }
                find
            };

            #[unsafe(naked)]
            #[cfg_attr(not(test), unsafe(no_mangle))]
            extern "C" fn $name() {
                std::arch::naked_asm!(
                    crate::machine::observe!(),
                    observing = sym crate::memory::OBSERVING,
                    own = sym crate::libc::caller::OWN_CODE,
                    depth = const crate::memory::slots::offset::DEPTH,
                    real = sym REAL,
                    observer = sym $observer,
                )
            }
        };
    )*};
}
pub(super) use observed;

/// As [`observed`], for functions that call nothing of the program and whose arguments are words, six at most: pages
/// that the guard opens for them are closed when they return.
#[cfg(target_arch = "x86_64")]
macro_rules! observed_leaf {
    ($($name:ident => $observer:path, $first:path;)*) => {$(
        const _: () = {
            static REAL: crate::libc::forward::Real =
                crate::libc::forward::Real::new(concat!(stringify!($name), "\0"), $first as *const () as *mut _);

            #[unsafe(link_section = ".init_array")]
            #[used]
            static FIND: extern "C" fn() = {
                extern "C" fn find() {
                    REAL.find();
                }
                find
            };

            #[unsafe(naked)]
            #[cfg_attr(not(test), unsafe(no_mangle))]
            extern "C" fn $name() {
                std::arch::naked_asm!(
                    crate::machine::observe_leaf!(),
                    observing = sym crate::memory::OBSERVING,
                    own = sym crate::libc::caller::OWN_CODE,
                    depth = const crate::memory::slots::offset::DEPTH,
                    held = const crate::memory::slots::offset::HELD,
                    may_hold = const crate::memory::slots::MAY_HOLD,
                    real = sym REAL,
                    observer = sym $observer,
                    let_go = sym crate::guard::let_go,
                )
            }
        };
    )*};
}
/// Nothing is guarded there.
#[cfg(not(target_arch = "x86_64"))]
pub(super) use observed as observed_leaf;
#[cfg(target_arch = "x86_64")]
pub(super) use observed_leaf;

/// As [`observed`], for functions with variable arguments; the observer is
/// `unsafe extern "C" fn(&RegisterArea, *const u64, usize)`: registers, arguments on the stack, return address.
macro_rules! observed_variadic {
    ($($name:ident => $observer:path;)*) => {$(
        const _: () = {
            static REAL: crate::libc::forward::Real = crate::libc::forward::Real::new(
                concat!(stringify!($name), "\0"),
                crate::libc::forward::find_first as *const () as *mut _,
            );

            #[unsafe(naked)]
            #[cfg_attr(not(test), unsafe(no_mangle))]
            extern "C" fn $name() {
                std::arch::naked_asm!(
                    crate::machine::observe_variadic!(),
                    observing = sym crate::memory::OBSERVING,
                    real = sym REAL,
                    observer = sym $observer,
                )
            }
        };
    )*};
}
pub(super) use observed_variadic;

/// `name => replacement;`: exports `name` with variable arguments, which `replacement`
/// (`unsafe extern "C" fn(&RegisterArea, *const u64, usize) -> i32`) performs.
macro_rules! replaced_variadic {
    ($($name:ident => $replacement:path;)*) => {$(
        #[unsafe(naked)]
        #[cfg_attr(not(test), unsafe(no_mangle))]
        extern "C" fn $name() {
            std::arch::naked_asm!(
                crate::machine::replace_variadic!(),
                replacement = sym $replacement,
            )
        }
    )*};
}
pub(super) use replaced_variadic;

/// `name, number => replacement;`: exports `name`, which `replacement` performs; it receives the return address as one
/// more argument, of this number.
macro_rules! replaced {
    ($($name:ident, $number:tt => $replacement:path;)*) => {$(
        #[unsafe(naked)]
        #[cfg_attr(not(test), unsafe(no_mangle))]
        extern "C" fn $name() {
            std::arch::naked_asm!(
                crate::machine::return_address_to!($number),
                crate::machine::go_on!(),
                to = sym $replacement,
            )
        }
    )*};
}
pub(super) use replaced;
