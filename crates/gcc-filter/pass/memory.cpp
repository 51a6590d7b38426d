#include "memory.h"

namespace farside {

/// By DECL_UID.
static hash_set<int_hash<unsigned, 0, ~0u>> *private_variables;

void note_private_variables() {
    delete private_variables;
    private_variables = new hash_set<int_hash<unsigned, 0, ~0u>>;
    varpool_node *node;
    FOR_EACH_DEFINED_VARIABLE(node) {
        tree variable = node->decl;
        if (TREE_PUBLIC(variable) || DECL_EXTERNAL(variable) || TREE_ADDRESSABLE(variable) || node->alias ||
            node->externally_visible || node->force_output || node->used_from_other_partition ||
            node->in_other_partition || DECL_PRESERVE_P(variable))
            continue;
        bool taken = false;
        ipa_ref *use = nullptr;
        for (unsigned number = 0; node->iterate_referring(number, use); number++)
            taken = taken || use->use == IPA_REF_ADDR || use->use == IPA_REF_ALIAS;
        if (!taken)
            private_variables->add(DECL_UID(variable));
    }
}

/// The variable, or the pointer, from which an address is computed.
static tree object(tree address) {
    for (unsigned steps = 0; steps < 32; steps++) {
        if (TREE_CODE(address) == ADDR_EXPR) {
            tree base = get_base_address(TREE_OPERAND(address, 0));
            if (!base || TREE_CODE(base) != MEM_REF)
                return base;
            address = TREE_OPERAND(base, 0);
            continue;
        }
        if (TREE_CODE(address) != SSA_NAME)
            return NULL_TREE;
        gimple *computed = SSA_NAME_DEF_STMT(address);
        if (!is_gimple_assign(computed))
            return address;
        switch (gimple_assign_rhs_code(computed)) {
        case ADDR_EXPR:
        case POINTER_PLUS_EXPR:
        case SSA_NAME:
            address = gimple_assign_rhs1(computed);
            break;
        default:
            return address;
        }
    }
    return address;
}

/// Whether the address of a local variable may be known outside, as the sanitizer asks it.
static bool may_escape(tree variable) {
    pt_solution escaped = {};
    escaped.escaped = 1;
    escaped.ipa_escaped = flag_ipa_pta != 0;
    return pt_solution_includes(&escaped, variable) && may_be_aliased(variable);
}

static bool is_private(tree object) {
    if (!object)
        return false;
    if (VAR_P(object) && is_global_var(object))
        return private_variables && private_variables->contains(DECL_UID(object));
    if (DECL_P(object))
        return !may_escape(object);
    if (TREE_CODE(object) != SSA_NAME || !POINTER_TYPE_P(TREE_TYPE(object)))
        return false;
    const ptr_info_def *known = SSA_NAME_PTR_INFO(object);
    return known && known->pt.vars && !bitmap_empty_p(known->pt.vars) && !known->pt.anything && !known->pt.nonlocal &&
           !known->pt.escaped && !known->pt.ipa_escaped && !known->pt.vars_contains_nonlocal &&
           !known->pt.vars_contains_escaped && !known->pt.vars_contains_escaped_heap;
}

void announce_copies() {
    basic_block block;
    FOR_EACH_BB_FN(block, cfun)
        for (auto place = gsi_start_bb(block); !gsi_end_p(place); gsi_next(&place)) {
            if (!gimple_call_builtin_p(gsi_stmt(place), BUILT_IN_NORMAL))
                continue;
            auto *call = as_a<gcall *>(gsi_stmt(place));
            const built_in_function function = DECL_FUNCTION_CODE(gimple_call_fndecl(call));
            const bool from_private =
                function == BUILT_IN_MEMSET ||
                ((function == BUILT_IN_MEMCPY || function == BUILT_IN_MEMMOVE) &&
                 is_private(object(gimple_call_arg(call, 1))));
            if (from_private && is_private(object(gimple_call_arg(call, 0))))
                continue;
            tree callback = function == BUILT_IN_MEMCPY    ? copy_callback()
                            : function == BUILT_IN_MEMMOVE ? move_callback()
                            : function == BUILT_IN_MEMSET  ? fill_callback()
                                                           : NULL_TREE;
            if (callback) {
                gimple_call_set_fndecl(call, callback);
                gimple_call_set_fntype(call, TREE_TYPE(callback));
                update_stmt(call);
            }
        }
}

void leave_out_private_memory() {
    basic_block block;
    FOR_EACH_BB_FN(block, cfun) {
        for (auto place = gsi_start_bb(block); !gsi_end_p(place);) {
            std::optional<Access> access = access_of(gsi_stmt(place));
            gsi_next(&place);
            if (access && is_private(object(access->address())))
                remove(access->call);
        }
    }
}

} // namespace farside
