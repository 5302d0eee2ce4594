// Includes IntKernel.h under the file name that programs of 2012 use.
#pragma once

#include "IntKernel.h"
