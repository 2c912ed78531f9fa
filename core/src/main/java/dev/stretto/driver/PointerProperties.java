package dev.stretto.driver;

/**
 * What a driver knows of an address.
 *
 * @param kind what lies there
 * @param ordinal the device that has it, or through which it was pinned; -1 for ordinary host
 *     memory
 * @param base where the allocation begins, or 0 where the driver does not know
 * @param bytes how many it has, or 0 where the driver does not know
 */
public record PointerProperties(Kind kind, int ordinal, long base, long bytes) {
  /** What of the driver's ordinary host memory is known: nothing. */
  public static final PointerProperties ORDINARY = new PointerProperties(Kind.ORDINARY, -1, 0, 0);

  /** What can lie at an address. */
  public enum Kind {
    /** Device memory. */
    DEVICE,
    /** Host memory that is pinned. */
    PINNED,
    /** Memory that the driver moves between host and devices by itself. */
    MANAGED,
    /** Anything that the driver does not know. */
    ORDINARY
  }
}
