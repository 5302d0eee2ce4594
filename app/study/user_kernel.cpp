#include "app/study/user_kernel.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <regex>
#include <span>
#include <sstream>

#include "app/base/exit_codes.hpp"
#include "app/base/temporary_directory.hpp"
#include "app/deck/nearest.hpp"
#include "runtime/checkpoint/crc64.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : symbol;
}

/// Removes what stands in brackets: "flow::step<double>" becomes "flow::step".
std::string without_arguments(const std::string& name) { return name.substr(0, name.find('<')); }

/// Returns the names as they are written most shortly: "step".
std::vector<std::string> last_parts(std::vector<std::string> names) {
  for (std::string& name : names) {
    name = without_arguments(name);
    if (const std::size_t end = name.rfind("::"); end != std::string::npos) name.erase(0, end + 2);
  }
  return names;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Whether `name` is `full` or its end after a "::".
bool names(const std::string& name, const std::string& full) {
  const std::string part = without_spaces(name), whole = without_spaces(full);
  return whole == part || whole.ends_with("::" + part);
}

/// Returns how to name one of several kernels that a name means.
std::string how_to_tell_apart(const std::vector<std::string>& names) {
  if (std::count(names.begin(), names.end(), names[0]) > 1)
    return "overloads have one name: rename all but one";
  return fmt::format("say one in full: {}", fmt::join(names, ", "));
}

/// Throws UsageError if the kernel's last parameter is no Reporter. The name of an extern "C" one does not
/// tell.
void expect_reporter(const std::string& symbol, const std::string& file) {
  const std::string kernel = demangled(symbol);
  if (kernel.ends_with(')') && !kernel.ends_with("halfstep::study::Reporter)"))
    throw UsageError(fmt::format("the kernel '{}' in '{}' does not end with the parameter of a report",
                                 kernel_name_of(symbol), file),
                     "its last parameter must be: halfstep::study::Reporter reporter");
}

/// Returns a hash of the files that a makefile's rule names after its colon. A space in a name follows a
/// backslash.
std::string hash_of_dependencies(const std::string& rule) {
  static const std::regex name(R"((?:[^\s\\]|\\.)+)"), escaped_space(R"(\\ )");
  Crc64 crc;
  for (std::sregex_iterator file(rule.begin() + static_cast<std::ptrdiff_t>(rule.find(':') + 1), rule.end(),
                                 name);
       file != std::sregex_iterator(); ++file) {
    const std::string text = contents(std::regex_replace(file->str(), escaped_space, " "));
    crc.add(std::as_bytes(std::span(text)));
  }
  return fmt::format("{:016x}", crc.value());
}

std::pair<fs::path, std::string> split(const std::string& place) {
  const std::size_t end = place.find(".cu:");
  if (end == std::string::npos || end + 4 == place.size())
    throw UsageError(place.empty() ? "the study 'kernel' needs FILE.cu:NAME"
                                   : fmt::format("'{}' is not FILE.cu:NAME", place),
                     "for example: halfstep study kernel forces.cu:lennard_jones");
  const fs::path file = place.substr(0, end + 3);
  if (!fs::is_regular_file(file)) throw UsageError(fmt::format("there is no file '{}'", file.string()), "");
  if (fs::absolute(file).string().find('"') != std::string::npos)
    throw UsageError(fmt::format("'{}' cannot be included: its path has a quotation mark", file.string()),
                     "rename it");
  return {fs::absolute(file), place.substr(end + 4)};
}

}  // namespace

std::string kernel_name_of(const std::string& symbol) {
  std::string name = demangled(symbol);
  for (const std::string unnamed = "(anonymous namespace)::"; name.find(unnamed) != std::string::npos;)
    name.erase(name.find(unnamed), unnamed.size());
  int depth = 0;  // in brackets of template arguments
  std::size_t begin = 0;
  for (std::size_t n = 0; n < name.size(); ++n) {
    if (name[n] == '<') ++depth;
    if (name[n] == '>') --depth;
    if (depth > 0) continue;
    if (name[n] == ' ') begin = n + 1;  // a template's name follows its type
    if (name[n] == '(') return name.substr(begin, n - begin);
  }
  return name;
}

