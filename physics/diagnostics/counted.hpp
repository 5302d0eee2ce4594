// Numbers that record how they were computed. The program's own functions, which take any Real, run on them
// to count the floating-point operations that a result needs.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace halfstep {

/// Numbers of floating-point operations. Changes of sign and selections do not count.
struct Operations {
  std::int64_t additions = 0;  ///< and subtractions
  std::int64_t multiplications = 0, divisions = 0, square_roots = 0, comparisons = 0;

  /// Returns the number of all operations but comparisons; a fused multiply-add counts as two.
  std::int64_t flops() const { return additions + multiplications + divisions + square_roots; }

  Operations& operator+=(const Operations& other) {
    additions += other.additions;
    multiplications += other.multiplications;
    divisions += other.divisions;
    square_roots += other.square_roots;
    comparisons += other.comparisons;
    return *this;
  }
  friend Operations operator*(std::int64_t times, const Operations& o) {
    return {times * o.additions, times * o.multiplications, times * o.divisions, times * o.square_roots,
            times * o.comparisons};
  }
  bool operator==(const Operations&) const = default;
};

/// The operations of a computation in order, each with the places of its operands.
class Tape {
 public:
  using Kind = std::int64_t Operations::*;
  static constexpr int kGiven = -1;  ///< the place of a number that is no operation's result

  /// Adds an operation and returns its place. `kind`: nullptr if it is not counted but has operands.
  int add(Kind kind, int a, int b) {
    made_.push_back({kind, a, b, kind == &Operations::comparisons});
    return static_cast<int>(made_.size()) - 1;
  }
  /// Returns the operations that `results` depend on, with the comparisons. Unused operations are left out,
  /// as a compiler does. Empties the tape.
  Operations needed_for(const std::vector<int>& results) {
    for (const int result : results) need(result);
    Operations all;
    for (auto operation = made_.rbegin(); operation != made_.rend(); ++operation) {
      if (!operation->needed) continue;
      if (operation->kind) all.*(operation->kind) += 1;
      need(operation->a);
      need(operation->b);
    }
    made_.clear();
    return all;
  }

 private:
  struct Operation {
    Kind kind;
    int a, b;
    bool needed;
  };
  void need(int place) {
    if (place != kGiven) made_.at(static_cast<std::size_t>(place)).needed = true;
  }
  std::vector<Operation> made_;
};

/// A number that records its operations. `Value`: float or double, whose range it has.
template <class Value>
class Counted {
 public:
  static inline thread_local Tape tape{};

  Counted() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr Counted(Number value) : value_(static_cast<Value>(value)) {}

  Value value() const { return value_; }
  int place() const { return place_; }

  Counted operator-() const {
    Counted turned = *this;
    turned.value_ = -value_;
    return turned;
  }
  friend Counted operator+(Counted a, Counted b) {
    return {a.value_ + b.value_, &Operations::additions, a, b};
  }
  friend Counted operator-(Counted a, Counted b) {
    return {a.value_ - b.value_, &Operations::additions, a, b};
  }
  friend Counted operator*(Counted a, Counted b) {
    return {a.value_ * b.value_, &Operations::multiplications, a, b};
  }
  friend Counted operator/(Counted a, Counted b) {
    return {a.value_ / b.value_, &Operations::divisions, a, b};
  }
  friend Counted fma(Counted a, Counted b, Counted c) { return a * b + c; }
  friend Counted square_root(Counted a) { return {std::sqrt(a.value_), &Operations::square_roots, a, {}}; }
  friend Counted magnitude(Counted a) {
    a.value_ = std::fabs(a.value_);
    return a;
  }
  friend Counted with_sign(Counted size, Counted of) {
    return {std::copysign(size.value_, of.value_), nullptr, size, of};
  }

  friend bool operator<(Counted a, Counted b) { return compared(a.value_ < b.value_, a, b); }
  friend bool operator>(Counted a, Counted b) { return compared(a.value_ > b.value_, a, b); }
  friend bool operator<=(Counted a, Counted b) { return compared(a.value_ <= b.value_, a, b); }
  friend bool operator>=(Counted a, Counted b) { return compared(a.value_ >= b.value_, a, b); }
  friend bool operator==(Counted a, Counted b) { return compared(a.value_ == b.value_, a, b); }
  friend bool operator!=(Counted a, Counted b) { return compared(a.value_ != b.value_, a, b); }

 private:
  Counted(Value value, Tape::Kind kind, Counted a, Counted b)
      : value_(value), place_(tape.add(kind, a.place_, b.place_)) {}
  static bool compared(bool outcome, Counted a, Counted b) {
    tape.add(&Operations::comparisons, a.place_, b.place_);
    return outcome;
  }

  Value value_ = 0;
  int place_ = Tape::kGiven;
};

}  // namespace halfstep

template <class Value>
struct std::numeric_limits<halfstep::Counted<Value>> : std::numeric_limits<Value> {};
