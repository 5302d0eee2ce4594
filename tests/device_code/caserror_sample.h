#pragma once

#include "CASerror.h"

struct RootError {
  int code;
  int line;
  int block;
  int thread;
  const char* file;
  int element;
};

int report(CASError::MappedErrorType<RootError>& error, cudaStream_t stream = 0);
bool other_ways(CASError::MappedErrorType<RootError>& error);
