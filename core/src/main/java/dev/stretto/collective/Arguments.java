package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalArray;
import java.util.List;
import java.util.Objects;

/** Checks a collective's arrays before anything is enqueued. */
final class Arguments {
  private final List<Device> devices;

  Arguments(List<Device> devices) {
    this.devices = devices;
  }

  static void requireDistinct(List<Device> devices) {
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("a collective without devices: it needs one or more");
    }
    for (int i = 0; i < devices.size(); i++) {
      int first = devices.indexOf(devices.get(i));
      if (first < i) {
        throw new IllegalArgumentException(
            "%s is both device %d and device %d of a collective: name each device once"
                .formatted(devices.get(i).name(), first, i));
      }
    }
  }

  void requireUsable() {
    for (Device device : devices) {
      if (!device.isOpen()) {
        throw new ClosedException(
            device.name() + " is closed, and therefore the collective that it is part of");
      }
      if (device.isLost()) {
        throw new DeviceLostException(
            device.name()
                + " was lost, and therefore the collective that it is part of: make "
                + "one of the other devices");
      }
    }
  }

  /** {@return the position of the device that holds an array} */
  int owner(String name, GlobalArray array) {
    requireContents(name, array);
    int owner = devices.indexOf(Device.of(array));
    if (owner < 0) {
      throw new IllegalArgumentException(
          "the %s, %s, is on a device that is not part of the collective: %s"
              .formatted(name, array, names()));
    }
    return owner;
  }

  /** Requires one array for each device, in the order of the devices. */
  void requireOneEach(String name, List<? extends GlobalArray> arrays) {
    requireCount(name, arrays, devices.size(), "one for each device, in their order");
    for (int i = 0; i < devices.size(); i++) {
      requireOn(i, name + " " + i, arrays.get(i));
    }
  }

  /** Requires one array for each device but the root, in the order of the devices. */
  void requireOthers(String name, List<? extends GlobalArray> arrays, int root) {
    requireCount(
        name,
        arrays,
        devices.size() - 1,
        "one for each device but %s, in their order".formatted(devices.get(root).name()));
    for (int i = 0; i < arrays.size(); i++) {
      requireOn(i < root ? i : i + 1, name + " " + i, arrays.get(i));
    }
  }

  private void requireCount(
      String name, List<? extends GlobalArray> arrays, int count, String which) {
    if (arrays.size() != count) {
      throw new IllegalArgumentException(
          "%d arrays (%ss) for %d devices: %d are needed, %s"
              .formatted(arrays.size(), name, devices.size(), count, which));
    }
  }

  private void requireOn(int device, String name, GlobalArray array) {
    requireContents(name, array);
    if (!Device.of(array).equals(devices.get(device))) {
      throw new IllegalArgumentException(
          "%s, %s, must be on %s: pass the arrays in the order of the devices, %s"
              .formatted(name, array, devices.get(device).name(), names()));
    }
  }

  /** {@return the events that a collective waits for} */
  static List<Event> events(Event... after) {
    for (Event event : after) {
      Objects.requireNonNull(event, "an element of after");
    }
    return List.of(after);
  }

  private static void requireContents(String name, GlobalArray array) {
    Objects.requireNonNull(array, name);
    if (!array.isOpen()) {
      throw new ClosedException("the %s, %s, is closed".formatted(name, array));
    }
    if (array.length() == 0) {
      throw new IllegalArgumentException(
          "the %s, %s, has no elements: there is nothing to copy".formatted(name, array));
    }
  }

  /** Requires that all parts have the size of the first one, and elements of the same size. */
  static void requireSame(
      String firstName, GlobalArray first, String name, List<? extends GlobalArray> arrays) {
    for (int i = 0; i < arrays.size(); i++) {
      GlobalArray array = arrays.get(i);
      requireElements(firstName, first, name + " " + i, array);
      if (array.byteSize() != first.byteSize()) {
        throw new IllegalArgumentException(
            "the %s has %d bytes and %s %d has %d: slice the larger one to the size of the other"
                .formatted(firstName, first.byteSize(), name, i, array.byteSize()));
      }
    }
  }

  /** Requires that a whole has as many bytes as one part for each device. */
  void requireWhole(String partName, GlobalArray part, String wholeName, GlobalArray whole) {
    requireElements(partName, part, wholeName, whole);
    long bytes = Math.multiplyExact(part.byteSize(), devices.size());
    if (whole.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "the %s has %d bytes and must have %d: %d for each of %d devices"
              .formatted(wholeName, whole.byteSize(), bytes, part.byteSize(), devices.size()));
    }
  }

  /** Requires that a whole can be cut into as many equal parts as there are devices. */
  void requireParts(String name, GlobalArray whole) {
    if (whole.length() % devices.size() != 0) {
      throw new IllegalArgumentException(
          ("the %s has %d elements, which cannot be split equally among %d devices: "
                  + "slice it to %d")
              .formatted(
                  name,
                  whole.length(),
                  devices.size(),
                  whole.length() / devices.size() * devices.size()));
    }
  }

  private static void requireElements(
      String firstName, GlobalArray first, String name, GlobalArray array) {
    if (array.elementBytes() != first.elementBytes()) {
      throw new IllegalArgumentException(
          ("the elements of the %s have %d bytes and those of the %s have %d: they "
                  + "must have the same size")
              .formatted(firstName, first.elementBytes(), name, array.elementBytes()));
    }
  }

  /**
   * Requires that two arrays of a device, which are read and written at the same time, do not
   * overlap.
   */
  static void requireApart(String name, GlobalArray array, String otherName, GlobalArray other) {
    if (overlap(array, other)) {
      throw new IllegalArgumentException(
          "the %s, %s, and the %s, %s, overlap: nothing is exchanged in place"
              .formatted(name, array, otherName, other));
    }
  }

  private static boolean overlap(GlobalArray one, GlobalArray other) {
    return one.address() < other.address() + other.byteSize()
        && other.address() < one.address() + one.byteSize();
  }

  /**
   * {@return whether a part already lies at its destination}; a part that lies there only partially
   * is refused
   */
  static boolean isInPlace(
      String name, GlobalArray part, String wholeName, GlobalArray whole, GlobalArray slot) {
    if (part.address() == slot.address()) {
      return true;
    }
    if (overlap(part, whole)) {
      throw new IllegalArgumentException(
          ("the %s, %s, overlaps the %s, %s: it must lie outside, or be the slice of "
                      + "%d bytes from")
                  .formatted(name, part, wholeName, whole, slot.byteSize())
              + " byte %d on".formatted(slot.address() - whole.address()));
    }
    return false;
  }

  private String names() {
    return String.join(", ", devices.stream().map(Device::name).toList());
  }
}
