// Functions of place and time, written at run time with the operations of Operation::Kind. Host and device
// evaluate them to the same bits, because no compiler sees an expression that it could contract. Another
// operation is a member of Operation::Kind, a line of Formulas::result() and a function of Formula.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "physics/base/portable_math.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// One operation, on the results a, b and c of earlier ones.
struct Operation {
  enum class Kind : unsigned char {
    constant,
    coordinate,
    time,
    add,
    subtract,
    multiply,
    divide,
    root,
    max,
    less,
    select,
    exp,
    log,
    pow,
    sin,
    cos,
    tanh
  };
  Kind kind = Kind::constant;
  unsigned char a = 0, b = 0, c = 0;  ///< a: the axis of a coordinate, or the number of a constant

  bool operator==(const Operation&) const = default;
};

class Formula;

/// The operations of formulas, each at most once, in an order in which they can be evaluated. Plain data,
/// small enough to be passed to a kernel by value.
class Formulas {
 public:
  static constexpr int kMaxOperations = 96, kMaxConstants = 48;

  Formula constant(double value);
  /// Returns the coordinate along an axis.
  Formula coordinate(int axis);
  Formula time();
  /// Returns the formula whose index() that is.
  Formula at(int index);

  HALFSTEP_HD int count() const { return count_; }

  /// Evaluates the first `count` operations at the place x (3 coordinates) and time t. `results`: one value
  /// for each.
  HALFSTEP_HD void evaluate(int count, const double* x, double t, double* results) const {
    for (int n = 0; n < count; ++n) results[n] = result(operations_[n], x, t, results);
  }

 private:
  friend class Formula;

  HALFSTEP_HD double result(const Operation& o, const double* x, double t, const double* done) const {
    switch (o.kind) {
      case Operation::Kind::constant:
        return constants_[o.a];
      case Operation::Kind::coordinate:
        return x[o.a];
      case Operation::Kind::time:
        return t;
      case Operation::Kind::add:
        return done[o.a] + done[o.b];
      case Operation::Kind::subtract:
        return done[o.a] - done[o.b];
      case Operation::Kind::multiply:
        return done[o.a] * done[o.b];
      case Operation::Kind::divide:
        return done[o.a] / done[o.b];
      case Operation::Kind::root:
        return std::sqrt(done[o.a]);
      case Operation::Kind::max:
        return done[o.a] > done[o.b] ? done[o.a] : done[o.b];
      case Operation::Kind::less:
        return done[o.a] < done[o.b] ? 1 : 0;
      case Operation::Kind::select:
        return done[o.a] != 0 ? done[o.b] : done[o.c];
      default:
        return transcendental(o.kind, done[o.a], done[o.b]);
    }
  }

  /// Apart from result(), whose operations need fewer registers.
  static HALFSTEP_HD_COLD double transcendental(Operation::Kind kind, double a, double b) {
    switch (kind) {
      case Operation::Kind::exp:
        return portable::exp(a);
      case Operation::Kind::log:
        return portable::log(a);
      case Operation::Kind::pow:
        return portable::pow(a, b);
      case Operation::Kind::sin:
        return portable::sin(a);
      case Operation::Kind::cos:
        return portable::cos(a);
      default:
        return portable::tanh(a);
    }
  }

  /// Adds an operation, or finds it. Throws std::length_error where there are too many.
  int index_of(const Operation& wanted) {
    for (int n = 0; n < count_; ++n)
      if (operations_[n] == wanted) return n;
    if (count_ >= kMaxOperations)
      throw std::length_error("formulas of more than " + std::to_string(kMaxOperations) + " operations");
    operations_[count_] = wanted;
    return count_++;
  }
  /// Adds a constant, or finds it. Throws std::length_error where there are too many.
  unsigned char constant_of(double wanted) {
    int n = 0;
    while (n < constant_count_ &&
           !(constants_[n] == wanted && std::signbit(constants_[n]) == std::signbit(wanted)))
      ++n;
    if (n >= kMaxConstants)
      throw std::length_error("formulas of more than " + std::to_string(kMaxConstants) + " constants");
    if (n == constant_count_) constants_[constant_count_++] = wanted;
    return static_cast<unsigned char>(n);
  }

