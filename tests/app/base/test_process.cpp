// Child processes.
#include <doctest/doctest.h>

#include <string>

#include "app/base/process.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

TEST_CASE("run_process: output, exit status, signal, a program that is not there") {
  const ProcessResult both = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  CHECK(both.status == 3);
  CHECK(both.output == "out\nerr\n");
  CHECK(run_process({"sh", "-c", "kill -TERM $$"}).status == 128 + 15);
  CHECK(run_process({"cat"}).output == "");  // an empty input, not that of this program
  CHECK(run_process({"printf", "%s|", "two words", "", "$HOME;'\""}).output == "two words||$HOME;'\"|");
  CHECK(run_process({"sh", "-c", "head -c 1000000 /dev/zero"}).output.size() == 1000000);
  const std::string message = refusal([] { run_process({"no-such-program-anywhere"}); });
  CHECK(contains(message, "cannot start 'no-such-program-anywhere'"));
  CHECK(contains(message, "No such file"));
}
