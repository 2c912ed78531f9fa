package dev.stretto;

import dev.stretto.driver.CopyKind;

/** The two directions of a copy between host memory and a device. */
enum Direction {
  TO_DEVICE(
      CopyKind.HOST_TO_DEVICE,
      Observer.Kind.HOST_TO_DEVICE,
      "from host memory to a device",
      "Memcpy HtoD (Pinned -> Device)",
      "Memcpy HtoD (Pageable -> Device)"),
  TO_HOST(
      CopyKind.DEVICE_TO_HOST,
      Observer.Kind.DEVICE_TO_HOST,
      "from a device to host memory",
      "Memcpy DtoH (Device -> Pinned)",
      "Memcpy DtoH (Device -> Pageable)");

  private final CopyKind kind;
  private final Observer.Kind observed;
  private final String words;
  private final String pinnedName;
  private final String pageableName;

  Direction(
      CopyKind kind, Observer.Kind observed, String words, String pinnedName, String pageableName) {
    this.kind = kind;
    this.observed = observed;
    this.words = words;
    this.pinnedName = pinnedName;
    this.pageableName = pageableName;
  }

  CopyKind kind() {
    return kind;
  }

  Observer.Kind observed() {
    return observed;
  }

  /** As part of a sentence. */
  String words() {
    return words;
  }

  /** What a timeline calls such a copy: the names that profilers use. */
  String name(boolean pinned) {
    return pinned ? pinnedName : pageableName;
  }
}
