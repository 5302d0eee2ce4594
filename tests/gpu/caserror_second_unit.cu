// A second translation unit that includes CASerror.h: the test also checks that the two link.
#include "tests/gpu/caserror_payload.hpp"

namespace {

__global__ void report(CASError::MappedErrorType<CaserrorPayload> error, long long value) {
  report_first_error(error, [&](auto& payload) {
    for (int n = 0; n < 10; ++n) payload.value[n] = value + n;
    payload.file = __FILE__;
  });
}

}  // namespace

void report_elsewhere(CASError::MappedErrorType<CaserrorPayload>& error, long long value) {
  report<<<1, 1>>>(error, value);
  CASError::checkCuda(cudaDeviceSynchronize());
}

std::string string_elsewhere(const char* device_string) { return CASError::getDeviceString(device_string); }
