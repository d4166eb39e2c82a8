// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads ASC-IR from a file, verifies it, runs passes and prints IR, Ascend C text or the program's listing. For tests and for people at
// work on the compiler.
#include "aicore/aicore.h"
#include "ascendc/ascendc.h"
#include "dialect/dialect.h"
#include "isa/codec.h"
#include "isa/text.h"
#include "passes/inline_functions.h"
#include "passes/insert_sync.h"
#include "passes/merge_equal_values.h"
#include "passes/pipeline.h"
#include "passes/plan_memory.h"
#include "passes/simplify.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

namespace cl = llvm::cl;

enum class Output { Ir, AscendC, Listing };

static cl::opt<std::string> input(cl::Positional, cl::desc("<file>"), cl::init("-"));
static cl::opt<Output> output("emit", cl::desc("what to print"), cl::init(Output::Ir),
                              cl::values(clEnumValN(Output::Ir, "ir", "ASC-IR"), clEnumValN(Output::AscendC, "ascendc", "Ascend C text"),
                                         clEnumValN(Output::Listing, "listing", "AI Core program")));
static cl::list<std::string>
    passes("pass", cl::desc("a pass to run: inline-functions, simplify, merge-equal-values, plan-memory, plan-memory-apart, "
                            "insert-sync, or all"));
static cl::opt<bool> split("split-input-file", cl::desc("treat parts between lines '// -----' on their own"));
static cl::opt<bool> verify("verify-diagnostics", cl::desc("check that the errors are those that 'expected-error' comments name"));
static cl::opt<bool> locations("locations", cl::desc("print IR with locations"));
static cl::opt<bool> directives("line-directives", cl::desc("write #line into Ascend C text"));

static void run(llvm::StringRef pass, mlir::ModuleOp module) {
  if (pass == "simplify") return asc::simplify(module);
  if (pass == "merge-equal-values") return asc::merge_equal_values(module);
  if (pass == "inline-functions") return asc::inline_functions(module);
  if (pass == "plan-memory") return asc::plan_memory(module, /*reuse=*/true);
  if (pass == "plan-memory-apart") return asc::plan_memory(module, /*reuse=*/false);
  if (pass == "insert-sync") return void(asc::insert_sync(module));
  if (pass == "all") return void(asc::run_passes(module, {}));
  llvm::report_fatal_error("unknown pass " + pass, /*gen_crash_diag=*/false);
}

static void print(mlir::ModuleOp module, llvm::raw_ostream &out) {
  switch (output) {
  case Output::Ir:
    return module.print(out, mlir::OpPrintingFlags().enableDebugInfo(locations, /*prettyForm=*/true).useLocalScope()), void(out << "\n");
  case Output::AscendC: out << asc::to_ascendc(module, {.line_directives = directives}); return;
  case Output::Listing: {
    asc::Program program = asc::to_program(module, "Ascend910B1");
    asc::validate(program);
    out << asc::print(program);
    return;
  }
  }
}

/// One part of the input. Errors of MLIR are printed, or compared with what the part expects.
static llvm::LogicalResult process(std::unique_ptr<llvm::MemoryBuffer> buffer, llvm::raw_ostream &out) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  asc::load_dialects(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  auto compile = [&] {
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
    if (!module) return llvm::failure();
    for (const std::string &pass : passes) run(pass, *module);
    if (mlir::failed(mlir::verify(*module))) return llvm::failure();
    print(*module, out);
    return llvm::success();
  };
  if (!verify) {
    mlir::SourceMgrDiagnosticHandler handler(sources, &context);
    return compile();
  }
  mlir::SourceMgrDiagnosticVerifierHandler handler(sources, &context);
  (void)compile();
  return handler.verify();
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "ASC-IR tool\n");
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(input, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  try {
    auto each = [](std::unique_ptr<llvm::MemoryBuffer> part, llvm::raw_ostream &out) { return process(std::move(part), out); };
    llvm::StringRef marker = split ? mlir::kDefaultSplitMarker : "";
    return mlir::failed(mlir::splitAndProcessBuffer(std::move(file), each, llvm::outs(), marker, marker));
  } catch (const std::exception &fault) {
    llvm::errs() << "asc-opt: " << fault.what() << "\n";
    return 1;
  }
}
