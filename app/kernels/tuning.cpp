#include "app/kernels/tuning.hpp"

#include <fmt/format.h>

#include <deque>
#include <fstream>
#include <utility>

#include "app/base/json.hpp"
#include "app/base/scheme_names.hpp"
#include "app/kernels/compiler.hpp"
#include "app/kernels/library.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

/// Returns a device's name as part of a file name.
std::string slug(const std::string& device) {
  std::string text;
  for (const char c : device) text += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return text;
}

std::string current_device() {
  const std::vector<std::string> devices = cuda_devices();
  return devices.empty() ? "none" : devices.front();
}

}  // namespace

std::filesystem::path tuning_file() {
  return KernelCompiler::cache_directory() / ("tuning-" + slug(current_device()) + ".json");
}

void write_tuning(const Tuning& tuning) {
  Json kernels = Json::object();
  for (const auto& [name, kernel] : tuning.kernels)
    kernels[name] = {{"cubin", kernel.cubin.string()},
                     {"function", kernel.function},
                     {"threads", kernel.threads},
                     {"registers", kernel.registers},
                     {"ratio", kernel.ratio}};
  const Json json = {{"device", tuning.device},
                     {"architecture", tuning.architecture},
                     {"sources", tuning.sources},
                     {"kernels", std::move(kernels)}};
  const std::filesystem::path file = tuning_file();
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) throw_system_error("create", file.parent_path(), error.value());
  write_file(file, json_text(json, 2) + '\n');
}

std::optional<Tuning> read_tuning(std::string* remark) {
  const auto explain = [&](const std::string& text) {
    if (remark) *remark = text;
  };
  const std::filesystem::path file = tuning_file();
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  Tuning tuning;
  try {
    const Json json = parse_json(stream);
    tuning.device = json.at("device");
    tuning.architecture = json.at("architecture");
    tuning.sources = json.at("sources");
    for (const auto& [name, kernel] : json.at("kernels").items())
      tuning.kernels[name] = {.cubin = kernel.at("cubin").get<std::string>(),
                              .function = kernel.at("function"),
                              .threads = kernel.at("threads"),
                              .registers = kernel.at("registers"),
                              .ratio = kernel.at("ratio")};
  } catch (const Json::exception&) {
    explain(fmt::format("'{}' is damaged and not used: run 'halfstep study tune' again", file.string()));
    return Tuning{};
  }
  if (tuning.device != current_device() || tuning.sources != KernelCompiler::sources_hash()) {
    explain(fmt::format("'{}' is of another build of halfstep and not used: run 'halfstep study tune' again",
                        file.string()));
    tuning.kernels.clear();
  }
  return tuning;
}

std::optional<StageVariant> tuned_stage(const Problem& problem) {
  if (problem.has_reactant || problem.scheme.positivity != Positivity::none || problem.mesh.dimensions() < 3)
    return std::nullopt;
  static const std::optional<Tuning> tuning = read_tuning();
  if (!tuning) return std::nullopt;
  const auto found = tuning->kernels.find(kernel_name(problem.scheme));
  if (found == tuning->kernels.end() || !std::filesystem::exists(found->second.cubin)) return std::nullopt;
  static std::deque<KernelLibrary> loaded;
  const TunedKernel& kernel = found->second;
  try {
    KernelLibrary library(kernel.cubin);
    const StageVariant variant{library.kernel(kernel.function), kernel.threads};
    loaded.push_back(std::move(library));
    return variant;
  } catch (const std::exception&) {
    return std::nullopt;  // damaged, or for a newer driver: use the program's own kernel
  }
}

}  // namespace halfstep
