//! The exported functions, made of the table: each hands its arguments, with its own name, to a handler.
//!
//! Every function is exported twice, as `shmem_X` and as `pshmem_X` (OpenSHMEM 1.5 chapter 10, profiling), so that a
//! tool can define the one and call the other. No function of this library calls another exported one. A panic in a
//! handler ends the process at the `extern "C"` boundary: nothing unwinds into the caller.

use crate::call::Call;
use crate::element::{Bits, ComplexDouble, ComplexFloat, LongDouble};
use crate::handle::{Ctx, Team};
use crate::table::{shmem_table, type_sets};
use crate::teams::TeamConfig;
use crate::{
    active_set, amo, collective, contexts, lock, meet, memory, order, reduce, rma, setup, signal, teams, wait,
};
use std::ffi::{c_char, c_int, c_long, c_void};

/// One function under one name.
macro_rules! export {
    ($name:expr, ($($lead:ident: $lead_type:ty),*), ($($argument:ident: $type:ty),*) -> $result:ty, $handler:path,
        ($($given:expr),*)) => {
        export! { @one $name, $name, ($($lead: $lead_type),*), ($($argument: $type),*) -> $result, $handler,
            ($($given),*) }
        export! { @one concat!("p", $name), $name, ($($lead: $lead_type),*), ($($argument: $type),*) -> $result,
            $handler, ($($given),*) }
    };
    (@one $symbol:expr, $name:expr, ($($lead:ident: $lead_type:ty),*), ($($argument:ident: $type:ty),*) -> $result:ty,
        $handler:path, ($($given:expr),*)) => {
        const _: () = {
            #[unsafe(export_name = $symbol)]
            #[allow(non_snake_case, clippy::unused_unit, reason = "names of the standard, and one macro for all")]
            unsafe extern "C" fn function($($lead: $lead_type,)* $($argument: $type),*) -> $result {
                // SAFETY: the caller keeps what the standard asks for: buffers are valid for their elements.
                unsafe { $handler(Call::new($name), $($given,)* $($argument),*) }
            }
        };
    };
}

/// The instances of a family for one type.
macro_rules! instance {
    ($name:tt $type:ty { typed ctx ($suffix:ident) $arguments:tt -> $result:ty = $handler:path }) => {
        const _: () = {
            type T = $type;
            export! { concat!("shmem_", stringify!($name), stringify!($suffix)), (), $arguments -> $result, $handler,
                (Ctx::DEFAULT) }
            export! { concat!("shmem_ctx_", stringify!($name), stringify!($suffix)), (ctx: Ctx), $arguments -> $result,
                $handler, (ctx) }
        };
    };
    ($name:tt $type:ty { typed ctxless ($suffix:ident) $arguments:tt -> $result:ty = $handler:path }) => {
        const _: () = {
            type T = $type;
            export! { concat!("shmem_", stringify!($name), stringify!($suffix)), (), $arguments -> $result, $handler,
                (Ctx::DEFAULT) }
        };
    };
    ($name:tt $type:ty { typed ($suffix:ident) $arguments:tt -> $result:ty = $handler:path }) => {
        const _: () = {
            type T = $type;
            export! { concat!("shmem_", stringify!($name), stringify!($suffix)), (), $arguments -> $result, $handler,
                () }
        };
    };
    ($name:tt $type:ty { sized ctx ($stem:ident $($suffix:ident)?) $arguments:tt -> $result:ty = $handler:path }) => {
        const _: () = {
            type T = $type;
            export! { concat!("shmem_", stringify!($stem), stringify!($name) $(, stringify!($suffix))?), (),
                $arguments -> $result, $handler, (Ctx::DEFAULT) }
            export! { concat!("shmem_ctx_", stringify!($stem), stringify!($name) $(, stringify!($suffix))?),
                (ctx: Ctx), $arguments -> $result, $handler, (ctx) }
        };
    };
    ($name:tt $type:ty { sized ($stem:ident $($suffix:ident)?) $arguments:tt -> $result:ty = $handler:path }) => {
        const _: () = {
            type T = $type;
            export! { concat!("shmem_", stringify!($stem), stringify!($name) $(, stringify!($suffix))?), (),
                $arguments -> $result, $handler, () }
        };
    };
}

/// A macro for each set of types, that makes the instances of a family.
macro_rules! sets {
    ($($set:ident { $($name:tt: $type:ty),* })*) => {
        $( sets! { @one $set { $($name: $type),* } } )*
    };
    (@one $set:ident { $($name:tt: $type:ty),* }) => {
        macro_rules! $set {
            ($line:tt) => { $( instance! { $name $type $line } )* };
        }
    };
}

/// The functions of each line.
macro_rules! functions {
    () => {};
    (plain ($name:ident) $arguments:tt -> $result:ty = $handler:path; $($rest:tt)*) => {
        export! { stringify!($name), (), $arguments -> $result, $handler, () }
        functions! { $($rest)* }
    };
    (foreign $set:ident ctx $name:tt $arguments:tt -> $result:ty = $handler:path; $($rest:tt)*) => {
        functions! { $($rest)* }
    };
    ($form:ident $set:ident $name:tt $arguments:tt -> $result:ty = $handler:path; $($rest:tt)*) => {
        $set! { { $form $name $arguments -> $result = $handler } }
        functions! { $($rest)* }
    };
    ($form:ident $set:ident $ctx:ident $name:tt $arguments:tt -> $result:ty = $handler:path; $($rest:tt)*) => {
        $set! { { $form $ctx $name $arguments -> $result = $handler } }
        functions! { $($rest)* }
    };
}

type_sets! { sets }
shmem_table! { functions }
