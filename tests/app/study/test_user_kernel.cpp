// The study `kernel`: a user's kernel with every way of reporting, with a stand-in for nvcc and for the
// device, and with nvcc itself where it is installed.
#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/base/process.hpp"
#include "app/study/kernel.hpp"
#include "app/study/kernel_advice.hpp"
#include "app/study/user_kernel.hpp"
#include "physics/solver/solver.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/found_compiler.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

const std::filesystem::path kExamples = std::filesystem::path(HALFSTEP_SOURCE_DIR) / "app/study/examples";
const TimingDevice kNoDevice{};

/// Returns the message and the help of the UsageError that `call` throws.
template <class Call>
std::string usage_error(Call&& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what() + ("; " + error.help);
  }
  return "no UsageError";
}

Json json_of(const StudyReport& report) { return Json::parse(report_json(report, "kernel", {})); }

/// An nvcc of release 12.9. Each way of reporting takes 10 registers more than the one before, 40 at first,
/// but no more than the cap, beyond which it spills; in a file that says it reports nothing all take 40. A
/// shared object is its source.
class StandInForNvcc {
 public:
  StandInForNvcc()
      : cache_("HALFSTEP_CACHE", (directory_ / "cache").string()), chosen_("CUDACXX", (directory_ / "nvcc")) {
    put(directory_ / "nvcc", R"sh(#!/bin/bash
case $1 in
  --version) echo 'Cuda compilation tools, release 12.9, V12.9.41'; exit 0;;
  --list-gpu-code) printf 'sm_80\nsm_90\n'; exit 0;;
esac
cap=255 kind=
while [ $# -gt 1 ]; do
  case $1 in
    -ptx|-cubin|-shared) kind=$1;;
    -maxrregcount=*) cap=${1#*=};;
    -o) out=$2; shift;;
    -MF) files=$2; shift;;
  esac
  shift
done
if grep -q 'not C++' "$1"; then echo "$1(1): error: this is not C++" >&2; exit 2; fi
if [ $kind = -ptx ]; then
  printf '.entry other(\n)\n.visible .entry _ZN4flow4stepEPdN8halfstep5study8ReporterE(\n)\n' > "$out"
  grep -o 'maxntid.*' "$1" | sed 's/^/./' >> "$out"
  sed -n 's/extern __shared__/.extern .shared/p' "$1" >> "$out"
  echo "out: $1" > "$files"
  exit 0
fi
cp "$1" "$out"
methods=(none printf assert payload raise_once caserror)
for n in ${!methods[@]}; do grep -q "study/${methods[$n]}.hpp" "$1" && registers=$((40 + 10 * n)); done
if grep -q 'reports nothing' "$(sed -n 's/#include "\(.*\.cu\)"/\1/p' "$1")"; then registers=40; fi
spill=0
if [ $registers -gt $cap ]; then spill=$((4 * (registers - cap))); registers=$cap; fi
echo "ptxas info    : Compiling entry function '_ZN4flow4stepEPdN8halfstep5study8ReporterE' for 'sm_80'"
echo "ptxas info    : Function properties for _ZN4flow4stepEPdN8halfstep5study8ReporterE"
echo "    0 bytes stack frame, $spill bytes spill stores, 0 bytes spill loads"
echo "ptxas info    : Used $registers registers, used 0 barriers, 1024 bytes smem"
)sh");
    std::filesystem::permissions(directory_ / "nvcc", std::filesystem::perms::owner_all);
    put(directory_ / "flow.cu", "// halfstep_study_setup\n");
  }

  /// Puts an nvdisasm beside it, which says that all registers of a method but ten are live in line 7.
  void add_nvdisasm() const {
    put(directory_ / "nvdisasm", R"sh(#!/bin/bash
cubin=${@: -1}
methods=(none printf assert payload raise_once caserror)
for n in ${!methods[@]}; do grep -q "study/${methods[$n]}.hpp" "$cubin" && live=$((30 + 10 * n)); done
file=$(sed -n 's/#include "\(.*\)"/\1/p' "$cubin")
printf '.text._ZN4flow4stepEPdN8halfstep5study8ReporterE:\n'
case "$*" in
  *life-ranges*) printf ' /*0000*/ NOP ; // | %d ^ |\n' $live ;;
  *line-info*) printf '\t//## File "%s", line 7\n /*0000*/ NOP ;\n' "$file" ;;
