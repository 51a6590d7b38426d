/* The shared object of layer.h. */
#define WITH_BODIES
#include "layer.h"
