// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-run/Options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <set>

namespace graph_run {
namespace {

/// One option: how it is written, what it does, and where it goes.
struct Option {
  const char *name;
  const char *value; // What follows "="; null for a flag.
  const char *help;
  std::function<void(const std::string &)> set;
};

struct Section {
  const char *title;
  std::vector<Option> options;
};

[[noreturn]] void badValue(const char *name, const std::string &expected,
                           const std::string &got) {
  throw UsageError("--" + std::string(name) + " expects " + expected +
                   ", but got '" + got + "'");
}

template <class T>
std::function<void(const std::string &)>
number(T &to, const char *name, T lowest, T highest, const char *expected) {
  return [&to, name, lowest, highest, expected](const std::string &text) {
    T value{};
    const char *end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || !(value >= lowest) ||
        !(value <= highest))
      badValue(name, expected, text);
    to = value;
  };
}

std::function<void(const std::string &)> text(std::string &to) {
  return [&to](const std::string &value) { to = value; };
}

std::function<void(const std::string &)> list(std::vector<std::string> &to) {
  return [&to](const std::string &value) { to.push_back(value); };
}

std::function<void(const std::string &)> flag(bool &to) {
  return [&to](const std::string &) { to = true; };
}

void setSeparator(Options &o, const std::string &value) {
  if (value == "tab" || value == "\\t")
    o.separator = '\t';
  else if (value.size() == 1)
    o.separator = value[0];
  else
    badValue("separator", "one character or 'tab'", value);
}

std::vector<Section> sections(Options &o) {
  constexpr double most = 1e300;
  return {
      {"What to do (without any of these: list functions and state)",
       {{"function", "NAME",
         "run a function, or the size of a family that fits", text(o.function)},
        {"train", "NAME", "run a training step over all batches of --data",
         text(o.train)},
        {"bench", nullptr,
         "time the function, with random inputs if none given", flag(o.bench)},
        {"dump-grads", "FILE",
         "run a gradient function (the only one, or --function) and write the "
         "gradients to a safetensors file",
         text(o.dumpGrads)},
        {"devices", nullptr, "list the devices that models can run on",
         flag(o.devices)},
        {"help", nullptr, "print this text", flag(o.help)},
        {"version", nullptr, "print the version", flag(o.version)}}},
      {"Inputs and outputs of --function",
       {{"input", "[NAME=]FILE.npy", "the next input, or that of this name",
         list(o.inputs)},
        {"convert", nullptr, "convert files to the element type expected",
         flag(o.convert)},
        {"output", "[NAME=]FILE.npy", "write the next output, or that one",
         list(o.outputs)},
        {"expect", "[NAME=]FILE.npy",
         "compare the next output, or that one; exit with 1 if they differ",
         list(o.expects)},
        {"rtol", "X", "relative tolerance of --expect, for floats (1e-5)",
         number(o.rtol, "rtol", 0.0, most, "a number of 0 or more")},
        {"atol", "X", "absolute tolerance of --expect, for floats (1e-8)",
         number(o.atol, "atol", 0.0, most, "a number of 0 or more")},
        {"print", nullptr, "print the outputs", flag(o.print)},
        {"precision", "N", "digits after the point (4)",
         number(o.precision, "precision", 0, 17, "a number from 0 to 17")},
        {"sci", nullptr, "print with exponents", flag(o.scientific)},
        {"full", nullptr, "print all elements of large arrays", flag(o.full)}}},
      {"Training",
       {{"data", "FILES", "one .csv file, or an .npy file for each input: x,y",
         text(o.data)},
        {"label-column", "NAME|N",
         "column of a csv file with the labels, -1 is the last",
         text(o.labelColumn)},
        {"feature-columns", "LIST",
         "columns with the features (all but the label)",
         text(o.featureColumns)},
        {"separator", "C", "between the cells of a csv file (,)",
         [&o](const std::string &value) { setSeparator(o, value); }},
        {"epochs", "N", "times to go over the data (1)",
         number<int64_t>(o.epochs, "epochs", 0, 1000000000,
                         "a number of 0 or more")},
        {"batch", "N", "samples in a batch (the largest size that fits)",
         number<int64_t>(o.batch, "batch", 1, INT64_MAX,
                         "a number of 1 or more")},
        {"shuffle", nullptr, "shuffle each epoch, from --seed",
         flag(o.shuffle)},
        {"drop-last", nullptr, "leave out a last batch that is not full",
         flag(o.dropLast)},
        {"lr", "X",
         "set the learning rates of the step first, those of groups too",
         [&o](const std::string &value) {
           double rate = 0;
           number(rate, "lr", -most, most, "a number")(value);
           o.learningRate = value;
         }}}},
      {"State",
       {{"load-state", "FILE", "read all variables from a safetensors file",
         text(o.loadState)},
        {"save-state", "FILE", "write all variables at the end",
         text(o.saveState)},
        {"set", "NAME=X", "set a variable of one element", list(o.sets)},
        {"print-variable", "NAME", "print a variable at the end",
         list(o.printVariables)}}},
      {"The runtime",
       {{"seed", "N", "of initial values and shuffling (0)",
         number<uint64_t>(o.seed, "seed", 0, UINT64_MAX,
                          "a number of 0 or more")},
        {"threads", "N", "to run with (all, up to the model's limit)",
         number<uint32_t>(o.threads, "threads", 1, 65536,
                          "a number of 1 or more")},
        {"device", "NAME", "cpu", text(o.device)},
        {"max-arena-bytes", "N", "refuse a model that needs more",
         number<uint64_t>(o.maxArenaBytes, "max-arena-bytes", 1, UINT64_MAX,
                          "a number of 1 or more")},
        {"check-numerics", nullptr, "stop at the first NaN or infinity",
         flag(o.checkNumerics)},
        {"profile", nullptr, "print the time that each kernel took",
         flag(o.profile)},
        {"memory", nullptr,
         "print the memory that was planned and what was used", flag(o.memory)},
        {"bench-seconds", "X", "time to spend on --bench (1)",
         number(o.benchSeconds, "bench-seconds", 0.0, 86400.0,
                "a number of seconds")}}}};
}

/// Letters to change, add or drop to turn one word into the other.
size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// The option most like `name`, for a suggestion; "" if none is.
std::string closest(const std::vector<Section> &all, const std::string &name) {
  std::string best;
  size_t least = name.size() / 3 + 2;
  for (const Section &section : all)
    for (const Option &option : section.options) {
      size_t distance = editDistance(name, option.name);
      if (distance < least) {
        least = distance;
        best = option.name;
      }
    }
  return best;
}

using Names = std::set<std::string>;

/// What decides which other options have an effect: the action, and whether it
/// reads inputs or data and prints.
struct Action {
  const char *text;
  Names options; // that it heeds
};

Action actionOf(const Options &o) {
  if (o.help || o.version)
    return {"--help or --version", {}};
  if (o.devices)
    return {"--devices", {}};
  Names inputs = {"function", "input",          "convert",
                  "lr",       "check-numerics", "profile"};
  Names data = {"train",     "data",    "label-column", "feature-columns",
                "separator", "epochs",  "batch",        "shuffle",
                "drop-last", "convert", "lr",           "check-numerics",
                "profile"};
  if (o.bench) {
    inputs.insert({"bench", "train", "batch", "bench-seconds"});
    return {"--bench", inputs};
  }
  if (!o.dumpGrads.empty()) {
    inputs.insert({"dump-grads", "precision", "sci", "full"});
    return {"--dump-grads", inputs};
  }
  if (!o.train.empty())
    return {"--train", data};
  if (o.function.empty())
    return {"no function to run", {"lr"}};
  inputs.insert({"output", "expect", "print"});
  if (!o.expects.empty())
    inputs.insert({"rtol", "atol"});
  if (o.print || (o.expects.empty() && o.outputs.empty()))
    inputs.insert({"precision", "sci", "full"});
  return {"--function", inputs};
}

/// Refuses options that would do nothing: what they were given for would not
/// happen.
void checkTogether(const Options &o, const Names &given) {
  if (o.help || o.version)
    return;
  if (!o.function.empty() && !o.train.empty())
    throw UsageError("--function and --train exclude one another");
  Action action = actionOf(o);
  Names useful = action.options;
  if (!o.devices)
    useful.insert({"memory", "load-state", "save-state", "set",
                   "print-variable", "seed", "threads", "device",
                   "max-arena-bytes"});
  if (!o.printVariables.empty())
    useful.insert({"precision", "sci", "full"});
  // What only some files want.
  Names unfit;
  bool isCsv = endsWith(o.data, ".csv");
  if (!o.data.empty() && !isCsv)
    unfit.insert({"label-column", "feature-columns", "separator"});
  if (o.inputs.empty() && o.expects.empty() && (o.data.empty() || isCsv))
    unfit.insert("convert");
  if (o.bench && !o.inputs.empty())
    unfit.insert("batch");
  useful.insert("devices");
  for (const std::string &name : given)
    if (useful.count(name) == 0 || unfit.count(name) != 0)
      throw UsageError("--" + name + " has no effect with " + action.text +
                       (unfit.count(name) ? " on these inputs" : ""));
  if (o.devices && !o.model.empty())
    throw UsageError("--devices expects no model, but got '" + o.model + "'");
}

} // namespace

