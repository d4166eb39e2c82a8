// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of the simulator as diagnostics.
#include "sim/findings.h"

#include "sim/describe.h"

namespace asc {

static const Site &site_at(const Program &program, uint32_t pc) {
  static const Site nowhere{};
  return pc < program.site_of.size() && program.site_of[pc] < program.sites.size() ? program.sites[program.site_of[pc]] : nowhere;
}

static Span span_of(const Program &program, const Site &site) {
  return {program.strings[site.file], site.line, site.column, site.end_line, site.end_column};
}

/// Notes for the calls of device functions through which an instruction was reached, innermost first.
static void add_callers(const Program &program, const Site &site, std::vector<Note> &notes) {
  for (uint32_t at = site.inlined_at; at != kNoRegister && at < program.sites.size(); at = program.sites[at].inlined_at)
    notes.push_back({"called from here", span_of(program, program.sites[at])});
}

static FindingPlace to_place(const Program &program, const sim::FindingSite &site) {
  FindingPlace place{span_of(program, site_at(program, site.pc)),
                     core_name(program.type, site.block),
                     std::string(name(site.pipe)),
                     site.block,
                     site.pc < program.code.size() ? call_name(program, site.pc) : "",
                     site.what};
  if (const auto &bytes = site.bytes) {
    place.access = bytes->write ? "write" : "read";
    place.tensor = bytes->tensor, place.memory = info(bytes->memory).name;
    place.begin = bytes->begin, place.end = bytes->end, place.bytes = bytes->total;
  }
  return place;
}

std::vector<Diagnostic> to_diagnostics(const Program &program, const std::vector<sim::Finding> &findings) {
  std::vector<Diagnostic> result;
  for (const sim::Finding &finding : findings) {
    Diagnostic d{finding.code, finding.warning ? Severity::Warning : Severity::Error, finding.message, {}, {}, finding.help};
    for (size_t i = 0; i < finding.sites.size(); ++i) {
      const sim::FindingSite &place = finding.sites[i];
      const Site &site = site_at(program, place.pc);
      d.places.push_back(to_place(program, place));
      if (i == 0) d.span = span_of(program, site);
      if (!place.what.empty() || i > 0) {
        std::string text = core_name(program.type, place.block) + ", pipe " + std::string(name(place.pipe));
        if (!place.what.empty()) text += ": " + place.what;
        d.notes.push_back({text, span_of(program, site)});
      }
      add_callers(program, site, d.notes);
    }
    result.push_back(std::move(d));
  }
  return result;
}

} // namespace asc
