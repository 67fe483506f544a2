// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Learning rates over time, by the names and closed forms of
// torch.optim.lr_scheduler. A schedule is a value that knows the rate of each
// step; the step's learning rate is a variable of the model:
//
//   lr_scheduler::OneCycleLR schedule(/*max_lr=*/0.1, /*total_steps=*/1000);
//   for (int64_t step = 0; step < 1000; ++step) {
//     float lr = static_cast<float>(schedule.at(step));
//     model.setVariable("step.lr", {GRAPHC_DTYPE_F32, 0, nullptr, nullptr,
//     &lr}); model.run("step", inputs, outputs);
//   }
//
// `at(t)` takes the number of steps (or epochs, if it is called once an epoch)
// done before, from 0, and throws Error (GRAPHC_INVALID_ARGUMENT) if it is
// negative; so do constructors for what PyTorch refuses.
#ifndef GRAPHC_LR_SCHEDULER_HPP
#define GRAPHC_LR_SCHEDULER_HPP

#include "graphc/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace graphc {
namespace lr_scheduler {

namespace detail {
inline void expect(bool holds, const char *what) {
  if (!holds)
    throw Error(GRAPHC_INVALID_ARGUMENT, std::string("expects ") + what);
}
inline void expectStep(int64_t t) { expect(t >= 0, "a step of 0 or more"); }

/// From `start` at 0 to `end` at 1 along half a cosine.
inline double cosine(double start, double end, double at) {
  constexpr double pi = 3.14159265358979323846;
  return end + (start - end) / 2 * (1 + std::cos(pi * at));
}
} // namespace detail

/// The rate falls by `gamma` every `step_size` steps.
class StepLR {
public:
  StepLR(double lr, int64_t step_size, double gamma = 0.1)
      : lr_(lr), gamma_(gamma), step_size_(step_size) {
    detail::expect(step_size > 0, "a step_size above 0");
  }
  double at(int64_t t) const {
    detail::expectStep(t);
    return lr_ * std::pow(gamma_, static_cast<double>(t / step_size_));
  }

private:
  double lr_, gamma_;
  int64_t step_size_;
};

/// The rate falls by `gamma` every step.
class ExponentialLR {
public:
  ExponentialLR(double lr, double gamma) : lr_(lr), gamma_(gamma) {}
  double at(int64_t t) const {
    detail::expectStep(t);
    return lr_ * std::pow(gamma_, static_cast<double>(t));
  }

private:
  double lr_, gamma_;
};

/// The rate goes from lr * start_factor to lr * end_factor in a straight line
/// over `total_iters` steps and stays there: a warm-up.
class LinearLR {
public:
  explicit LinearLR(double lr, double start_factor = 1.0 / 3,
                    double end_factor = 1.0, int64_t total_iters = 5)
      : lr_(lr), start_(start_factor), end_(end_factor), total_(total_iters) {
    detail::expect(start_factor > 0 && start_factor <= 1,
                   "a start_factor above 0 and at most 1");
    detail::expect(end_factor >= 0 && end_factor <= 1,
                   "an end_factor from 0 to 1");
    detail::expect(total_iters > 0, "total_iters above 0");
  }
  double at(int64_t t) const {
    detail::expectStep(t);
    double share =
        static_cast<double>(std::min(t, total_)) / static_cast<double>(total_);
    return lr_ * (start_ + (end_ - start_) * share);
  }

private:
  double lr_, start_, end_;
  int64_t total_;
};

/// The rate goes from lr to `eta_min` along half a cosine over `T_max` steps,
/// then back up.
class CosineAnnealingLR {
public:
  CosineAnnealingLR(double lr, int64_t T_max, double eta_min = 0)
      : lr_(lr), eta_min_(eta_min), T_max_(T_max) {
    detail::expect(T_max > 0, "a T_max above 0");
  }
  double at(int64_t t) const {
    detail::expectStep(t);
    return detail::cosine(lr_, eta_min_,
                          static_cast<double>(t) / static_cast<double>(T_max_));
  }

private:
  double lr_, eta_min_;
  int64_t T_max_;
};

/// The rate goes up from max_lr / div_factor to `max_lr` in the first
/// `pct_start` of all steps and down to max_lr / div_factor / final_div_factor
/// in the rest, both along half a cosine. at() takes steps below total_steps.
/// Source: Smith and Topin, Super-Convergence, 2018.
class OneCycleLR {
public:
  OneCycleLR(double max_lr, int64_t total_steps, double pct_start = 0.3,
             double div_factor = 25, double final_div_factor = 1e4)
      : max_(max_lr), initial_(max_lr / div_factor),
        min_(initial_ / final_div_factor),
        peak_(pct_start * static_cast<double>(total_steps) - 1),
        total_(total_steps) {
    detail::expect(total_steps > 0, "total_steps above 0");
    detail::expect(pct_start >= 0 && pct_start <= 1, "a pct_start from 0 to 1");
  }
  double at(int64_t t) const {
    detail::expectStep(t);
    detail::expect(t < total_, "a step below total_steps");
    auto x = static_cast<double>(t), last = static_cast<double>(total_ - 1);
    if (peak_ > 0 && x <= peak_)
      return detail::cosine(initial_, max_, x / peak_);
    return detail::cosine(max_, min_, (x - peak_) / (last - peak_));
  }

private:
  double max_, initial_, min_;
  /// The step at which the rate is highest; not a whole number in general.
  double peak_;
  int64_t total_;
};

/// `first` up to step `milestone`, then `second` from its own step 0: a warm-up
/// before something else.
template <class First, class Second> class SequentialLR {
public:
  SequentialLR(First first, Second second, int64_t milestone)
      : first_(std::move(first)), second_(std::move(second)),
        milestone_(milestone) {}
  double at(int64_t t) const {
    return t < milestone_ ? first_.at(t) : second_.at(t - milestone_);
  }

private:
  First first_;
  Second second_;
  int64_t milestone_;
};

} // namespace lr_scheduler
} // namespace graphc

#endif // GRAPHC_LR_SCHEDULER_HPP
