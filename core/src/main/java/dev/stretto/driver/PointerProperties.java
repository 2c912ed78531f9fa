package dev.stretto.driver;

/**
 * What a driver knows about an address.
 *
 * @param kind the kind of memory
 * @param ordinal the device that holds the memory, or through which it was pinned; -1 for ordinary
 *     host memory
 * @param base the beginning of the allocation, or 0 if the driver does not know it
 * @param bytes the size of the allocation, or 0 if the driver does not know it
 */
public record PointerProperties(Kind kind, int ordinal, long base, long bytes) {
  /** Ordinary host memory, about which the driver knows nothing. */
  public static final PointerProperties ORDINARY = new PointerProperties(Kind.ORDINARY, -1, 0, 0);

  /** A kind of memory. */
  public enum Kind {
    /** Device memory. */
    DEVICE,
    /** Host memory that is pinned. */
    PINNED,
    /** Memory that the driver migrates between host and devices. */
    MANAGED,
    /** Memory that the driver does not know. */
    ORDINARY
  }
}
