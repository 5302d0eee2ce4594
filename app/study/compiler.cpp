#include "app/study/compiler.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <regex>
#include <span>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "app/base/embedded.hpp"
#include "app/base/process.hpp"
#include "halfstep_version.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/crc64.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<fs::path> places_on_path(const std::string& program) {
  std::vector<fs::path> places;
  std::istringstream path(environment("PATH"));
  for (std::string directory; std::getline(path, directory, ':');)
    places.push_back(fs::path(directory) / program);
  return places;
}

/// Returns the first that can be run; "" if none can.
fs::path first_program(const std::vector<fs::path>& candidates) {
  for (const fs::path& candidate : candidates)
    if (!candidate.empty() && ::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate))
      return candidate;
  return {};
}

fs::path find_nvcc() {
  std::vector<fs::path> candidates = places_on_path("nvcc");
  candidates.insert(candidates.begin(), environment("CUDACXX"));
  candidates.insert(candidates.end(),
                    {HALFSTEP_NVCC, "/usr/local/cuda/bin/nvcc"});  // the last: where CUDA's packages put it
  const fs::path nvcc = first_program(candidates);
  if (nvcc.empty())
    throw std::runtime_error(
        "nvcc was not found: kernels are compiled on this machine; put it on the PATH or set CUDACXX");
  return nvcc;
}

std::string hash_of(const std::string& text) {
  Crc64 crc;
  crc.add(std::as_bytes(std::span(text)));
  return fmt::format("{:016x}", crc.value());
}

void make_cache_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    throw std::runtime_error(
        fmt::format("cannot create '{}', a cache of kernels: {}; HALFSTEP_CACHE names another place",
                    directory.string(), error.message()));
}

/// Returns a file name unique to the calling thread: others may write the same file at the same time.
std::string own_name(const fs::path& file) {
  const auto thread = std::hash<std::thread::id>{}(std::this_thread::get_id());
  return fmt::format("{}.{}.{}", file.string(), ::getpid(), thread);
}

/// Writes a file under another name and renames it, so that nobody reads half a file.
void put_file(const fs::path& file, const std::string& text) {
  const std::string own = own_name(file);
  write_file(own, text);
  fs::rename(own, file);
}

}  // namespace

std::vector<KernelResources> parse_ptxas(const std::string& report) {
  static const std::regex entry(R"(Compiling entry function '(\w+)')"),
      properties(R"(Function properties for (\w+))"),
      memory(R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)"),
      used(R"(Used (\d+) registers)"), shared(R"((\d+) bytes smem)");
  std::vector<KernelResources> kernels;
  std::istringstream lines(report);
  std::smatch found;
  bool of_entry = false;  // ptxas also reports functions that kernels call, after each kernel
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, entry)) {
      kernels.push_back({.name = found[1]});
    } else if (kernels.empty()) {
      continue;
    } else if (std::regex_search(line, found, properties)) {
      of_entry = found[1] == kernels.back().name;
    } else if (of_entry && std::regex_search(line, found, memory)) {
      kernels.back().stack_bytes = std::stoi(found[1]);
      kernels.back().spill_stores = std::stoi(found[2]);
      kernels.back().spill_loads = std::stoi(found[3]);
    } else if (std::regex_search(line, found, used)) {
      kernels.back().registers = std::stoi(found[1]);
      if (std::regex_search(line, found, shared)) kernels.back().shared_bytes = std::stoi(found[1]);
    }
  }
  return kernels;
}

const KernelResources& CompiledKernels::of(const std::string& name) const {
  const auto found = std::find_if(resources.begin(), resources.end(),
                                  [&](const auto& kernel) { return kernel.name == name; });
  if (found == resources.end()) throw std::logic_error("no kernel " + name + " in " + cubin.string());
  return *found;
}

fs::path KernelCompiler::cache_directory() {
  if (const std::string own = environment("HALFSTEP_CACHE"); !own.empty()) return own;
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty())
    return fs::path(cache) / "halfstep";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache/halfstep";
  return fs::temp_directory_path() / fmt::format("halfstep-{}", ::getuid());
}

std::string KernelCompiler::sources_hash() {
  std::string sources = HALFSTEP_STRICT_FP ? "strict" : "fast";
  for (const EmbeddedFile& file : embedded_files())
    if (is_header(file)) sources.append(file.path).append(file.text);
  return hash_of(sources);
}

