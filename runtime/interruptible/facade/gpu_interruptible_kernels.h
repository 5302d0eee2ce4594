// The name under which programs of 2012 include the interface that IntKernel.h stands in for.
#pragma once

#include "IntKernel.h"
