//! Functions by their names, and what a name says besides: the type of the elements, the operator of a reduction.

use super::*;
use farside_events::AccumulateOp;
use std::collections::HashMap;
use std::sync::LazyLock;

static BY_NAME: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    macro_rules! each {
        ($name:expr, $meaning:expr, $size:expr, $class:ident, $context:expr, $words:expr) => {
            let element = Element {
                size: $size,
                class: Class::$class,
            };
            all.insert(
                $name,
                Function::new($name, $meaning, element, $context, $words),
            );
        };
    }
    crate::functions_of_openshmem!(each);
    all
});

/// The function of a C name; `None` if the table has none.
#[must_use]
pub fn of_name(name: &str) -> Option<&'static Function> {
    BY_NAME.get(name)
}

impl Function {
    /// The type of its elements as it stands in its name (`int`, `complexd`), or the first word of a name without one
    /// (OpenSHMEM 1.5, tables 3 to 11).
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        let name = self.name();
        let rest = name
            .strip_prefix("shmem_ctx_")
            .or_else(|| name.strip_prefix("shmem_"));
        rest.and_then(|rest| rest.split('_').next()).unwrap_or(name)
    }

    /// Whether its elements are integers without a sign. A signal is one (OpenSHMEM 1.5 §9.8).
    #[must_use]
    pub fn is_unsigned(&self) -> bool {
        matches!(
            self.type_name(),
            "uchar"
                | "ushort"
                | "uint"
                | "ulong"
                | "ulonglong"
                | "uint8"
                | "uint16"
                | "uint32"
                | "uint64"
                | "size"
                | "signal"
        )
    }

    /// What a reduction makes of two elements (OpenSHMEM 1.5 §9.9.11); `None` of other functions.
    #[must_use]
    pub fn operator(&self) -> Option<AccumulateOp> {
        let name = self.name();
        let rest = name
            .strip_suffix("_to_all")
            .or_else(|| name.strip_suffix("_reduce"))?;
        Some(match rest.rsplit_once('_')?.1 {
            "and" => AccumulateOp::Band,
            "or" => AccumulateOp::Bor,
            "xor" => AccumulateOp::Bxor,
            "min" => AccumulateOp::Min,
            "max" => AccumulateOp::Max,
            "sum" => AccumulateOp::Sum,
            "prod" => AccumulateOp::Prod,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_the_type_and_the_operator() {
        let of = |name: &str| of_name(name).expect("the table has it");
        assert_eq!(of("shmem_ctx_uint_p").type_name(), "uint");
        assert!(of("shmem_ctx_uint_p").is_unsigned() && !of("shmem_int_p").is_unsigned());
        assert!(of("shmem_signal_wait_until").is_unsigned() && !of("shmem_wait_until").is_unsigned());
        assert_eq!(
            of("shmem_complexd_prod_to_all").operator(),
            Some(AccumulateOp::Prod)
        );
        assert_eq!(of("shmem_ulong_max_reduce").operator(), Some(AccumulateOp::Max));
        assert_eq!(of("shmem_int_put").operator(), None);
        assert!(of_name("shmem_my_pe").is_none());
        let every_reduction_has_one = BY_NAME.values().all(|function| {
            let reduces = matches!(
                function.meaning(),
                Meaning::Collective(Collective::Reduce) | Meaning::TeamCollective(Collective::Reduce)
            );
            reduces == function.operator().is_some()
        });
        assert!(every_reduction_has_one);
    }
}