esac
)sh");
    std::filesystem::permissions(directory_ / "nvdisasm", std::filesystem::perms::owner_all);
  }

  /// Returns "FILE.cu:NAME" with a file of that text.
  std::string place(const std::string& text, const std::string& name) const {
    put(directory_ / "flow.cu", text);
    return (directory_ / "flow.cu").string() + ':' + name;
  }
  std::string place() const { return (directory_ / "flow.cu").string() + ":step"; }

 private:
  TemporaryDirectory directory_;
  Environment cache_, chosen_;
};

/// A launch takes a microsecond for each register that the stand-in for nvcc would give, and for each byte
/// that it would spill. `launches` counts those of all runners.
class StandInForRunner final : public study::Runner {
 public:
  StandInForRunner(const std::filesystem::path& library, int threads) : threads_(threads) {
    const std::string source = contents(library);
    for (std::size_t n = 0; n < std::size(kUserMethods); ++n)
      if (contains(source, std::string("study/") + kUserMethods[n] + ".hpp"))
        microseconds_ = 40 + 10 * static_cast<int>(n);
  }
  double milliseconds(int launches) override {
    launches_ += launches;
    return 1e-3 * microseconds_;
  }
  int blocks() const override { return 1024 / threads_; }
  double bytes_moved() const override { return 4e5; }

 private:
  int threads_, launches_ = 0, microseconds_ = 0;
};

TimingDevice stand_in_device(const std::string& architecture) {
  return {architecture,
          [](const std::filesystem::path& library, int threads, study::SharedArrays&) {
            return std::make_unique<StandInForRunner>(library, threads);
          },
          {}};
}

std::vector<std::string> advice_of(const StudyReport& report) {
  std::vector<std::string> all;
  for (const auto& row : report.more.back().rows) all.push_back(std::get<std::string>(row[0]));
  return all;
}

}  // namespace

TEST_CASE("study kernel: a kernel's name is its own, with namespaces and template arguments") {
  CHECK(kernel_name_of("step") == "step");
  CHECK(kernel_name_of("_ZN4flow4stepEPdi") == "flow::step");
  CHECK(kernel_name_of("_Z4stepIdEvPT_") == "step<double>");
  CHECK(kernel_name_of("_ZN36_GLOBAL__N__a9b7e104_4_a_cu_d10520fc4stepEPf") == "step");
}

TEST_CASE("study kernel: a name may leave out namespaces and arguments if it then still means one kernel") {
  const std::vector<std::string> symbols = {"_ZN4flow4stepEPdi", "_Z4moveIdEvPT_", "_Z4moveIfEvPT_", "plain"};
  const auto find = [&](const char* name) { return find_symbol(symbols, name, "f.cu"); };
  CHECK(find("step") == 0);
  CHECK(find("flow::step") == 0);
  CHECK(find("move<float>") == 2);
  CHECK(find("plain") == 3);
  CHECK(usage_error([&] { find("move"); }) ==
        "'move' is the name of 2 kernels in 'f.cu'; say one in full: move<double>, move<float>");
  CHECK(
      usage_error([&] { find("plan"); }) ==
      "no kernel 'plan' in 'f.cu'; did you mean 'plain'?; there are: flow::step, move<double>, move<float>, "
      "plain");
  CHECK(contains(usage_error([&] { find("low::step"); }), "no kernel 'low::step'"));
  CHECK(find_symbol({"_Z4stepIdLi3EEvPT_"}, "step<double,3>", "f.cu") == 0);
  CHECK(usage_error([&] {
          find_symbol({"_Z4stepPd", "_Z4stepPf"}, "step", "f.cu");
        }) == "'step' is the name of 2 kernels in 'f.cu'; overloads have one name: rename all but one");
  CHECK(contains(usage_error([&] { find_symbol({}, "k", "f.cu"); }), "a template needs an instantiation"));
}

