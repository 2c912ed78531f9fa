package dev.stretto.enqueue;

import dev.stretto.driver.CopyKind;
import dev.stretto.observe.WorkKind;

/** The two directions of a copy between host memory and a device. */
public enum Direction {
  TO_DEVICE(
      CopyKind.HOST_TO_DEVICE,
      WorkKind.HOST_TO_DEVICE,
      "from host memory to a device",
      "Memcpy HtoD (Pinned -> Device)",
      "Memcpy HtoD (Pageable -> Device)"),
  TO_HOST(
      CopyKind.DEVICE_TO_HOST,
      WorkKind.DEVICE_TO_HOST,
      "from a device to host memory",
      "Memcpy DtoH (Device -> Pinned)",
      "Memcpy DtoH (Device -> Pageable)");

  private final CopyKind kind;
  private final WorkKind observed;
  private final String words;
  private final String pinnedName;
  private final String pageableName;

  Direction(
      CopyKind kind, WorkKind observed, String words, String pinnedName, String pageableName) {
    this.kind = kind;
    this.observed = observed;
    this.words = words;
    this.pinnedName = pinnedName;
    this.pageableName = pageableName;
  }

  public CopyKind kind() {
    return kind;
  }

  WorkKind observed() {
    return observed;
  }

  /** The direction as part of a sentence. */
  String words() {
    return words;
  }

  /** The name of such a copy in a timeline: the one that profilers use. */
  public String name(boolean pinned) {
    return pinned ? pinnedName : pageableName;
  }
}
