package dev.stretto.timeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says in which rows of a page an operation is: of which devices, and of which branch of a graph.
 */
final class PageRows {
  private final List<DeviceGroup> devices;
  private final Map<Integer, Integer> places = new HashMap<>();
  private final Set<Span> onEngines = Collections.newSetFromMap(new IdentityHashMap<>());
  private final IdentityHashMap<Span, Integer> branches = new IdentityHashMap<>();

  PageRows(List<Span> spans) {
    devices = DeviceGroup.of(spans);
    for (int i = 0; i < devices.size(); i++) {
      places.putIfAbsent(devices.get(i).number(), i);
    }
    onEngines.addAll(Span.onEngines(spans));
    Map<Integer, List<Span>> streams = new HashMap<>();
    spans.stream()
        .filter(Span::isNode)
        .forEach(span -> streams.computeIfAbsent(span.stream(), s -> new ArrayList<>()).add(span));
    for (List<Span> nodes : streams.values()) {
      List<List<Span>> rows = Branches.of(nodes);
      for (int i = 0; i < rows.size(); i++) {
        for (Span node : rows.get(i)) {
          branches.put(node, i + 1);
        }
      }
    }
  }

  /** {@return the devices' names, in the order of their rows} */
  List<String> devices() {
    return devices.stream().map(DeviceGroup::name).toList();
  }

  /** {@return the index of the operation's device} */
  long device(Span span) {
    return device(span.device());
  }

  /** {@return the index of a device of that number, or 0} */
  long device(int number) {
    return places.getOrDefault(number, 0);
  }

  /** {@return the index of the other device of a copy between two, or -1} */
  long other(Span span) {
    if (!span.from().isEmpty() || !span.to().isEmpty()) {
      for (int i = 0; i < devices.size(); i++) {
        if (devices.get(i).number() != span.device() && span.reaches(devices.get(i).name())) {
          return i;
        }
      }
    }
    return -1;
  }

  /**
   * {@return the branch of a node, counted from 1; 0 for what is no node, and -1 for a launch whose
   * nodes are known}
   */
  long branch(Span span) {
    return branches.getOrDefault(span, onEngines.contains(span) ? 0 : -1);
  }
}
