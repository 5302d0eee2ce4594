// The driver API call that CASerror.h names.
#pragma once

#include <cstddef>

using CUdeviceptr = unsigned long long;
enum CUresult { CUDA_SUCCESS };
CUresult cuMemGetAddressRange(CUdeviceptr* begin, std::size_t* bytes, CUdeviceptr address);