TEST_CASE("study kernel: launch bounds are read from PTX, each for its own kernel") {
  const auto kernels = parse_ptx(
      ".visible .entry first(\n.param .u64 p\n)\n{\n}\n"
      ".entry second(\n)\n.maxntid 128, 2, 1\n.minnctapersm 8\n{\n}\n"
      ".entry third(\n)\n.maxntid 64\n{\n}\n");
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0].symbol == "first");
  CHECK(kernels[0].most_threads == 0);
  CHECK(kernels[1].most_threads == 256);
  CHECK(kernels[2].most_threads == 64);
}

TEST_CASE("study kernel: without a GPU it has what the compiler tells, and says what it could not measure") {
  const StandInForNvcc nvcc;
  const StudyReport report = user_kernel_study({nvcc.place(), {"sm_80"}, {256, 1024}, {0, 64}}, kNoDevice);
  const Json json = json_of(report);
  REQUIRE(json.at("rows").size() == 2 * 2 * 6);
  const Json first = {{"method", "none"}, {"arch", "sm_80"},      {"block", 256},
                      {"cap", 0},         {"registers", 40},      {"spill_bytes", 0},
                      {"stack_bytes", 0}, {"shared_bytes", 1024}, {"occupancy", 0.75}};
  CHECK(json["rows"][0] == first);
  const Json& capped = json["rows"][11];
  CHECK(capped.at("method") == "caserror");
  CHECK(capped.at("cap") == 64);
  CHECK(capped.at("registers") == 64);
  CHECK(capped.at("spill_bytes") == 4 * (90 - 64));
  // A block of 1024 threads has 64 registers for each.
  const Json& too_many = json["rows"][12 + 5];
  CHECK(too_many.at("block") == 1024);
  CHECK(too_many.at("registers") == 90);
  CHECK(too_many.at("occupancy") == 0);
  const std::string notes = json.at("notes").dump();
  CHECK(contains(notes, "more than 65536 registers cannot be launched"));
  CHECK(contains(notes, "not measured, as there is no GPU"));
}

TEST_CASE("study kernel: without --caps those are tried that are below what the kernel takes") {
  const StandInForNvcc nvcc;
  const Json json = json_of(user_kernel_study({nvcc.place(), {"sm_80"}, {256}, {}}, kNoDevice));
  std::set<int> caps;
  for (const Json& row : json.at("rows")) caps.insert(row.at("cap").get<int>());
  CHECK(caps == std::set<int>{0, 64});  // the kernel takes 40 to 90 registers
}

TEST_CASE("study kernel: launch bounds are named, and a larger block cannot be launched") {
  const StandInForNvcc nvcc;
  const Json json = json_of(user_kernel_study(
      {nvcc.place("// maxntid 128, 1, 1\n", "step"), {"sm_80"}, {128, 256}, {0}}, kNoDevice));
  CHECK(json.at("rows")[0].at("occupancy") == 0.75);
  CHECK(json["rows"][6].at("occupancy") == 0);
  CHECK(contains(json.at("notes").dump(), "__launch_bounds__ of 128 threads take precedence over a cap"));
}

TEST_CASE("study kernel: with a device every kernel is timed, and the rows say so where it was measured") {
  const StandInForNvcc nvcc;
  const StudyReport report =
      user_kernel_study({nvcc.place(), {"sm_80", "sm_90"}, {256}, {0, 64}}, stand_in_device("sm_90"));
  const Json json = json_of(report);
  REQUIRE(json.at("rows").size() == 2 * 12);
  for (const Json& row : json["rows"]) {
    CHECK(row.contains("milliseconds") == (row.at("arch") == "sm_90"));
    CHECK_FALSE(row.contains("achieved"));  // nothing ran on a device
  }
  const Json& printf = json["rows"][13];
  CHECK(printf.at("method") == "printf");
  CHECK(printf.at("milliseconds") == doctest::Approx(0.050));
  CHECK(printf.at("ratio_to_none") == doctest::Approx(1.25));
  CHECK(printf.at("gigabytes_per_second") == doctest::Approx(8));
  CHECK(contains(json.at("notes").dump(), "none against itself takes 1.000 of the time"));
}

