package dev.stretto;

import dev.stretto.route.Way;

/**
 * The route that a copy took, and the reason.
 *
 * @param kind the kind of route
 * @param reason one sentence
 */
public record Route(Kind kind, String reason) {
  /** The kinds of routes that a copy can take. */
  public enum Kind {
    /** One asynchronous driver copy between pinned host memory and the device. */
    DIRECT,
    /**
     * For pageable host memory: pump threads move pieces through pinned buffers while the copy
     * engine drains or fills them.
     */
    STAGED,
    /**
     * A small copy from pageable host memory to the device, in rows or planes too: the calling
     * thread moves the bytes into a pinned buffer, before the call returns.
     */
    INLINE,
    /** A copy within one device. */
    LOCAL,
    /** A copy from one device to another over the link between them. */
    PEER,
    /**
     * A copy between two devices that have no access to each other: pieces go through pinned
     * buffers, from the sender to the host and from there to the receiver at the same time.
     */
    PEER_STAGED,
    /**
     * The same, but the driver stages the copy through its own buffers. Slower; taken only if
     * pinned memory is not available, or on demand.
     */
    PEER_BY_DRIVER,
    /**
     * A copy between devices of different drivers, for example a GPU and a virtual device: through
     * pageable host memory, staged on both sides.
     */
    STRANGER_STAGED,
    /** A copy between two places of host memory, in the order of the stream, by a host thread. */
    HOST,
    /**
     * The driver's own path for pageable memory. It makes the caller wait, usually for the whole
     * copy, and is slow: a fifth of the rate of staging on an H200. Taken only on demand, to
     * compare, or to show the speed of a port without pinned memory. If a registration of the
     * memory was closed, the call first waits until the memory is unpinned: until then the driver
     * would copy it directly, without making the caller wait.
     */
    AWAITED_PAGEABLE;

    /** {@return the way that this kind stands for inside the library} */
    Way way() {
      return Way.valueOf(name());
    }
  }

  private static final Route DIRECT =
      new Route(
          Kind.DIRECT, "the host memory is pinned, so the copy engine reads or writes it directly");
  private static final Route STAGED =
      new Route(
          Kind.STAGED,
          "the host memory is not pinned, so pump threads move it through pinned buffers, in"
              + " parallel with the copy engine");
  private static final Route ASIDE =
      new Route(
          Kind.STAGED,
          "the host memory is not pinned and only its own thread may access it, so that thread has"
              + " copied these few bytes to a buffer for the pump threads");
  private static final Route READ_AT_CALL =
      new Route(
          Kind.STAGED,
          "the source had to be read during the call, so the calling thread has copied these bytes"
              + " to a buffer for the pump threads");
  private static final Route INLINE =
      new Route(
          Kind.INLINE,
          "the host memory is not pinned and small, so the calling thread has moved it into a"
              + " pinned buffer");
  private static final Route DIRECT_IN_BATCH =
      new Route(
          Kind.DIRECT,
          "the host memory is pinned, so the copy engine reads or writes it directly; one call"
              + " passed the driver this copy and others of the batch");
  private static final Route LOCAL_IN_BATCH =
      new Route(
          Kind.LOCAL,
          "both ends lie on the same device; one call passed the driver this copy and"
              + " others of the batch");
  private static final Route LOCAL = new Route(Kind.LOCAL, "both ends lie on the same device");
  private static final Route PEER =
      new Route(
          Kind.PEER,
          "one of the devices has access to the other's memory, so a copy engine writes there"
              + " directly");
  private static final Route PEER_STAGED =
      new Route(
          Kind.PEER_STAGED,
          "access between the devices is not enabled, so pieces go through pinned host memory on"
              + " both links at once");
  private static final Route PEER_BY_DRIVER =
      new Route(Kind.PEER_BY_DRIVER, "demanded: the driver's own way, usually through host memory");
  private static final Route PEER_WITHOUT_SLOTS =
      new Route(
          Kind.PEER_BY_DRIVER,
          "access between the devices is not enabled, and no host memory could be pinned to stage"
              + " the copy, so the driver stages it");
  private static final Route STRANGER_STAGED =
      new Route(
          Kind.STRANGER_STAGED,
          "the devices belong to different drivers, so pieces go through host memory that each"
              + " driver stages");
  private static final Route HOST =
      new Route(
          Kind.HOST,
          "both ends are host memory, so a host thread copies when the turn of the copy in the"
              + " stream comes");
  private static final Route AWAITED_PAGEABLE =
      new Route(
          Kind.AWAITED_PAGEABLE, "demanded: the driver's own path for memory that is not pinned");

  /** {@return the public description of a way} */
  static Route of(Way way) {
    return switch (way) {
      case DIRECT -> DIRECT;
      case STAGED -> STAGED;
      case ASIDE -> ASIDE;
      case READ_AT_CALL -> READ_AT_CALL;
      case INLINE -> INLINE;
      case DIRECT_IN_BATCH -> DIRECT_IN_BATCH;
      case LOCAL_IN_BATCH -> LOCAL_IN_BATCH;
      case LOCAL -> LOCAL;
      case PEER -> PEER;
      case PEER_STAGED -> PEER_STAGED;
      case PEER_BY_DRIVER -> PEER_BY_DRIVER;
      case PEER_WITHOUT_SLOTS -> PEER_WITHOUT_SLOTS;
      case STRANGER_STAGED -> STRANGER_STAGED;
      case HOST -> HOST;
      case AWAITED_PAGEABLE -> AWAITED_PAGEABLE;
    };
  }
}