  double constants_[kMaxConstants] = {};
  Operation operations_[kMaxOperations];
  int count_ = 0, constant_count_ = 0;
};

/// A formula that is being written: one result of `formulas`, which must outlive it.
class Formula {
 public:
  int index() const { return index_; }

  friend Formula operator+(Formula p, Formula q) { return p.with(Operation::Kind::add, q); }
  friend Formula operator-(Formula p, Formula q) { return p.with(Operation::Kind::subtract, q); }
  friend Formula operator*(Formula p, Formula q) { return p.with(Operation::Kind::multiply, q); }
  friend Formula operator/(Formula p, Formula q) { return p.with(Operation::Kind::divide, q); }
  friend Formula operator+(Formula p, double q) { return p + p.constant(q); }
  friend Formula operator+(double p, Formula q) { return q.constant(p) + q; }
  friend Formula operator-(Formula p, double q) { return p - p.constant(q); }
  friend Formula operator-(double p, Formula q) { return q.constant(p) - q; }
  friend Formula operator*(Formula p, double q) { return p * p.constant(q); }
  friend Formula operator*(double p, Formula q) { return q.constant(p) * q; }
  friend Formula operator/(Formula p, double q) { return p / p.constant(q); }
  friend Formula operator/(double p, Formula q) { return q.constant(p) / q; }

  friend Formula sqrt(Formula p) { return p.with(Operation::Kind::root, p); }
  friend Formula exp(Formula p) { return p.with(Operation::Kind::exp, p); }
  friend Formula log(Formula p) { return p.with(Operation::Kind::log, p); }
  friend Formula sin(Formula p) { return p.with(Operation::Kind::sin, p); }
  friend Formula cos(Formula p) { return p.with(Operation::Kind::cos, p); }
  friend Formula tanh(Formula p) { return p.with(Operation::Kind::tanh, p); }
  /// Returns p^q; NaN where p < 0.
  friend Formula pow(Formula p, Formula q) { return p.with(Operation::Kind::pow, q); }
  friend Formula max(Formula p, Formula q) { return p.with(Operation::Kind::max, q); }
  friend Formula max(Formula p, double q) { return max(p, p.constant(q)); }
  /// Returns 1 where p < q, else 0.
  friend Formula less(Formula p, Formula q) { return p.with(Operation::Kind::less, q); }
  friend Formula less(Formula p, double q) { return less(p, p.constant(q)); }
  /// Returns p where the condition is not 0, else q.
  friend Formula select(Formula condition, Formula p, Formula q) {
    return {*condition.formulas_,
            {.kind = Operation::Kind::select, .a = condition.slot(), .b = p.slot(), .c = q.slot()}};
  }
  friend Formula select(Formula condition, double p, double q) {
    return select(condition, condition.constant(p), condition.constant(q));
  }

 private:
  friend class Formulas;
  Formula(Formulas& formulas, const Operation& operation) : Formula(formulas, formulas.index_of(operation)) {}
  Formula(Formulas& formulas, int index) : formulas_(&formulas), index_(index) {}

  Formula constant(double value) const { return formulas_->constant(value); }
  unsigned char slot() const { return static_cast<unsigned char>(index_); }
  /// Throws std::logic_error where q is of other Formulas.
  Formula with(Operation::Kind kind, Formula q) const {
    if (q.formulas_ != formulas_) throw std::logic_error("an operation on formulas of two sets");
    return {*formulas_, {.kind = kind, .a = slot(), .b = q.slot()}};
  }

  Formulas* formulas_;
  int index_;
};

inline Formula Formulas::constant(double value) { return {*this, {.a = constant_of(value)}}; }
inline Formula Formulas::coordinate(int axis) {
  return {*this, {.kind = Operation::Kind::coordinate, .a = static_cast<unsigned char>(axis)}};
}
inline Formula Formulas::at(int index) { return {*this, index}; }
inline Formula Formulas::time() { return {*this, {.kind = Operation::Kind::time}}; }

}  // namespace halfstep
