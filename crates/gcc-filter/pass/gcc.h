// GCC's headers, in the order that they need.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gcc-plugin.h>

#include <tree.h>

#include <gimple.h>

#include <tree-pass.h>

#include <ssa.h>

#include <stringpool.h>

#include <attribs.h>

#include <asan.h>
#include <builtins.h>
#include <cfgloop.h>
#include <cgraph.h>
#include <context.h>
#include <fold-const.h>
#include <gimple-fold.h>
#include <gimple-iterator.h>
#include <gimplify.h>

#include <gimplify-me.h>
#include <plugin-version.h>
#include <tree-cfg.h>
#include <tree-chrec.h>
#include <tree-eh.h>
#include <tree-into-ssa.h>
#include <tree-scalar-evolution.h>
#include <tree-ssa-loop-ivopts.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-loop.h>
