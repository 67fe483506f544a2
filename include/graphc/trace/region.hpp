// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops, checkpoints and regions of precision: a function of tensors becomes the
// body of one op.
// Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_REGION_HPP
#define GRAPHC_TRACE_REGION_HPP

#include <utility>

#include "graphc/trace/tensor.hpp"

namespace graphc {

namespace detail {
inline std::vector<Tensor> tensorsOf(const Tensor &one) { return {one}; }
inline std::vector<Tensor> tensorsOf(const std::vector<Tensor> &all) {
  return all;
}
/// Ends the region that `body` fills; forgets it if that throws.
template <class Body>
std::vector<Tensor> fillRegion(const std::shared_ptr<Recording> &recording,
                               const Source &source, Body &&body) {
  graphc_module *module = recording->module.get();
  try {
    std::vector<Tensor> values = body();
    for (const Tensor &value : values)
      if (!value.defined())
        raise(source, "a region returns an undefined tensor");
    std::vector<graphc_value> yielded = valuesOf(values, source);
    std::vector<graphc_value> out(yielded.size());
    check(
        graphc_region_end(module, yielded.data(), yielded.size(), out.data()));
    std::vector<Tensor> results;
    for (graphc_value value : out)
      results.emplace_back(recording, value);
    return results;
  } catch (...) {
    graphc_region_abandon(module);
    throw;
  }
}
} // namespace detail

/// Runs `body(i, carried)` for i = 0, 1, ..., count - 1: `i` is a tensor of i64
/// of rank 0, `carried` what the iteration before returned, at first `init`.
/// Returns what the last one did, or `init` if count is 0. It is traced once,
/// so shapes and dtypes must stay. Throws if they do not, or `count` is
/// negative.
template <class Body>
std::vector<Tensor> for_loop(int64_t count, const std::vector<Tensor> &init,
                             Body &&body, Source source = here()) {
  const auto &recording = detail::requireCurrent(source);
  std::vector<graphc_value> inits = detail::valuesOf(init, source);
  std::vector<graphc_value> arguments(inits.size() + 1);
  graphc_source where = detail::toC(source);
  check(graphc_for_begin(recording->module.get(), count, inits.data(),
                         inits.size(), &where, arguments.data()));
  return detail::fillRegion(recording, source, [&] {
    std::vector<Tensor> carried;
    for (size_t k = 1; k < arguments.size(); ++k)
      carried.emplace_back(recording, arguments[k]);
    return detail::tensorsOf(body(Tensor(recording, arguments[0]), carried));
  });
}

namespace detail {
/// `function(args...)` as the body of the op that `begin` has begun.
template <class Begin, class Function, class... Args>
auto inRegion(Begin &&begin, Function &&function, Args &&...args) {
  Source source = callSite() ? *callSite() : Source{};
  const auto &recording = requireCurrent(source);
  graphc_source where = toC(source);
  using Result = std::decay_t<decltype(function(std::forward<Args>(args)...))>;
  check(begin(recording->module.get(), &where));
  std::vector<Tensor> results = fillRegion(recording, source, [&] {
    return tensorsOf(function(std::forward<Args>(args)...));
  });
  if constexpr (std::is_same_v<Result, std::vector<Tensor>>)
    return results;
  else
    return results.front();
}
} // namespace detail

/// torch.utils.checkpoint: `function(args...)`, whose inner values are computed
/// again for the gradient instead of kept. The values are the same.
template <class Function, class... Args>
auto checkpoint(Function &&function, Args &&...args) {
  return detail::inRegion(graphc_checkpoint_begin,
                          std::forward<Function>(function),
                          std::forward<Args>(args)...);
}

/// torch.autocast(enabled=False): `function(args...)`, which mixed precision
/// leaves in f32, and its gradient too. Without it nothing changes.
template <class Function, class... Args>
auto full_precision(Function &&function, Args &&...args) {
  return detail::inRegion(graphc_precision_begin,
                          std::forward<Function>(function),
                          std::forward<Args>(args)...);
}

} // namespace graphc

#endif // GRAPHC_TRACE_REGION_HPP
