package dev.stretto.kernel;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.TensorLayout;
import dev.stretto.kernel.machine.Resident;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;

/** Converts tensor maps between programs, drivers and kernels. */
public final class TensorParameters {
  private TensorParameters() {}

  /**
   * {@return a tensor map as the numbers that a driver encodes}
   *
   * @param map of an open array
   */
  public static TensorLayout layout(TensorMap map) {
    int rank = map.dimensions();
    long[] extents = new long[rank];
    long[] strides = new long[rank - 1];
    int[] steps = new int[rank];
    for (int i = 0; i < rank; i++) {
      extents[i] = map.extent(i);
      steps[i] = map.step(i);
      if (i > 0) {
        strides[i - 1] = map.stride(i);
      }
    }
    int[] box = new int[map.isIm2col() ? 2 : rank];
    for (int i = 0; i < box.length; i++) {
      box[i] = map.box(i);
    }
    // The constants are in the order of cuda.h.
    return new TensorLayout(
        map.element().ordinal(),
        map.array().address(),
        extents,
        strides,
        box,
        steps,
        map.interleave().ordinal(),
        map.swizzle().ordinal(),
        map.promotion().ordinal(),
        map.fill().ordinal(),
        map.lowerCorner(),
        map.upperCorner());
  }

  /** A tensor map as a kernel on a virtual device gets it. */
  static TensorMap resident(TensorLayout layout, KernelTwin.DeviceMemory memory) {
    TensorMap.Element element = TensorMap.Element.values()[layout.element()];
    TensorMap.Interleave interleave = TensorMap.Interleave.values()[layout.interleave()];
    int place = interleave == TensorMap.Interleave.NONE ? element.bytes() : interleave.bytes();
    long bytes = (layout.extents()[0] * place + 15) & -16;
    for (int i = 0; i < layout.strides().length; i++) {
      bytes += (layout.extents()[i + 1] - 1) * layout.strides()[i];
    }
    MemorySegment all = memory.at(layout.address());
    MemorySegment tensor = all.asSlice(0, Math.min(bytes, all.byteSize()));
    TensorMap.Builder map =
        TensorMap.of(array(element, new Resident(layout.address(), tensor)))
            .element(element)
            .shape(layout.extents())
            .strides(layout.strides());
    if (layout.isIm2col()) {
      map.im2col(layout.box()[0], layout.box()[1])
          .lowerCorner(layout.lowerCorner())
          .upperCorner(layout.upperCorner());
    } else {
      map.box(layout.box());
    }
    if (tensor.byteSize() < bytes) {
      map.partial();
    }
    return map.steps(layout.steps())
        .interleave(interleave)
        .swizzle(TensorMap.Swizzle.values()[layout.swizzle()])
        .promotion(TensorMap.L2Promotion.values()[layout.promotion()])
        .fill(TensorMap.Fill.values()[layout.fill()])
        .build();
  }

  private static GlobalArray array(TensorMap.Element element, Resident tensor) {
    return switch (element) {
      case UINT8 -> GlobalBytes.of(tensor);
      case UINT16 -> GlobalShorts.of(tensor);
      case UINT32, INT32 -> GlobalInts.of(tensor);
      case UINT64, INT64 -> GlobalLongs.of(tensor);
      case FLOAT16 -> GlobalHalfs.of(tensor);
      case FLOAT32 -> GlobalFloats.of(tensor);
      case FLOAT64 -> GlobalDoubles.of(tensor);
      case BFLOAT16 -> GlobalBfloats.of(tensor);
    };
  }
}