std::string helpText() {
  Options unused;
  std::string help = "usage: graph-run model.so [options]\n"
                     "\n"
                     "Runs a compiled model: lists what is in it, runs its "
                     "functions, trains it.\n";
  for (const Section &section : sections(unused)) {
    help += "\n" + std::string(section.title) + ":\n";
    for (const Option &option : section.options) {
      std::string left = "  --" + std::string(option.name);
      if (option.value)
        left += "=" + std::string(option.value);
      left.append(left.size() < 28 ? 28 - left.size() : 1, ' ');
      std::string line = left + option.help;
      // Wraps at a blank before column 80.
      while (line.size() > 79) {
        size_t blank = line.rfind(' ', 79);
        if (blank == std::string::npos || blank <= 28)
          break;
        help += line.substr(0, blank) + "\n";
        line = std::string(28, ' ') + line.substr(blank + 1);
      }
      help += line + "\n";
    }
  }
  return help + "\n"
                "Examples:\n"
                "  graph-run mlp.so\n"
                "  graph-run mlp.so --function=forward --input x.npy --print\n"
                "  graph-run mlp.so --train=step --data=digits.csv "
                "--label-column=-1 \\\n"
                "      --epochs=10 --shuffle --seed=1 --save-state=mlp."
                "safetensors\n";
}

