// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent layers: a loop over time in the model. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_NN_RECURRENT_HPP
#define GRAPHC_TRACE_NN_RECURRENT_HPP

#include "graphc/trace/conv.hpp"
#include "graphc/trace/index.hpp"
#include "graphc/trace/nn.hpp"
#include "graphc/trace/region.hpp"

namespace graphc::nn {

/// By PyTorch's names and defaults. `dropout` lies between layers.
struct RecurrentOptions {
  int64_t num_layers = 1;
  bool bias = true, batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
};

/// What a recurrent layer gives: `output` [L, N, D H] ([N, L, D H] if
/// batch_first), the last states `h_n` and, of an LSTM, `c_n`, both [D layers,
/// N, H]. D is 2 if bidirectional, else 1.
struct RecurrentOutput {
  Tensor output, h_n, c_n;
};

namespace detail {

struct RecurrentImpl final : LibraryModule {
  RecurrentImpl(bool isLstm, int64_t in, int64_t hidden,
                const RecurrentOptions &options, graphc_dtype dtype,
                Source source)
      : isLstm(isLstm), in(in), hidden(hidden), options(options) {
    if (in < 1 || hidden < 1 || options.num_layers < 1)
      raise(source, name() + " expects sizes of 1 or more, but got " +
                        std::to_string(in) + ", " + std::to_string(hidden) +
                        " and " + std::to_string(options.num_layers) +
                        " layers");
    if (!(options.dropout >= 0 && options.dropout <= 1))
      raise(source, name() + " expects dropout in [0, 1], but got " +
                        graphc::detail::number(options.dropout));
    int64_t gates = (isLstm ? 4 : 3) * hidden;
    for (int64_t layer = 0; layer < options.num_layers; ++layer) {
      for (int64_t direction = 0; direction < directions(); ++direction) {
        int64_t from = layer == 0 ? in : hidden * directions();
        std::string suffix =
            "_l" + std::to_string(layer) + (direction ? "_reverse" : "");
        auto make = [&](const std::string &parameter, const Shape &shape) {
          return register_parameter(parameter + suffix,
                                    Parameter(shape, uniformInverseRoot(hidden),
                                              dtype, true, source));
        };
        Cell cell;
        cell.weight_ih = make("weight_ih", {gates, from});
        cell.weight_hh = make("weight_hh", {gates, hidden});
        if (options.bias) {
          cell.bias_ih = make("bias_ih", {gates});
          cell.bias_hh = make("bias_hh", {gates});
        }
        cells.push_back(cell);
      }
    }
  }

  int64_t directions() const { return options.bidirectional ? 2 : 1; }

  Tensor forward(const Tensor &x) override {
    return run(x, {}, {}, here()).output;
  }

  RecurrentOutput run(const Tensor &input, const Tensor &h0, const Tensor &c0,
                      const Source &source) {
    if (input.dim() != 3 || input.size(2) != in)
      raise(source, name() + " expects an input of [" +
                        (options.batch_first ? "N, L, " : "L, N, ") +
                        std::to_string(in) + "], but got " +
                        toString(input.shape()) + "\nnote: it is " +
                        input.origin());
    Tensor x = options.batch_first ? transpose(input, 0, 1) : input;
    if (x.size(0) == 0)
      raise(source, name() + " expects a sequence of 1 or more, but got " +
                        toString(input.shape()) + "\nnote: it is " +
                        input.origin());
    Shape stateShape = {directions() * options.num_layers, x.size(1), hidden};
    for (const Tensor &state : {h0, c0})
      if (state.defined() && state.shape() != stateShape)
        raise(source, name() + " expects a first state of " +
                          toString(stateShape) + ", but got " +
                          toString(state.shape()) + "\nnote: it is " +
                          state.origin());
    std::vector<Tensor> lastH, lastC;
    for (int64_t layer = 0; layer < options.num_layers; ++layer) {
      if (layer > 0 && options.dropout > 0)
        x = dropout(x, options.dropout,
                    training() ? (*training() ? "train" : "eval") : nullptr);
      std::vector<Tensor> outputs;
      for (int64_t direction = 0; direction < directions(); ++direction) {
        size_t number = cells.size() / options.num_layers * layer + direction;
        auto first = [&](const Tensor &given) {
          if (!given.defined())
            return zeros({x.size(1), hidden}, x.dtype());
          return reshape(slice(given, 0, static_cast<int64_t>(number),
                               static_cast<int64_t>(number) + 1),
                         {x.size(1), hidden});
        };
        Tensor along = direction ? flip(x, {0}) : x;
        std::vector<Tensor> result =
            runCell(cells[number], along, first(h0),
                    isLstm ? first(c0) : Tensor(), source);
        outputs.push_back(direction ? flip(result[0], {0}) : result[0]);
        lastH.push_back(reshape(result[1], {1, x.size(1), hidden}));
        if (isLstm)
          lastC.push_back(reshape(result[2], {1, x.size(1), hidden}));
      }
      x = outputs.size() == 1 ? outputs[0] : cat(outputs, 2);
    }
    return {options.batch_first ? transpose(x, 0, 1) : x, cat(lastH, 0),
            isLstm ? cat(lastC, 0) : Tensor()};
  }

