// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's steps in order, and its dumps.
#include "runtime/compile.h"

#include "aicore/aicore.h"
#include "ascendc/ascendc.h"
#include "dialect/dialect.h"
#include "frontend/debug_table.h"
#include "isa/codec.h"
#include "isa/text.h"
#include "observers/checkers.h"
#include "passes/pipeline.h"
#include "runtime/raise.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace nb = nanobind;

namespace asc {

/// A context only grows, so each one serves a number of compiles and is then replaced. Taken out while in use: a compile may run Python
/// code, which may let another thread compile. Guarded by the GIL.
class ContextLease {
public:
  static constexpr unsigned kUses = 64;

  ContextLease() {
    if (idle().context) {
      slot_ = std::move(idle());
    } else {
      slot_.context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
      load_dialects(*slot_.context);
    }
  }
  ~ContextLease() {
    if (++slot_.uses < kUses) idle() = std::move(slot_);
  }
  mlir::MLIRContext &operator*() { return *slot_.context; }

private:
  struct Slot {
    std::unique_ptr<mlir::MLIRContext> context;
    unsigned uses = 0;
  };
  static Slot &idle() {
    static Slot *slot = new Slot; // lives until the process ends: no order of destruction to worry about
    return *slot;
  }
  Slot slot_;
};

static std::string print_ir(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo().useLocalScope());
  return text;
}

static void write_file(const std::filesystem::path &path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), std::streamsize(text.size()));
}

void CompiledKernel::set_program(Program program) {
  executable = sim::prepare(std::move(program));
  useful = useful_checks(sim::program_of(*executable));
}

std::string CompiledKernel::listing() const { return asc::listing(program()); }

std::string listing(const Program &program) {
  nb::object getline = nb::module_::import_("linecache").attr("getline");
  return print(program, [&](std::string_view file, uint32_t line) {
    return nb::cast<std::string>(getline(nb::str(file.data(), file.size()), line).attr("strip")());
  });
}

void dump(const CompiledKernel &kernel, const std::string &folder) {
  std::filesystem::path path(folder);
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  std::filesystem::permissions(path, std::filesystem::perms(0750), failure);
  if (failure)
    throw error("C203", "cannot write dumps to " + folder + ": " + failure.message(),
                "set PYASC_DUMP_PATH to a folder that can be written, or unset it");
  write_file(path / "ascir.mlir", kernel.ir);
  write_file(path / "ascendc.cpp", kernel.ascendc);
  write_file(path / "kernel.lst", kernel.listing());
  write_file(path / "kernel.bin", kernel.binary);
}

std::shared_ptr<const CompiledKernel> compile_kernel(nb::handle function, const std::vector<ArgSpec> &arguments,
                                                     const CompileOptions &options, std::string key) {
  auto start = std::chrono::steady_clock::now();
  auto kernel = std::make_shared<CompiledKernel>();
  kernel->key = std::move(key);
  const char *dump_path = std::getenv("PYASC_DUMP_PATH");
  bool dumping = dump_path && *dump_path;

  FrontendOptions frontend;
  frontend.python_arithmetic = options.python_arithmetic;
  frontend.auto_sync = options.auto_sync;
  frontend.dump = options.dump;
  frontend.time_stamps = options.time_stamps;
  frontend.all_errors = options.all_errors;
  nb::object source = nb::module_::import_("pyasc._source").attr("load")(function);

  ContextLease context;
  DebugTable debug;
  mlir::OwningOpRef<mlir::ModuleOp> module = build_module(*context, function, source, arguments, frontend, kernel->warnings, debug);
  std::string before = dumping ? print_ir(*module) : std::string();
  const PassOptions passes{options.insert_sync, options.without_sync, options.kernel_type, options.print_ir};
  kernel->inserted_sync = run_passes(*module, passes);
  kernel->ir = print_ir(*module);
  kernel->ascendc = to_ascendc(*module, {});
  if (debug.breakpoint) {
    debug.wanted = true;
    std::vector<Diagnostic> again;
    module = build_module(*context, function, source, arguments, frontend, again, debug);
    run_passes(*module, passes);
    kernel->debug = std::make_shared<DebugTable>(std::move(debug));
  }
  Program program = to_program(*module, options.target);
  kernel->binary = encode(program);
  kernel->set_program(std::move(program));
  kernel->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();

  if (dumping) {
    std::string folder = std::string(dump_path) + "/" + kernel->program().name + "-" + kernel->key.substr(0, 12);
    dump(*kernel, folder);
    write_file(folder + "/codegen.mlir", before);
  }
  return kernel;
}

} // namespace asc
