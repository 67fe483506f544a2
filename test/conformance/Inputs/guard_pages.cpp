// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// guard-pages MODEL.so: runs every function with each tensor flush against
// memory that may not be touched, once at its end and once at its start, and
// with inputs that may not be written. The bits must be those of a run in
// plain memory.
#include "graphc/runtime.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

enum Place { Plain, AtEnd, AtStart };
const char *const placeNames[] = {"in plain memory", "flush at the end",
                                  "flush at the start"};

char running[256]; // For the signal handler.

void reportFault(int) {
  static const char text[] = " touches memory outside its tensors\n";
  ssize_t done = write(STDOUT_FILENO, running, std::strlen(running));
  done += write(STDOUT_FILENO, text, sizeof text - 1);
  _exit(done < 0 ? 2 : 1);
}

void check(graphc_status status) {
  if (status == GRAPHC_OK)
    return;
  std::printf("%s: %s\n", running, graphc_error_message());
  std::exit(1);
}

/// `bytes` of memory at `place`, between pages that may not be touched.
class Memory {
public:
  Memory(size_t bytes, Place place) : bytes(bytes) {
    const size_t page = sysconf(_SC_PAGESIZE);
    const size_t margin = place == Plain ? page : 0;
    inside = (bytes + page - 1) / page * page + 2 * margin;
    whole = inside + 2 * page;
    base = static_cast<char *>(
        mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base == MAP_FAILED ||
        (inside && mprotect(base + page, inside, PROT_READ | PROT_WRITE))) {
      std::perror("mmap");
      std::exit(2);
    }
    data = base + page + (place == AtEnd ? inside - bytes : margin);
  }
  ~Memory() { munmap(base, whole); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  void forbidWrites() {
    const size_t page = sysconf(_SC_PAGESIZE);
    if (inside && mprotect(base + page, inside, PROT_READ))
      std::exit(2);
  }

  char *data;
  const size_t bytes;

private:
  char *base;
  size_t inside, whole;
};

template <typename T> void put(Memory &memory, const T (&values)[4]) {
  for (size_t k = 0; k < memory.bytes / sizeof(T); ++k)
    std::memcpy(memory.data + k * sizeof(T), &values[(k * 7 + k / 5) % 4],
                sizeof(T));
}

/// Some numbers. Integers are 0, as they may be indices.
void fill(Memory &memory, graphc_dtype dtype) {
  switch (dtype) {
  case GRAPHC_DTYPE_F64:
    return put<double>(memory, {1.0, -0.5, 0.0, 2.0});
  case GRAPHC_DTYPE_F32:
    return put<float>(memory, {1.0f, -0.5f, 0.0f, 2.0f});
  case GRAPHC_DTYPE_F16:
    return put<uint16_t>(memory, {0x3c00, 0xb800, 0, 0x4000});
  case GRAPHC_DTYPE_BF16:
    return put<uint16_t>(memory, {0x3f80, 0xbf00, 0, 0x4000});
  case GRAPHC_DTYPE_I1:
    return put<uint8_t>(memory, {1, 0, 0, 1});
  default:
    std::memset(memory.data, 0, memory.bytes);
  }
}

/// The bytes of all outputs.
std::string run(graphc_model *model, size_t number,
                const graphc_function_info &function, Place place) {
  std::snprintf(running, sizeof running, "%s with tensors %s", function.name,
                placeNames[place]);
  graphc_call *call = nullptr;
  check(graphc_call_create(model, function.name, &call));
  std::vector<std::unique_ptr<Memory>> memories;
  auto tensorOf = [&](const graphc_value_info &value) {
    memories.push_back(std::make_unique<Memory>(value.bytes, place));
    return graphc_tensor{value.dtype, value.rank, value.shape, nullptr,
                         memories.back()->data};
  };
  graphc_value_info value;
  value.struct_bytes = sizeof value;
  for (size_t k = 0; k < function.input_count; ++k) {
    check(graphc_model_describe_input(model, number, k, &value));
    graphc_tensor tensor = tensorOf(value);
    fill(*memories.back(), value.dtype);
    memories.back()->forbidWrites();
    check(graphc_call_bind_input(call, k, &tensor));
  }
  for (size_t k = 0; k < function.output_count; ++k) {
    check(graphc_model_describe_output(model, number, k, &value));
    graphc_tensor tensor = tensorOf(value);
    std::memset(memories.back()->data, 0xaa, value.bytes);
    check(graphc_call_bind_output(call, k, &tensor));
  }
  check(graphc_call_run(call));
  std::string bytes;
  for (size_t k = function.input_count; k < memories.size(); ++k)
    bytes.append(memories[k]->data, memories[k]->bytes);
  graphc_call_destroy(call);
  return bytes;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "expects one model.so\n");
    return 2;
  }
  struct sigaction action = {};
  action.sa_handler = reportFault;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);

  std::snprintf(running, sizeof running, "%s", argv[1]);
  graphc_model *model = nullptr;
  graphc_load_options options = {};
  options.struct_bytes = sizeof options;
  options.threads = 2;
  check(graphc_model_load(argv[1], &options, &model));
  graphc_model_info info;
  info.struct_bytes = sizeof info;
  check(graphc_model_describe(model, &info));
  size_t tensors = 0;
  for (size_t number = 0; number < info.function_count; ++number) {
    graphc_function_info function;
    function.struct_bytes = sizeof function;
    check(graphc_model_describe_function(model, number, &function));
    std::string plain = run(model, number, function, Plain);
    for (Place place : {AtEnd, AtStart})
      if (run(model, number, function, place) != plain) {
        std::printf("%s gives other bits\n", running);
        return 1;
      }
    tensors += function.input_count + function.output_count;
  }
  std::printf("%zu functions, %zu tensors between guard pages\n",
              size_t{info.function_count}, tensors);
  graphc_model_destroy(model);
  return 0;
}
