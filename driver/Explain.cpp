//===- Explain.cpp - A report for people ----------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report becomes sections of rows first; text and HTML are two printers of
// these.
//
//===----------------------------------------------------------------------===//

#include "driver/Explain.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <vector>

namespace partita {

std::string formatMesh(const Json &report) {
  std::string text;
  for (const Json &axis : report["mesh"])
    text += llvm::formatv("{0}{1}={2}", text.empty() ? "" : " x ",
                          axis[0].get<std::string>(), axis[1].get<int64_t>());
  return text;
}

std::string formatBytes(double bytes) {
  static constexpr const char *kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024)
    return llvm::formatv("{0:F0} B", bytes);
  for (const char *unit : kUnits) {
    bytes /= 1024;
    if (bytes < 1024)
      return llvm::formatv("{0:F1} {1}", bytes, unit);
  }
  return llvm::formatv("{0:F0} TiB", bytes);
}

std::string formatSeconds(double seconds) {
  if (seconds < 1e-3)
    return llvm::formatv("{0:F1} µs", seconds * 1e6);
  return seconds < 1 ? llvm::formatv("{0:F1} ms", seconds * 1e3).str()
                     : llvm::formatv("{0:F2} s", seconds).str();
}

namespace {

struct Section {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  /// A line below each row, where not empty: by row.
  std::vector<std::string> notes;
};

std::string getText(const Json &object, const char *key) {
  auto found = object.find(key);
  if (found == object.end() || found->is_null())
    return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

double getNumber(const Json &object, const char *key) {
  auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

/// The axes of a collective, "data, model"; "" for computation.
std::string getAxes(const Json &object) {
  std::string text;
  for (const Json &axis : object.value("axes", Json::array()))
    text += (text.empty() ? "" : ", ") + axis.get<std::string>();
  return text;
}

std::string getHeadline(const Json &report) {
  std::string mesh = formatMesh(report);
  return llvm::formatv("{0}: mesh {1}, {2} devices, target {3}",
                       getText(report, "program"), mesh.empty() ? "none" : mesh,
                       getText(report, "devices"), getText(report, "target"));
}

std::string formatFlops(double flops) {
  static constexpr const char *kUnits[] = {"flop", "kflop", "Mflop", "Gflop"};
  for (const char *unit : kUnits) {
    if (flops < 1000)
      return llvm::formatv("{0:F1} {1}", flops, unit);
    flops /= 1000;
  }
  return llvm::formatv("{0:F1} Tflop", flops);
}

Section getShardings(const Json &report) {
  Section section{"Shardings", {"value", "type", "sharding", "feeds"}, {}, {}};
  auto add = [&](const char *key) {
    for (const Json &value : report.value(key, Json::array()))
      section.rows.push_back({getText(value, "name"), getText(value, "type"),
                              getText(value, "sharding"),
                              getText(value, "fed_by")});
  };
  add("arguments");
  add("results");
  return section;
}

Section getCollectives(const Json &report) {
  Section section{"Collectives, per device and step",
                  {"kind", "axes", "count", "result", "on the wire", "price",
                   "source", "value"},
                  {},
                  {}};
  for (const Json &c : report["collectives"]) {
    std::string kind = getText(c, "kind");
    if (std::string reduction = getText(c, "reduction"); !reduction.empty())
      kind += " " + reduction;
    section.rows.push_back({kind, getAxes(c), getText(c, "count"),
                            formatBytes(getNumber(c, "result_bytes")),
                            formatBytes(getNumber(c, "wire_bytes")),
                            formatSeconds(getNumber(c, "seconds")),
                            getText(c, "source"), getText(c, "value")});
    section.notes.push_back(getText(c, "reason"));
  }
  return section;
}

Section getMemory(const Json &report) {
  Section section{"Memory", {"device"}, {}, {}};
  const Json &memory = report["memory"];
  size_t devices = 0;
  for (const auto &[name, list] : memory.items()) {
    section.header.push_back(name);
    devices = std::max(devices, list.size());
  }
  for (size_t device = 0; device < devices; ++device) {
    std::vector<std::string> row = {std::to_string(device)};
    for (const auto &[name, list] : memory.items())
      row.push_back(
          device < list.size() ? formatBytes(list[device].get<double>()) : "");
    section.rows.push_back(std::move(row));
  }
  return section;
}

Section getTimeline(const Json &report) {
  Section section{"Timeline, per device and step",
                  {"what", "over", "times", "ops", "arithmetic", "result",
                   "price", "source"},
                  {},
                  {}};
  for (const Json &part : report.value("timeline", Json::array())) {
    bool isCompute = part.contains("ops");
    section.rows.push_back(
        {getText(part, "what"), getAxes(part), getText(part, "count"),
         getText(part, "ops"),
         isCompute ? formatFlops(getNumber(part, "flops")) : "",
         isCompute ? "" : formatBytes(getNumber(part, "result_bytes")),
         isCompute ? "" : formatSeconds(getNumber(part, "seconds")),
         getText(part, "source")});
  }
  return section;
}

Section getCompilation(const Json &report) {
  Section section{"Compilation", {"phase", "time"}, {}, {}};
  double sum = 0;
  for (const Json &phase : report["phases"]) {
    sum += getNumber(phase, "seconds");
    section.rows.push_back(
        {getText(phase, "name"), formatSeconds(getNumber(phase, "seconds"))});
  }
  section.rows.push_back({"all", formatSeconds(sum)});
  return section;
}

std::vector<Section> getSections(const Json &report) {
  return {getShardings(report), getCollectives(report), getMemory(report),
          getTimeline(report), getCompilation(report)};
}

/// Columns that fit: a terminal counts characters, not bytes.
size_t getWidth(const std::string &text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (c & 0xc0) != 0x80; });
}

void printText(const Section &section, std::string &text) {
  text += "\n" + section.title + "\n";
  if (section.rows.empty()) {
    text += "  none\n";
    return;
  }
  std::vector<size_t> widths(section.header.size(), 0);
  auto measure = [&](const std::vector<std::string> &row) {
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], getWidth(row[i]));
  };
  measure(section.header);
  for (const auto &row : section.rows)
    measure(row);
  auto print = [&](const std::vector<std::string> &row) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i)
      line += " " + row[i] + std::string(widths[i] - getWidth(row[i]) + 1, ' ');
    text += llvm::StringRef(line).rtrim().str() + "\n";
  };
  print(section.header);
  for (size_t i = 0; i < section.rows.size(); ++i) {
    print(section.rows[i]);
    if (i < section.notes.size() && !section.notes[i].empty())
      text += "      because " + section.notes[i] + "\n";
  }
}

