//===- Diagnosis.cpp - Who waits for whom -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Program.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace partita {
namespace {
constexpr size_t kMaxReported = 4;

/// "device 3", "devices 0, 1, 2 and 60 more".
std::string listDevices(const std::vector<int64_t> &ids) {
  constexpr size_t kMaxListed = 8;
  size_t shown = std::min(ids.size(), kMaxListed);
  std::string text =
      absl::StrCat(ids.size() == 1 ? "device " : "devices ",
                   absl::StrJoin(ids.begin(), ids.begin() + shown, ", "));
  if (shown < ids.size())
    absl::StrAppend(&text, " and ", ids.size() - shown, " more");
  return text;
}

/// "all-reduce 4 (model.py:31)".
std::string describe(const plan::Collective &collective) {
  std::string text = absl::StrCat(std::string(getName(collective.kind())), " ",
                                  collective.sequence());
  if (!collective.location().empty())
    absl::StrAppend(&text, " (", collective.location(), ")");
  return text;
}
} // namespace

std::string Program::describeDevice(const Device &device) const {
  std::string text = absl::StrCat("device ", device.getId());
  switch (device.getState()) {
  case Device::State::Ended:
    return text + " has ended";
  case Device::State::Waiting:
    return absl::StrCat(text, " waits at ",
                        describe(*device.getMeeting().source));
  case Device::State::Ready:
    break;
  }
  return absl::StrCat(text, " is at ", device.describePlace());
}

std::string Program::describeMeeting(const Rendezvous &meeting) const {
  std::vector<int64_t> present, absent;
  const Device *first = nullptr;
  const plan::Collective *collective = nullptr;
  for (const Device *member : meeting.getMembers()) {
    const Rendezvous *at = nullptr;
    if (member->getState() == Device::State::Waiting) {
      size_t exchange = member->getMeeting().exchange;
      auto group = static_cast<size_t>(
          schedule->exchanges[exchange]->getGroup(member->getId()));
      at = session->meetings[exchange][group].get();
    }
    bool isPresent = at == &meeting;
    (isPresent ? present : absent).push_back(member->getId());
    if (isPresent)
      collective = member->getMeeting().source;
    else if (!first)
      first = member;
  }
  std::string text = absl::StrCat(
      listDevices(present), " at ", describe(*collective),
      present.size() == 1 ? " waits for " : " wait for ", listDevices(absent));
  if (first)
    absl::StrAppend(&text, "; ", describeDevice(*first));
  return text;
}

std::string Program::describeWaiting() const {
  std::vector<std::string> reports;
  size_t numLeft = 0;
  auto add = [&](auto &&describe) {
    if (reports.size() < kMaxReported)
      reports.push_back(describe());
    else
      ++numLeft;
  };
  for (const auto &meetings : session->meetings)
    for (const std::unique_ptr<Rendezvous> &meeting : meetings)
      if (meeting->getNumArrived() > 0)
        add([&] { return describeMeeting(*meeting); });
  for (const std::unique_ptr<Device> &device : devices)
    if (device->getState() == Device::State::Ready)
      add([&] { return describeDevice(*device); });
  if (numLeft)
    reports.push_back(absl::StrCat("and ", numLeft, " more"));
  return absl::StrJoin(reports, "; ");
}

} // namespace partita
