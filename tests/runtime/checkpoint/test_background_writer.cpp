#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/checkpoint/background_writer.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

TEST_CASE("Jobs are done in their order, on another thread, and all of them by drain()") {
  BackgroundWriter writer(3);
  std::vector<int> done;
  std::thread::id thread;
  for (int n = 0; n < 100; ++n)
    CHECK(writer.submit([&, n] {
      done.push_back(n);
      thread = std::this_thread::get_id();
    }) == n + 1);
  writer.drain();
  CHECK(writer.finished() == 100);
  REQUIRE(done.size() == 100);
  CHECK(std::is_sorted(done.begin(), done.end()));
  CHECK(thread != std::this_thread::get_id());
}

TEST_CASE("A third job waits while two are unfinished") {
  BackgroundWriter writer(2);
  std::promise<void> go;
  std::shared_future<void> gate = go.get_future().share();
  for (int n = 0; n < 2; ++n) writer.submit([gate] { gate.wait(); });
  std::atomic<bool> submitted = false;
  std::thread third([&] {
    writer.submit([] {});
    submitted = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_FALSE(submitted);
  CHECK(writer.finished() == 0);
  go.set_value();
  third.join();
  writer.drain();
  CHECK(writer.finished() == 3);
}

TEST_CASE("Small jobs queue behind a large one, up to the size that is left") {
  BackgroundWriter writer(2);
  std::promise<void> go;
  std::shared_future<void> gate = go.get_future().share();
  writer.submit([gate] { gate.wait(); });
  for (int n = 0; n < 10; ++n) writer.submit([] {}, 0.09375);
  std::atomic<bool> submitted = false;
  std::thread next([&] {
    writer.submit([] {}, 0.09375);
    submitted = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_FALSE(submitted);
  go.set_value();
  next.join();
  writer.submit([] {}, 5);  // larger than all that may be queued: alone
  writer.drain();
  CHECK(writer.finished() == 13);
}

TEST_CASE("The error of a job is thrown by what is called next, and no later job is done") {
  BackgroundWriter writer(2);
  std::promise<void> go;
  std::atomic<bool> later = false;
  writer.submit([gate = go.get_future().share()] {
    gate.wait();
    throw std::runtime_error("the disk is full");
  });
  writer.submit([&] { later = true; });
  go.set_value();
  CHECK(refusal([&] { writer.drain(); }) == "the disk is full");
  CHECK(refusal([&] { writer.submit([&] { later = true; }); }) == "the disk is full");
  CHECK(refusal([&] { writer.finished(); }) == "the disk is full");
  CHECK_FALSE(later);
}

TEST_CASE("What was submitted is done before the writer goes") {
  int done = 0;
  {
    BackgroundWriter writer(2);
    for (int n = 0; n < 2; ++n)
      writer.submit([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        done += 1;
      });
  }
  CHECK(done == 2);
}

TEST_CASE("Signals are the main thread's: none comes to the writer's") {
  BackgroundWriter writer(1);
  int blocked = 0;
  writer.submit([&] {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) blocked += sigismember(&mask, signal);
  });
  writer.drain();
  CHECK(blocked == 3);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  CHECK(sigismember(&mask, SIGINT) == 0);
}
