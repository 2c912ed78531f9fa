package dev.stretto.collective.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@code ncclConfig_t}: the library takes structures of earlier versions, and says so by size. */
final class NcclConfig {
  private static final int MAGIC = 0xcafebeef;

  /** {@code NCCL_CONFIG_UNDEF_INT} */
  private static final int UNSET = Integer.MIN_VALUE;

  /** {@code NCCL_CTA_POLICY_ZERO} */
  private static final int ZERO_CTA = 2;

  private NcclConfig() {}

  /** {@return that of 2.14, which ends with {@code blocking}} */
  static MemorySegment nonBlocking(Arena arena) {
    MemorySegment config = begin(arena, 24, 21_400);
    config.set(JAVA_INT, 16, 0); // not blocking
    config.set(JAVA_INT, 20, UNSET); // what later versions have there
    return config;
  }

  /** {@return that of 2.18, which ends with {@code splitShare}, for a split that shares all} */
  static MemorySegment blocking(Arena arena) {
    return split(arena, 48, 21_800);
  }

  /**
   * {@return that of 2.28, for the same split: copy engines do what they can, which is what is done
   * with registered windows; anything else is as without}
   */
  static MemorySegment byCopyEngines(Arena arena) {
    MemorySegment config = split(arena, 80, 22_800);
    config.set(JAVA_LONG, 48, 0); // commName
    config.set(JAVA_INT, 56, UNSET); // collnetEnable
    config.set(JAVA_INT, 60, ZERO_CTA); // CTAPolicy
    config.set(JAVA_INT, 64, UNSET); // shrinkShare
    config.set(JAVA_INT, 68, UNSET); // nvlsCTAs
    config.set(JAVA_INT, 72, UNSET); // nChannelsPerNetPeer
    config.set(JAVA_INT, 76, UNSET); // nvlinkCentricSched
    return config;
  }

  private static MemorySegment split(Arena arena, int bytes, int version) {
    MemorySegment config = begin(arena, bytes, version);
    config.set(JAVA_INT, 16, 1); // blocking
    config.set(JAVA_INT, 20, UNSET); // cgaClusterSize
    config.set(JAVA_INT, 24, UNSET); // minCTAs
    config.set(JAVA_INT, 28, UNSET); // maxCTAs
    config.set(JAVA_LONG, 32, 0); // netName
    config.set(JAVA_INT, 40, 1); // splitShare
    config.set(JAVA_INT, 44, UNSET); // trafficClass, which versions before 2.27 do not have
    return config;
  }

  private static MemorySegment begin(Arena arena, int bytes, int version) {
    MemorySegment config = arena.allocate(bytes, Long.BYTES);
    config.set(JAVA_LONG, 0, bytes);
    config.set(JAVA_INT, 8, MAGIC);
    config.set(JAVA_INT, 12, version);
    return config;
  }
}
