// What the two translation units of the CASerror test share.
#pragma once

#include <CASerror.h>

#include <string>

/// Ten numbers that a reader can tell to be of one writer: each is `value` plus its index.
struct CaserrorPayload {
  long long value[10];
  const char* file;
};

// Defined in caserror_second_unit.cu.
void report_elsewhere(CASError::MappedErrorType<CaserrorPayload>& error, long long value);
std::string string_elsewhere(const char* device_string);