std::size_t find_symbol(const std::vector<std::string>& symbols, const std::string& name,
                        const std::string& file) {
  std::vector<std::string> all;
  for (const std::string& symbol : symbols) all.push_back(kernel_name_of(symbol));
  std::vector<std::size_t> found;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (names(name, all[n]) || names(name, without_arguments(all[n]))) found.push_back(n);
  if (found.size() > 1) {
    const auto whole = std::find(all.begin(), all.end(), name);
    if (whole != all.end() && std::count(all.begin(), all.end(), name) == 1)
      return static_cast<std::size_t>(whole - all.begin());
    std::vector<std::string> meant;
    for (const std::size_t n : found) meant.push_back(all[n]);
    throw UsageError(fmt::format("'{}' is the name of {} kernels in '{}'", name, found.size(), file),
                     how_to_tell_apart(meant));
  }
  if (found.size() == 1) return found[0];
  throw UsageError(fmt::format("no kernel '{}' in '{}'{}", name, file, did_you_mean(name, last_parts(all))),
                   all.empty() ? "there is none: a template needs an instantiation"
                               : fmt::format("there are: {}", fmt::join(all, ", ")));
}

std::vector<KernelBounds> parse_ptx(const std::string& ptx) {
  static const std::regex entry(R"(\.entry\s+([\w$]+))"),
      threads(R"(^\s*\.(?:maxntid|reqntid)\s+(\d+)(?:,\s*(\d+))?(?:,\s*(\d+))?)");
  std::vector<KernelBounds> kernels;
  std::istringstream lines(ptx);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, entry)) kernels.push_back({.symbol = found[1]});
    if (kernels.empty() || !std::regex_search(line, found, threads)) continue;
    int product = 1;
    for (std::size_t n = 1; n < found.size(); ++n)
      if (found[n].matched) product *= std::stoi(found[n]);
    kernels.back().most_threads = product;
  }
  return kernels;
}

void check_kernel_place(const std::string& place) { split(place); }

UserKernel find_user_kernel(const KernelCompiler& compiler, const std::string& place,
                            const std::string& architecture) {
  const auto [file, name] = split(place);
  UserKernel kernel;
  kernel.file = file;
  kernel.name = name;
  const TemporaryDirectory directory;
  const ProcessResult compiled =
      compiler.run_on_user_source({"-arch=" + architecture, "-ptx", "-o", directory / "kernel.ptx", "-MD",
                                   "-MF", directory / "files", file.string()});
  const std::string shown = place.substr(0, place.size() - name.size() - 1);
  if (compiled.status != 0)
    throw UsageError(fmt::format("'{}' does not compile for {}:\n{}", shown, architecture, compiled.output),
                     "");
  const std::string ptx = contents(directory / "kernel.ptx");
  const std::vector<KernelBounds> bounds = parse_ptx(ptx);
  std::vector<std::string> symbols;
  for (const KernelBounds& k : bounds) symbols.push_back(k.symbol);
  const KernelBounds& found = bounds[find_symbol(symbols, name, shown)];
  expect_reporter(found.symbol, shown);
  kernel.full_name = kernel_name_of(found.symbol);
  kernel.most_threads = found.most_threads;
  kernel.fingerprint = hash_of_dependencies(contents(directory / "files"));
  kernel.has_dynamic_shared = ptx.find(".extern .shared") != std::string::npos;
  kernel.has_setup = contents(file).find("halfstep_study_setup") != std::string::npos;
  return kernel;
}

std::string user_source(const UserKernel& kernel, const std::string& method) {
  return fmt::format(
      "// {}\n"
      "#define HALFSTEP_STUDY_METHOD \"halfstep/study/{}.hpp\"\n"
      "#include \"{}\"\n",
      kernel.fingerprint, method, kernel.file.string());
}

std::string runner_source(const UserKernel& kernel, const std::string& method) {
  return user_source(kernel, method) +
         fmt::format("#define HALFSTEP_STUDY_KERNEL {}\n#include \"halfstep/study/run.cuh\"\n",
                     kernel.full_name);
}

}  // namespace halfstep