KernelCompiler::KernelCompiler() : nvcc_(find_nvcc()) {
  const ProcessResult told = run_process({nvcc_.string(), "--version"});
  const std::regex release(R"(release (\d+\.\d+))");
  std::smatch found;
  if (!std::regex_search(told.output, found, release))
    throw std::runtime_error(fmt::format("'{} --version' does not tell its release", nvcc_.string()));
  version_ = found[1];

  includes_ = cache_directory() / "sources" / sources_hash();
  for (const EmbeddedFile& file : embedded_files()) {
    if (!is_header(file)) continue;
    const fs::path place = includes_ / file.path;
    make_cache_directory(place.parent_path());
    if (!fs::exists(place)) put_file(place, std::string(file.text));
  }
}

CompileError::CompileError(const std::string& architecture, const std::string& nvcc)
    : runtime_error(fmt::format("nvcc could not compile a kernel for {}:\n{}", architecture, nvcc)),
      messages(nvcc) {}

KernelCompiler::Output KernelCompiler::make(const std::string& source, std::vector<std::string> words,
                                            const std::string& architecture,
                                            const std::string& suffix) const {
  words.push_back("-arch=" + architecture);
  words.push_back("-I" + includes_.string());
  std::string key = version_ + source;
  for (const std::string& word : words) key += ' ' + word;
  for (const char* more : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"}) key += ' ' + environment(more);
  const fs::path kernels = cache_directory() / "kernels";
  std::error_code error;
  make_cache_directory(kernels);
  const fs::path stem = kernels / hash_of(key);
  const fs::path made = stem.string() + suffix, report = stem.string() + ".txt";
  if (!fs::exists(report) || !fs::exists(made)) {
    const std::string own = own_name(stem);
    write_file(own + ".cu", source);
    words.insert(words.end(), {"-o", own + suffix, own + ".cu"});
    words.insert(words.begin(), nvcc_.string());
    const ProcessResult compiled = run_process(words);
    fs::remove(own + ".cu");
    if (compiled.status != 0) {
      fs::remove(own + suffix, error);
      throw CompileError(architecture, compiled.output);
    }
    fs::rename(own + suffix, made);
    put_file(report, compiled.output);  // last: its presence shows that both files are complete
  }
  return {made, contents(report)};
}

CompiledKernels KernelCompiler::compile(const std::string& source, const std::string& architecture) const {
  std::vector<std::string> words = {
      "-std=c++20", "--expt-relaxed-constexpr", "--fmad=false", "-O3", "-cubin", "-Xptxas", "-v"};
  if (HALFSTEP_STRICT_FP) words.push_back("-DHALFSTEP_STRICT_FP=1");
  const Output made = make(source, words, architecture, ".cubin");
  return {made.file, parse_ptxas(made.report)};
}

std::vector<std::string> KernelCompiler::user_words() const {
  return {"-std=c++20", "-I" + (includes_ / "app/study/include").string(),
          "-I" + (includes_ / "runtime/soft_error/facade").string()};
}

CompiledKernels KernelCompiler::compile_user_source(const std::string& source,
                                                    const std::string& architecture, int cap) const {
  std::vector<std::string> words = user_words();
  words.insert(words.end(), {"-cubin", "-Xptxas", "-v", "-lineinfo"});  // which leaves the code as it is
  if (cap > 0) words.push_back(fmt::format("-maxrregcount={}", cap));
  const Output made = make(source, words, architecture, ".cubin");
  return {made.file, parse_ptxas(made.report)};
}

fs::path KernelCompiler::build_library(const std::string& source, const std::string& architecture,
                                       int cap) const {
  std::vector<std::string> words = user_words();
  // Several such files are loaded at once: each has its own copy of what they define alike. -O2 is for the
  // host's code, which makes the data.
  words.insert(words.end(), {"-O2", "-shared", "-Xcompiler=-fPIC,-fno-gnu-unique"});
  if (cap > 0) words.push_back(fmt::format("-maxrregcount={}", cap));
  return make(source, words, architecture, ".so").file;
}

ProcessResult KernelCompiler::run_on_user_source(const std::vector<std::string>& words) const {
  std::vector<std::string> all = user_words();
  all.insert(all.begin(), nvcc_.string());
  all.push_back("-I" + includes_.string());
  all.insert(all.end(), words.begin(), words.end());
  return run_process(all);
}

fs::path KernelCompiler::nvdisasm() const {
  std::vector<fs::path> candidates = places_on_path("nvdisasm");
  candidates.insert(candidates.begin(), fs::canonical(nvcc_).parent_path() / "nvdisasm");
  candidates.push_back("/usr/local/cuda/bin/nvdisasm");
  return first_program(candidates);
}

std::vector<std::string> KernelCompiler::architectures() const {
  std::istringstream lines(run_process({nvcc_.string(), "--list-gpu-code"}).output);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("sm_")) all.push_back(line);
  return all;
}

}  // namespace halfstep
