package dev.stretto.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rows of a picture that belong to one device.
 *
 * @param number the device's number in its timeline; negative for a device that was not recorded,
 *     and is known by copies of others alone
 * @param name the device's name
 * @param spans those of the device, in the order of the timeline, and copies of other devices from
 *     and to it
 */
record DeviceGroup(int number, String name, List<Span> spans) {
  /** {@return a group for each device, the recorded ones first} */
  static List<DeviceGroup> of(List<Span> spans) {
    Map<Integer, String> recorded = new TreeMap<>();
    spans.forEach(span -> recorded.putIfAbsent(span.device(), span.deviceName()));
    List<DeviceGroup> groups = new ArrayList<>();
    recorded.forEach((number, name) -> groups.add(group(number, name, spans)));
    spans.stream()
        .flatMap(span -> Stream.of(span.from(), span.to()))
        .filter(name -> !name.isEmpty() && !recorded.containsValue(name))
        .distinct()
        .sorted()
        .forEach(name -> groups.add(group(-1, name, spans)));
    return groups;
  }

  private static DeviceGroup group(int number, String name, List<Span> spans) {
    return new DeviceGroup(
        number,
        name,
        spans.stream().filter(span -> span.device() == number || span.reaches(name)).toList());
  }

  /** {@return the spans that were enqueued on the device's streams} */
  List<Span> ofStreams() {
    return spans.stream().filter(span -> span.device() == number && !span.isOfHost()).toList();
  }
}