TEST_CASE("study kernel: a file without a setup, or a GPU of another architecture, is not timed") {
  const StandInForNvcc nvcc;
  const auto notes = [&](const std::string& text, const char* device) {
    return json_of(
               user_kernel_study({nvcc.place(text, "step"), {"sm_80"}, {256}, {0}}, stand_in_device(device)))
        .at("notes")
        .dump();
  };
  CHECK(contains(notes("// no setup\n", "sm_80"), "not measured, as the file has no halfstep_study_setup"));
  CHECK(contains(notes("// halfstep_study_setup\n", "sm_90"), "not measured, as the GPU here is sm_90"));
}

TEST_CASE("study kernel: what the figures leave out, and a kernel that reports nothing, has a note") {
  const StandInForNvcc nvcc;
  const auto notes = [&](const std::string& text) {
    return json_of(
               user_kernel_study({nvcc.place(text, "step"), {"sm_80"}, {256}, {0}}, stand_in_device("sm_80")))
        .at("notes")
        .dump();
  };
  const std::string shared = notes("extern __shared__ halfstep_study_setup\n");
  CHECK(contains(shared, "declares dynamic shared memory: occupancy is without it."));
  CHECK(contains(shared, "not measured, as the kernel may need dynamic shared memory"));
  CHECK(contains(notes("// reports nothing\n"), "does the kernel call report_error()?"));
  CHECK_FALSE(contains(notes("//\n"), "report_error"));
}

TEST_CASE("study kernel: a kernel without a reporter, and a path that cannot be included, are refused") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  const TemporaryDirectory directory;
  put(directory / "k.cu",
      "#include \"halfstep/study.hpp\"\n"
      "__global__ void k(int* x) { *x = 1; }\n"
      "template <class T> __global__ void reports(T*, halfstep::study::Reporter) {}\n"
      "template __global__ void reports<int>(int*, halfstep::study::Reporter);\n"
      "extern \"C\" __global__ void plain(int*, halfstep::study::Reporter) {}\n");
  const std::string file = directory / "k.cu";
  CHECK(usage_error([&] { find_user_kernel(*compiler, file + ":k", "sm_90"); }) ==
        "the kernel 'k' in '" + file +
            "' does not end with the parameter of a report; its last parameter must be: "
            "halfstep::study::Reporter reporter");
  CHECK(find_user_kernel(*compiler, file + ":reports", "sm_90").full_name == "reports<int>");
  CHECK(find_user_kernel(*compiler, file + ":plain", "sm_90").full_name == "plain");
  put(directory / "a\"b.cu", "");
  CHECK(contains(usage_error([&] { check_kernel_place((directory / "a\"b.cu").string() + ":k"); }),
                 "its path has a quotation mark; rename it"));
}

TEST_CASE("study kernel: a mistake of the user's is one UsageError with what helps") {
  const StandInForNvcc nvcc;
  const auto error = [&](const std::string& place, std::vector<std::string> architectures = {}) {
    return usage_error([&] { user_kernel_study({place, architectures, {}, {}}, kNoDevice); });
  };
  CHECK(contains(error(""), "the study 'kernel' needs FILE.cu:NAME; for example: halfstep study kernel "));
  CHECK(contains(error("flow.cu"), "'flow.cu' is not FILE.cu:NAME"));
  CHECK(contains(error("nowhere.cu:step"), "there is no file 'nowhere.cu'"));
  CHECK(error(nvcc.place(), {"sm_1"}) == "nvcc 12.9 does not compile for 'sm_1'; it does for sm_80, sm_90");
  CHECK(contains(error(nvcc.place("//", "stop")), "no kernel 'stop' in "));
  CHECK(contains(error(nvcc.place("//", "stop")), "did you mean 'step'?; there are: other, flow::step"));
  const std::string broken = error(nvcc.place("not C++\n", "step"), {"sm_90"});
  CHECK(contains(broken, "flow.cu' does not compile for sm_90:\n"));
  CHECK(contains(broken, "flow.cu(1): error: this is not C++\n"));
  const TemporaryDirectory directory;
  put(directory / "nvcc", "#!/bin/sh\necho nonsense\n");
  std::filesystem::permissions(directory / "nvcc", std::filesystem::perms::owner_all);
  const Environment chosen("CUDACXX", (directory / "nvcc").string());
  CHECK(contains(error(nvcc.place("//", "step")), "does not tell its release"));
}

