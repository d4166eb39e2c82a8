// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comparison of keys by their parts, and the story of a look-up.
#include "runtime/explain.h"
#include "runtime/cache.h"
#include "runtime/lookup.h"

#include <algorithm>
#include <map>

namespace asc {

static std::string difference(const Part &before, const Part &now) {
  if (now.name.starts_with("function ")) return now.name + " changed (" + now.shown + ")"; // shown: its place
  if (now.shown.empty() || before.shown.empty() || now.shown == before.shown) return now.name + " changed";
  return now.name + " was " + before.shown + ", is " + now.shown;
}

std::vector<std::string> differences(const std::vector<Part> &before, const std::vector<Part> &now) {
  std::map<std::string_view, std::vector<const Part *>> old; // several parts may have one name
  for (const Part &part : before) old[part.name].push_back(&part);
  std::vector<std::string> texts;
  for (const Part &part : now) {
    auto found = old.find(part.name);
    if (found == old.end()) {
      texts.push_back(part.name + " is new" + (part.shown.empty() ? "" : ": " + part.shown));
      continue;
    }
    const Part &other = *found->second.front();
    if (other.digest != part.digest) texts.push_back(difference(other, part));
    found->second.erase(found->second.begin());
    if (found->second.empty()) old.erase(found);
  }
  for (const auto &[name, parts] : old)
    for (const Part *part : parts) texts.push_back(part->name + " is no longer used");
  return texts;
}

static std::vector<Part> all(const KeyParts &parts) {
  std::vector<Part> list = parts.call;
  list.insert(list.end(), parts.environment->begin(), parts.environment->end());
  return list;
}

std::string explain(const FunctionState &f) {
  const std::string head = "kernel '" + f.name + "': ";
  if (f.info.last.empty()) return head + "neither launched nor compiled yet";
  std::string text = head + f.info.last;
  const std::string entry = cache::entry_file(f.info.key);
  if (f.info.last != "memory hit" && f.last_parts) {
    const std::vector<Part> now = all(*f.last_parts);
    std::vector<std::string> nearest;
    std::string where;
    auto compare = [&](const std::vector<Part> &before, std::string_view place) {
      std::vector<std::string> changes = differences(before, now);
      if (where.empty() || changes.size() < nearest.size()) nearest = std::move(changes), where = place;
    };
    for (const FunctionState::Entry &other : f.entries)
      if (other.kernel->key != f.info.key) compare(all(*other.parts), "in memory");
    for (const std::vector<Part> &before : cache::parts_of_entries(f.title(), f.info.key)) compare(before, "on disk");
    if (where.empty()) text += "\nthere is no other entry of this kernel to compare with";
    if (!where.empty()) text += "\nthe nearest other entry, " + where + ", differs:";
    for (const std::string &change : nearest) text += "\n  " + change;
    if (!where.empty() && nearest.empty()) text += "\n  in which of its values are one object";
  }
  return text + "\nkey " + f.info.key + (entry.empty() ? ", not on disk" : ", on disk: " + entry);
}

} // namespace asc
