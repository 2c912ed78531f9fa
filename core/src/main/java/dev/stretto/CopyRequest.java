package dev.stretto;

import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * One copy of a batch: any pair of ends that {@link Stream#copy} takes. See {@link
 * Stream#copyAll(java.util.List)}.
 */
public sealed interface CopyRequest {
  /**
   * Host memory to the device.
   *
   * @param source as for {@link Stream#copy(MemorySegment, GlobalArray)}
   * @param destination as many bytes
   * @param access when the source may be read
   */
  record ToDevice(MemorySegment source, GlobalArray destination, SourceAccess access)
      implements CopyRequest {
    /** Refuses null. */
    public ToDevice {
      requireEnds(source, destination, access);
    }

    @Override
    public ToDevice reading(SourceAccess when) {
      return new ToDevice(source, destination, when);
    }
  }

  /**
   * The device to host memory.
   *
   * @param source as for {@link Stream#copy(GlobalArray, MemorySegment)}
   * @param destination as many bytes
   * @param access when the source may be read
   */
  record ToHost(GlobalArray source, MemorySegment destination, SourceAccess access)
      implements CopyRequest {
    /** Refuses null. */
    public ToHost {
      requireEnds(source, destination, access);
    }

    @Override
    public ToHost reading(SourceAccess when) {
      return new ToHost(source, destination, when);
    }
  }

  /**
   * Within the device, or from device to device.
   *
   * @param source as for {@link Stream#copy(GlobalArray, GlobalArray)}
   * @param destination as many bytes
   * @param access when the source may be read
   */
  record OnDevices(GlobalArray source, GlobalArray destination, SourceAccess access)
      implements CopyRequest {
    /** Refuses null. */
    public OnDevices {
      requireEnds(source, destination, access);
    }

    @Override
    public OnDevices reading(SourceAccess when) {
      return new OnDevices(source, destination, when);
    }
  }

  /**
   * From host memory to host memory.
   *
   * @param source as for {@link Stream#copy(MemorySegment, MemorySegment)}
   * @param destination as many bytes
   * @param access when the source may be read
   */
  record OnHost(MemorySegment source, MemorySegment destination, SourceAccess access)
      implements CopyRequest {
    /** Refuses null. */
    public OnHost {
      requireEnds(source, destination, access);
    }

    @Override
    public OnHost reading(SourceAccess when) {
      return new OnHost(source, destination, when);
    }
  }

  /** {@return when the source may be read} */
  SourceAccess access();

  /**
   * {@return the same copy with another rule for when its source may be read}
   *
   * @param when the new rule; the default is the order of the stream
   */
  CopyRequest reading(SourceAccess when);

  /**
   * {@return a copy of host memory to the device}
   *
   * @param source as for {@link Stream#copy(MemorySegment, GlobalArray)}; of an array {@link
   *     MemorySegment#ofArray}
   * @param destination as many bytes
   */
  static CopyRequest of(MemorySegment source, GlobalArray destination) {
    return new ToDevice(source, destination, SourceAccess.STREAM_ORDER);
  }

  /**
   * {@return a copy of device memory to host memory}
   *
   * @param source as for {@link Stream#copy(GlobalArray, MemorySegment)}
   * @param destination as many bytes; of an array {@link MemorySegment#ofArray}
   */
  static CopyRequest of(GlobalArray source, MemorySegment destination) {
    return new ToHost(source, destination, SourceAccess.STREAM_ORDER);
  }

  /**
   * {@return a copy within the device, or from device to device}
   *
   * @param source as for {@link Stream#copy(GlobalArray, GlobalArray)}
   * @param destination as many bytes
   */
  static CopyRequest of(GlobalArray source, GlobalArray destination) {
    return new OnDevices(source, destination, SourceAccess.STREAM_ORDER);
  }

  /**
   * {@return a copy from host memory to host memory}
   *
   * @param source as for {@link Stream#copy(MemorySegment, MemorySegment)}
   * @param destination as many bytes
   */
  static CopyRequest of(MemorySegment source, MemorySegment destination) {
    return new OnHost(source, destination, SourceAccess.STREAM_ORDER);
  }

  private static void requireEnds(Object source, Object destination, Object access) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(access, "access");
  }
}