TEST_CASE("study kernel: a changed include is compiled again, an unchanged one is not") {
  const TemporaryDirectory directory;
  const Environment cache("HALFSTEP_CACHE", (directory / "cache").string());
  const auto compiler = found_compiler();
  if (!compiler) return;
  const std::filesystem::path folder = directory / "a folder";  // with a space in its name
  std::filesystem::create_directory(folder);
  put(folder / "k.cu",
      "#include \"halfstep/study.hpp\"\n#include \"size.hpp\"\n"
      "__global__ void k(int* x, halfstep::study::Reporter) { *x = kSize; }\n");
  const auto fingerprint = [&](const char* size) {
    put(folder / "size.hpp", size);
    return find_user_kernel(*compiler, (folder / "k.cu:k").string(), "sm_80").fingerprint;
  };
  const std::string before = fingerprint("constexpr int kSize = 1;\n");
  CHECK(fingerprint("constexpr int kSize = 1;\n") == before);
  CHECK(fingerprint("constexpr int kSize = 2;\n") != before);
}

TEST_CASE("study kernel: advice is put together from the rows") {
  const StandInForNvcc nvcc;
  const std::vector<std::string> untimed =
      advice_of(user_kernel_study({nvcc.place(), {"sm_80"}, {256}, {0, 64}}, kNoDevice));
  REQUIRE(untimed.size() == 4);
  CHECK(untimed[0] ==
        "sm_80, 256 threads: no way of reporting keeps the 75 % occupancy of none. Occupancy is lost with "
        "printf "
        "(50 %), assert (50 %), payload (37.5 %), raise_once (37.5 %), caserror (25 %).");
  CHECK(untimed[1] ==
        "sm_80, 256 threads: printf costs this kernel 10 registers (50 against 40), 50 % occupancy "
        "against 75 %.");
  CHECK(contains(untimed[3], "falls from 75 % to 25 % occupancy"));

  const std::vector<std::string> timed =
      advice_of(user_kernel_study({nvcc.place(), {"sm_80"}, {1024}, {0, 40}}, stand_in_device("sm_80")));
  CHECK(
      timed[0] ==
      "sm_80, 1024 threads: printf is the cheapest way that keeps the 50 % occupancy of none: 50 registers "
      "against 40, 1.250 times its time. Occupancy is lost with payload (0 %), raise_once (0 %), caserror (0 "
      "%).");
  CHECK(timed[2] ==
        "sm_80, 1024 threads: assert costs this kernel 20 registers (60 against 40), 1.500 times its time.");
  CHECK(timed[3] ==
        "sm_80, 1024 threads: none, printf, assert are fastest without a cap, 0.04, 0.05, 0.06 ms.");
}

TEST_CASE("study kernel: nvdisasm tells the line where registers peak, and without it a note says so") {
  const StandInForNvcc nvcc;
  const StudyRequest request = {nvcc.place(), {"sm_80", "sm_90"}, {128, 256}, {0, 64}};
  const auto peaks = [](const Json& json) {
    for (const Json& table : json.at("tables"))
      if (table.at("name") == "peaks") return table.at("rows");
    return Json();
  };
  {
    const Environment nowhere("PATH", "/usr/bin:/bin");
    const Json json = json_of(user_kernel_study(request, kNoDevice));
    if (!std::filesystem::exists("/usr/local/cuda/bin/nvdisasm")) {
      CHECK(contains(json.at("notes").dump(), "peak: not told, as nvdisasm is not beside nvcc"));
      CHECK(peaks(json).is_null());
    }
  }
  nvcc.add_nvdisasm();
  const StudyReport report = user_kernel_study(request, kNoDevice);
  const Json told = peaks(json_of(report));
  REQUIRE(told.size() == 2 * 6);
  const Json second = {
      {"method", "printf"}, {"arch", "sm_80"}, {"file", "flow.cu"}, {"line", 7}, {"live", 40}};
  CHECK(told[1] == second);
  CHECK(advice_of(report).back().starts_with(
      "sm_90: registers peak at flow.cu:7 (30 live) with none, at flow.cu:7 (40 live) with printf, at "));
}