std::string escape(const std::string &text) {
  std::string escaped;
  llvm::raw_string_ostream stream(escaped);
  llvm::printHTMLEscaped(text, stream);
  return escaped;
}

void printHtml(const Section &section, std::string &text) {
  text += "<h2>" + escape(section.title) + "</h2>\n<table>\n<tr>";
  for (const std::string &name : section.header)
    text += "<th>" + escape(name) + "</th>";
  text += "</tr>\n";
  for (size_t i = 0; i < section.rows.size(); ++i) {
    text += "<tr>";
    for (const std::string &cell : section.rows[i])
      text += "<td>" + escape(cell) + "</td>";
    text += "</tr>\n";
    if (i < section.notes.size() && !section.notes[i].empty())
      text += "<tr class=note><td colspan=" +
              std::to_string(section.header.size()) + ">" +
              escape(section.notes[i]) + "</td></tr>\n";
  }
  text += "</table>\n";
}

} // namespace

std::string makeExplanation(const Json &report) {
  std::string text = getHeadline(report) + "\n";
  for (const Section &section : getSections(report))
    printText(section, text);
  return text;
}

std::string makeExplanationPage(const Json &report) {
  std::string title = escape(getHeadline(report));
  std::string text =
      "<!doctype html>\n<meta charset=utf-8>\n<title>" + title +
      "</title>\n<style>body{font:14px sans-serif;margin:2em}"
      "table{border-collapse:collapse}th,td{padding:2px 10px;text-align:left;"
      "border-bottom:1px solid #ddd}.note td{color:#666;padding-left:3em}"
      "</style>\n<h1>" +
      title + "</h1>\n";
  for (const Section &section : getSections(report))
    printHtml(section, text);
  return text;
}

} // namespace partita
