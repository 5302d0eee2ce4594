// Declarations shared by the two translation units of the CASerror test.
#pragma once

#include <CASerror.h>

#include <string>

/// Ten numbers, each `value` plus its index, so that a reader can tell whether one writer wrote them all.
struct CaserrorPayload {
  long long value[10];
  const char* file;
};

// Defined in caserror_second_unit.cu.
void report_elsewhere(CASError::MappedErrorType<CaserrorPayload>& error, long long value);
std::string string_elsewhere(const char* device_string);