  std::string name() const override { return isLstm ? "LSTM" : "GRU"; }
  std::string extra_repr() const override {
    std::string text = std::to_string(in) + ", " + std::to_string(hidden);
    if (options.num_layers != 1)
      text += ", num_layers=" + std::to_string(options.num_layers);
    if (!options.bias)
      text += ", bias=False";
    if (options.batch_first)
      text += ", batch_first=True";
    if (options.dropout != 0)
      text += ", dropout=" + pythonNumber(options.dropout);
    if (options.bidirectional)
      text += ", bidirectional=True";
    return text;
  }

private:
  struct Cell {
    Parameter weight_ih, weight_hh, bias_ih, bias_hh;
  };

  /// Gate `number` of [N, gates H].
  Tensor gate(const Tensor &all, int64_t number) const {
    return slice(all, 1, number * hidden, (number + 1) * hidden);
  }

  /// Output [L, N, H], last h, last c of one layer in one direction. What the
  /// input adds to the gates is one product over all times.
  std::vector<Tensor> runCell(const Cell &cell, const Tensor &x,
                              const Tensor &h0, const Tensor &c0,
                              const Source &source) const {
    int64_t length = x.size(0), count = x.size(1);
    Tensor fromInput = linear(x, cell.weight_ih, cell.bias_ih);
    Tensor weight = cell.weight_hh, bias = cell.bias_hh;
    std::vector<Tensor> init = {zeros({length, count, hidden}, x.dtype()), h0};
    if (isLstm)
      init.push_back(c0);
    return for_loop(
        length, init,
        [&](const Tensor &time, const std::vector<Tensor> &carried) {
          Tensor now = reshape(dynamic_slice(fromInput, {time, 0, 0},
                                             {1, count, fromInput.size(2)}),
                               {count, fromInput.size(2)});
          Tensor before = linear(carried[1], weight, bias);
          std::vector<Tensor> next =
              isLstm ? lstm(now + before, carried[2])
                     : std::vector<Tensor>{gru(now, before, carried[1])};
          Tensor row = reshape(next[0], {1, count, hidden});
          next.insert(next.begin(),
                      dynamic_update_slice(carried[0], row, {time, 0, 0}));
          return next;
        },
        source);
  }

  std::vector<Tensor> lstm(const Tensor &gates, const Tensor &c) const {
    Tensor next = sigmoid(gate(gates, 1)) * c +
                  sigmoid(gate(gates, 0)) * tanh(gate(gates, 2));
    return {sigmoid(gate(gates, 3)) * tanh(next), next};
  }
  Tensor gru(const Tensor &now, const Tensor &before, const Tensor &h) const {
    Tensor reset = sigmoid(gate(now, 0) + gate(before, 0));
    Tensor update = sigmoid(gate(now, 1) + gate(before, 1));
    Tensor fresh = tanh(gate(now, 2) + reset * gate(before, 2));
    return (1 - update) * fresh + update * h;
  }

  bool isLstm;
  int64_t in, hidden;
  RecurrentOptions options;
  std::vector<Cell> cells;
};

template <bool isLstm> struct RecurrentHandle : Handle<RecurrentImpl> {
  RecurrentHandle() = default;
  RecurrentHandle(int64_t input_size, int64_t hidden_size,
                  const RecurrentOptions &options = {},
                  graphc_dtype dtype = f32, Source source = here())
      : Handle(std::make_shared<RecurrentImpl>(isLstm, input_size, hidden_size,
                                               options, dtype, source)) {}
  /// Runs over `x` [L, N, input_size] ([N, L, input_size] if batch_first) from
  /// the states `h_0` and, of an LSTM, `c_0`; zeros if undefined.
  RecurrentOutput operator()(const Operand &x, const Tensor &h_0 = {},
                             const Tensor &c_0 = {}) const {
    const Source *outer = graphc::detail::callSite();
    graphc::detail::CallSite site(outer ? outer : &x.source);
    return (*this)->run(graphc::detail::asTensor(x), h_0, c_0, x.source);
  }
};
} // namespace detail

/// torch.nn.LSTM: weight_ih_l0 [4 hidden, input], weight_hh_l0 [4 hidden,
/// hidden], bias_ih_l0 and bias_hh_l0 [4 hidden] and so on, gates in the order
/// input, forget, cell, output; all uniform on +-1/sqrt(hidden_size). Called, it
/// gives a RecurrentOutput; in a Sequential, the output alone.
using LSTM = detail::RecurrentHandle<true>;
/// torch.nn.GRU: the same with gates in the order reset, update, new.
using GRU = detail::RecurrentHandle<false>;

} // namespace graphc::nn

#endif // GRAPHC_TRACE_NN_RECURRENT_HPP
