// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See command.h.
#include "kernel_file/command.h"

#include "diagnostics/json.h"
#include "kernel_file/options.h"
#include "kernel_file/report.h"

#include <chrono>
#include <new>

namespace asc::kernel_file {
namespace {

using Clock = std::chrono::steady_clock;

/// Tells how far a long run is, now and then.
class Progress {
public:
  explicit Progress(const Console &console, std::string name) : console_(console), name_(std::move(name)) {}
  ~Progress() {
    if (shown_) console_.err("\r\033[K");
  }
  void operator()(uint32_t done, uint32_t blocks) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(200), shown_ = true;
    console_.err("\r\033[K" + name_ + ": " + std::to_string(done) + " of " + std::to_string(blocks) + " cores are done");
  }

private:
  const Console &console_;
  const std::string name_;
  std::mutex mutex_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
  bool shown_ = false;
};

std::string outputs_json(const KernelFile &file, const Options &options, const Response &response) {
  std::vector<std::string> list;
  for (const auto &[name, array] : response.outputs) {
    std::vector<std::string> shape;
    for (int64_t size : array.shape) shape.push_back(std::to_string(size));
    list.push_back("{\"name\": " + json_text(name) + ", \"file\": " + json_text(options.outputs.at(name)) +
                   ", \"dtype\": " + json_text(asc::name(file.find(name)->dtype)) + ", \"shape\": " + json_array(shape) + "}");
  }
  return json_array(list);
}

class Command {
public:
  Command(std::span<const std::string> arguments, const Console &console) : arguments_(arguments), console_(console) {
    for (const std::string &argument : arguments) json_ |= argument == "--json";
  }

  int run(const std::function<std::string_view()> &payload) {
    try {
      return with(load(payload()));
    } catch (const DiagnosticError &error) {
      return end(kUnusable, error.diagnostics);
    } catch (const std::bad_alloc &) {
      return end(kUnusable, {{.code = "C304", .message = "there is not enough memory", .help = "use smaller arrays"}});
    } catch (const std::exception &error) {
      return end(kInternal,
                 {{.code = "T000", .message = error.what(), .help = "please report this fault of pyasc, with the file that shows it"}});
    }
  }

private:
  int with(const Loaded &loaded) {
    Options options = parse_options(loaded, arguments_);
    json_ = options.json;
    if (options.help) return console_.out(help_page(loaded, console_.name)), kGood;
    if (options.info) return console_.out(json_ ? info_json(loaded) : info_text(loaded)), kGood;
    for (const auto &[name, path] : options.inputs) {
      const Parameter &parameter = *loaded.file.find(name);
      options.request.inputs[name] = read_array(path, parameter.dtype, input_option(parameter));
    }
    const Response response = launch(loaded, options);
    if (!response.printed.empty()) (json_ ? console_.err : console_.out)(response.printed);
    if (response.interrupted) return end(kInterrupted, {});
    if (!response.good()) return end(kFindings, response.findings);
    OutputFiles files;
    for (const auto &[name, array] : response.outputs)
      files.add(options.outputs.at(name), loaded.file.find(name)->dtype, array.shape, array.bytes.data(), array.bytes.size());
    files.commit();
    if (json_) {
      more_ = ", \"outputs\": " + outputs_json(loaded.file, options, response);
      if (options.request.profile) more_ += ", \"profile\": " + profile_json(response);
    } else if (options.request.profile) {
      console_.out(profile_text(response));
    }
    return end(kGood, response.findings);
  }

  Response launch(const Loaded &loaded, Options &options) {
    options.request.interrupt = console_.interrupt;
    Progress progress(console_, loaded.file.name);
    if (console_.progress) options.request.progress = [&](uint32_t done, uint32_t blocks) { progress(done, blocks); };
    return kernel_file::run(loaded, std::move(options.request));
  }

  int end(Status status, const std::vector<Diagnostic> &diagnostics) {
    if (!json_) {
      for (const Diagnostic &diagnostic : diagnostics) console_.err(console_.render(diagnostic) + "\n");
      return status;
    }
    std::vector<std::string> list;
    for (const Diagnostic &diagnostic : diagnostics) list.push_back(to_json(diagnostic));
    console_.out("{\"status\": " + std::to_string(status) + ", \"diagnostics\": " + json_array(list) + more_ + "}\n");
    return status;
  }

  std::span<const std::string> arguments_;
  const Console &console_;
  bool json_ = false;
  std::string more_;
};

} // namespace

int command(std::string_view file, std::span<const std::string> arguments, const Console &console) {
  return Command(arguments, console).run([&] { return detach(file); });
}

int command_of_payload(std::string_view payload, std::span<const std::string> arguments, const Console &console) {
  return Command(arguments, console).run([&] { return payload; });
}

} // namespace asc::kernel_file