TEST_CASE("study kernel: kernels take turns, and each turn lasts long enough") {
  struct Counted final : study::Runner {
    explicit Counted(std::vector<int>& order, int name, double ms) : order(order), name(name), ms(ms) {}
    double milliseconds(int launches) override {
      order.push_back(name);
      most = std::max(most, launches);
      return ms;
    }
    int blocks() const override { return 1; }
    double bytes_moved() const override { return 0; }
    std::vector<int>& order;
    int name, most = 0;
    double ms;
  };
  std::vector<int> order;
  Counted fast(order, 0, 0.5), slow(order, 1, 4);
  const std::vector<KernelTime> times = time_in_rounds({&fast, &slow}, 3, 2);
  CHECK(order ==
        std::vector<int>{0, 0, 1, 1, 0, 1, 1, 0, 0, 1});  // two of each to begin with, then the rounds
  CHECK(fast.most == 4);
  CHECK(slow.most == 1);
  CHECK(times[1].milliseconds.median == 4);
  CHECK(times[1].ratio.median == 8);
}

// --- with nvcc
// ------------------------------------------------------------------------------------------------

namespace {

/// Returns the resources of an example's kernel, by method, as the study has them.
std::map<std::string, KernelResources> resources_of(const KernelCompiler& compiler, const std::string& place,
                                                    const std::string& architecture) {
  const UserKernel kernel = find_user_kernel(compiler, (kExamples / place).string(), architecture);
  std::map<std::string, KernelResources> all;
  for (const char* method : kUserMethods)
    all[method] =
        compiler.compile_user_source(user_source(kernel, method), architecture, 0).resources.front();
  return all;
}

/// Returns the instructions of a cubin's only kernel.
std::string instructions(const std::filesystem::path& cubin) {
  const std::string elf = contents(cubin);
  const auto at = [&](std::size_t offset, auto value) {
    std::memcpy(&value, elf.data() + offset, sizeof(value));
    return value;
  };
  const auto header = at(0, Elf64_Ehdr{});
  const auto section = [&](int n) { return at(header.e_shoff + n * sizeof(Elf64_Shdr), Elf64_Shdr{}); };
  const Elf64_Shdr names = section(header.e_shstrndx);
  for (int n = 0; n < header.e_shnum; ++n)
    if (std::string(elf.data() + names.sh_offset + section(n).sh_name).starts_with(".text."))
      return elf.substr(section(n).sh_offset, section(n).sh_size);
  return "";
}

}  // namespace

TEST_CASE("study kernel: the blog's toy takes 14, 24 and 18 registers with nvcc 13.0 on sm_80") {
  const CompilerWithCache compiler;
  if (!compiler.is_release("13.0")) return;
  const auto toy = resources_of(*compiler, "toy.cu:toy", "sm_80");
  CHECK(toy.at("none").registers == 14);
  CHECK(toy.at("printf").registers == 24);
  CHECK(toy.at("payload").registers == 18);
}

TEST_CASE("study kernel: registers are those of nvcc for the source with the calls replaced by hand") {
  const TemporaryDirectory directory;
  const Environment cache("HALFSTEP_CACHE", (directory / "cache").string());
  const auto compiler = found_compiler();
  if (!compiler) return;
  const std::string by_hand = HALFSTEP_SOURCE_DIR "/tests/app/study/by_hand.cu";
  for (const std::string architecture : {"sm_80", "sm_90"}) {
    const auto toy = resources_of(*compiler, "toy.cu:toy", architecture);
    const auto react = resources_of(*compiler, "newton_chemistry.cu:react", architecture);
    for (std::size_t n = 0; n < std::size(kUserMethods); ++n) {
      const std::string method = kUserMethods[n];
      INFO(method << ' ' << architecture);
      const ProcessResult compiled = compiler->run_on_user_source(
          {"-I" HALFSTEP_SOURCE_DIR, "-DREPORT=" + std::to_string(n), "-arch=" + architecture, "-cubin",
           "-Xptxas", "-v", "-o", directory / "by_hand.cubin", by_hand});
      REQUIRE(compiled.status == 0);
      std::vector<std::string> symbols;
      const std::vector<KernelResources> hand = parse_ptxas(compiled.output);
      for (const KernelResources& kernel : hand) symbols.push_back(kernel.name);
      for (const auto& [name, example] : {std::pair{"toy", toy}, {"react", react}}) {
        const KernelResources& expected = hand[find_symbol(symbols, name, by_hand)];
        CHECK(example.at(method).registers == expected.registers);
        CHECK(example.at(method).stack_bytes == expected.stack_bytes);
      }
    }
  }
}

