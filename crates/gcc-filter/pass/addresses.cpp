#include "addresses.h"

#include <algorithm>

namespace farside {

/// Definitions that are looked through: a longer sum only is a term of its own.
static constexpr unsigned DEEP = 12;
static constexpr unsigned BITS = 64;

/// An operation and its operands, of an expression or of the statement that computes a name.
struct Operation {
    tree_code code;
    tree first, second;
};

static std::optional<Operation> operation(tree value) {
    if (TREE_CODE(value) == SSA_NAME) {
        gimple *computed = SSA_NAME_DEF_STMT(value);
        if (!is_gimple_assign(computed) || gimple_num_ops(computed) > 3)
            return std::nullopt;
        return Operation{gimple_assign_rhs_code(computed), gimple_assign_rhs1(computed), gimple_assign_rhs2(computed)};
    }
    if (!EXPR_P(value) || TREE_OPERAND_LENGTH(value) > 2 || TREE_OPERAND_LENGTH(value) == 0)
        return std::nullopt;
    return Operation{TREE_CODE(value), TREE_OPERAND(value, 0),
                     TREE_OPERAND_LENGTH(value) == 2 ? TREE_OPERAND(value, 1) : NULL_TREE};
}

static bool is_number(tree type) { return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type); }

void Sum::add_term(tree value, uint64_t factor) {
    for (Term &term : terms)
        if (term.value == value) {
            term.factor += factor;
            return;
        }
    terms.push_back({value, factor});
}

void Sum::add_object(tree reference, uint64_t factor, unsigned depth) {
    poly_int64 size, bits;
    tree offset;
    machine_mode mode;
    int is_unsigned, reversed, is_volatile;
    tree base = get_inner_reference(reference, &size, &bits, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
    HOST_WIDE_INT place;
    if (!bits.is_constant(&place) || place % BITS_PER_UNIT != 0) {
        add_term(reference, factor);
        return;
    }
    constant += factor * uint64_t(place / BITS_PER_UNIT);
    if (offset)
        add(offset, factor, depth);
    if (TREE_CODE(base) == MEM_REF) {
        constant += factor * uint64_t(mem_ref_offset(base).force_shwi().to_constant());
        add(TREE_OPERAND(base, 0), factor, depth);
    } else {
        add_term(base, factor);
    }
}

void Sum::add(tree value, uint64_t factor, unsigned depth) {
    tree type = TREE_TYPE(value);
    if (TREE_CODE(value) == INTEGER_CST && tree_fits_shwi_p(fold_convert(ssizetype, value))) {
        constant += factor * uint64_t(wi::to_widest(value).to_shwi());
        return;
    }
    if (TREE_CODE(value) == ADDR_EXPR)
        return add_object(TREE_OPERAND(value, 0), factor, depth);
    std::optional<Operation> found = depth < DEEP ? operation(value) : std::nullopt;
    // Narrow numbers are widened after the operation: the same as before it, if it cannot overflow.
    if (!found || !is_number(type) || TYPE_PRECISION(type) > BITS ||
        (TYPE_PRECISION(type) < BITS && !TYPE_OVERFLOW_UNDEFINED(type)))
        return add_term(value, factor);
    auto [code, first, second] = *found;
    depth++;
    switch (code) {
    case ADDR_EXPR:
        return add(first, factor, depth);
    case SSA_NAME:
        return add(first, factor, depth);
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
        add(first, factor, depth);
        return add(second, factor, depth);
    case MINUS_EXPR:
        add(first, factor, depth);
        return add(second, -factor, depth);
    case NEGATE_EXPR:
        return add(first, -factor, depth);
    case MULT_EXPR:
        if (TREE_CODE(second) == INTEGER_CST)
            return add(first, factor * uint64_t(wi::to_widest(second).to_shwi()), depth);
        return add_term(value, factor);
    CASE_CONVERT:
        // From 64 bits to 64, or a number that is widened to them; not one that is cut off or widened twice.
        if (TYPE_PRECISION(type) == BITS && is_number(TREE_TYPE(first)) &&
            TYPE_PRECISION(TREE_TYPE(first)) <= BITS)
            return add(first, factor, depth);
        return add_term(value, factor);
    default:
        return add_term(value, factor);
    }
}

Sum Sum::of(tree address) {
    Sum sum;
    sum.add(address, 1, 0);
    sum.terms.erase(std::remove_if(sum.terms.begin(), sum.terms.end(),
                                   [](const Term &term) { return term.factor == 0; }),
                    sum.terms.end());
    return sum;
}

bool Sum::same_terms(const Sum &other) const {
    auto in_other = [&](const Term &term) {
        return std::any_of(other.terms.begin(), other.terms.end(), [&](const Term &each) {
            return each.value == term.value && each.factor == term.factor;
        });
    };
    return terms.size() == other.terms.size() && std::all_of(terms.begin(), terms.end(), in_other);
}

} // namespace farside