Options parseOptions(int argc, char **argv) {
  Options options;
  Names given;
  std::vector<Section> all = sections(options);
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.compare(0, 2, "--") != 0) {
      if (!options.model.empty())
        throw UsageError("expects one model, but got '" + options.model +
                         "' and '" + argument + "'");
      options.model = argument;
      continue;
    }
    size_t equals = argument.find('=');
    bool hasValue = equals != std::string::npos;
    std::string name = argument.substr(2, hasValue ? equals - 2 : equals);
    std::string value = hasValue ? argument.substr(equals + 1) : "";
    const Option *found = nullptr;
    for (const Section &section : all)
      for (const Option &option : section.options)
        if (name == option.name)
          found = &option;
    if (!found) {
      std::string suggestion = closest(all, name);
      throw UsageError("unknown option '--" + name + "'" +
                       (suggestion.empty()
                            ? "; --help lists them"
                            : "; did you mean '--" + suggestion + "'?"));
    }
    if (!found->value && hasValue)
      throw UsageError("--" + name + " takes no value");
    if (found->value && !hasValue && ++i < argc)
      value = argv[i];
    if (found->value && value.empty())
      throw UsageError("--" + name + " expects a value: --" + name + "=" +
                       found->value);
    found->set(value);
    given.insert(name);
  }
  checkTogether(options, given);
  return options;
}

} // namespace graph_run