TEST_CASE("study kernel: none leaves no trace of the report in the machine code") {
  const TemporaryDirectory directory;
  const Environment cache("HALFSTEP_CACHE", (directory / "cache").string());
  const auto compiler = found_compiler();
  if (!compiler) return;
  const auto kernel = [](const std::string& parameter, const std::string& report) {
    return "#include \"halfstep/study.hpp\"\n"
           "__global__ void k(double* x, int n" +
           parameter +
           ") {\n"
           "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i >= n) return;\n" +
           report + "  x[i] = sqrt(x[i]);\n}\n";
  };
  const auto code = [&](const std::string& source) {
    return instructions(compiler->compile_user_source(source, "sm_90", 0).cubin);
  };
  const std::string reporter = ", halfstep::study::Reporter reporter",
                    report = "  halfstep::study::report_error(reporter, x[i] < 0, x[i]);\n";
  const std::string without = code(kernel("", ""));
  CHECK(without.size() > 100);
  CHECK(code(kernel(reporter, report)) == without);
  CHECK(code("#define HALFSTEP_STUDY_METHOD \"halfstep/study/payload.hpp\"\n" + kernel(reporter, report)) !=
        without);
}

TEST_CASE("study kernel: the examples compile in every way, and their data belong to their kernels") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  for (const char* place :
       {"lennard_jones.cu:forces", "lattice_boltzmann.cu:collide", "newton_chemistry.cu:react"}) {
    INFO(place);
    for (const auto& [method, resources] : resources_of(*compiler, place, "sm_90"))
      CHECK_MESSAGE(resources.registers > 16, method);
    const UserKernel kernel = find_user_kernel(*compiler, (kExamples / place).string(), "sm_90");
    CHECK(kernel.has_setup);
    const auto library = compiler->build_library(runner_source(kernel, "none"), "sm_90", 0);
    if (cuda_available()) {
      MESSAGE("a GPU's test runs the kernels");
      continue;
    }
    study::SharedArrays arrays;
    CHECK(contains(refusal([&] { load_runner(library, 128, arrays); }), "CUDA: "));
  }
}

TEST_CASE("study kernel: the variants of a kernel share the arrays that the first setup makes") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  const TemporaryDirectory directory;
  put(directory / "setup.cu", R"(// with the host's memory in place of a device's
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

cudaError_t host_malloc(void** memory, std::size_t bytes) { return *memory = std::malloc(bytes), cudaSuccess; }
cudaError_t host_free(void* memory) { return std::free(memory), cudaSuccess; }
cudaError_t host_copy(void* to, const void* from, std::size_t bytes, int) {
  return std::memcpy(to, from, bytes), cudaSuccess;
}
#define cudaMalloc host_malloc
#define cudaFree host_free
#define cudaMemcpy host_copy
#include "halfstep/study.hpp"

int filled = 0;
double* array(std::size_t count) {
  return halfstep::study::device_array<double>(count, [](std::size_t i) { return ++filled, 2.0 * i; });
}

int main() try {
  halfstep::study::SharedArrays shared;
  const auto begin = [&] { halfstep::study::detail::arrays() = {&shared, 0}; };
  begin();
  const double *first = array(3), *second = array(4);
  begin();
  const bool same = array(3) == first && array(4) == second;
  std::printf("%d %d %g ", same, filled, second[3]);
  begin();
  array(5);
} catch (const std::exception& error) {
  std::puts(error.what());
}
)");
  const ProcessResult compiled =
      compiler->run_on_user_source({"-arch=sm_90", "-o", directory / "setup", directory / "setup.cu"});
  REQUIRE_MESSAGE(compiled.status == 0, compiled.output);
  CHECK(run_process({directory / "setup"}).output ==
        "1 7 6 halfstep_study_setup must make the same arrays whenever it is called\n");
}
