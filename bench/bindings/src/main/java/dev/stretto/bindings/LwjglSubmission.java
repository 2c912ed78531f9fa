package dev.stretto.bindings;

import static dev.stretto.bindings.LwjglBinding.check;
import static org.lwjgl.cuda.CU.CU_EVENT_DISABLE_TIMING;
import static org.lwjgl.cuda.CU.cuEventCreate;
import static org.lwjgl.cuda.CU.cuEventDestroy;
import static org.lwjgl.cuda.CU.cuEventRecord;
import static org.lwjgl.cuda.CU.cuLaunchKernel;
import static org.lwjgl.cuda.CU.cuMemcpyDtoH;
import static org.lwjgl.cuda.CU.cuMemcpyHtoDAsync;
import static org.lwjgl.cuda.CU.cuStreamSynchronize;
import static org.lwjgl.cuda.CU.cuStreamWaitEvent;
import static org.lwjgl.cuda.CU.ncuLaunchKernel;
import static org.lwjgl.cuda.CU.ncuMemcpyHtoDAsync;
import static org.lwjgl.system.MemoryUtil.memAddress;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** Small operations of LWJGL. */
final class LwjglSubmission implements Submission {
  private final LwjglBinding binding;
  private final boolean prepared;
  private final long stream;
  private final long other;
  private final long event;
  private final long array;
  private final ByteBuffer pinned;
  private final LongBuffer pinnedWords;
  private final ByteBuffer values = MemoryUtil.memCalloc(3 * Long.BYTES);
  private final PointerBuffer parameters = MemoryUtil.memAllocPointer(3);

  LwjglSubmission(LwjglBinding binding, boolean prepared) {
    this.binding = binding;
    this.prepared = prepared;
    binding.onClose(
        () -> {
          MemoryUtil.memFree(values);
          MemoryUtil.memFree(parameters);
        });
    this.array = binding.allocate(BYTES);
    this.pinned = binding.pinned(BYTES);
    this.pinnedWords = pinned.duplicate().order(ByteOrder.nativeOrder()).asLongBuffer();
    this.stream = binding.stream();
    this.other = binding.stream();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer pointer = stack.mallocPointer(1);
      check(cuEventCreate(pointer, CU_EVENT_DISABLE_TIMING));
      this.event = pointer.get(0);
    }
    binding.onClose(() -> check(cuEventDestroy(event)));
    values.putInt(0, 1).putLong(8, array).putFloat(16, 2f);
    for (int i = 0; i < 3; i++) {
      parameters.put(i, memAddress(values) + 8L * i);
    }
  }

  @Override
  public void fill(long[] words) {
    pinnedWords.put(0, words);
  }

  @Override
  public void copy() {
    if (prepared) {
      check(ncuMemcpyHtoDAsync(array, memAddress(pinned), BYTES, stream));
    } else {
      check(cuMemcpyHtoDAsync(array, pinned, stream));
    }
  }

  @Override
  public void copyArray(long[] words) {
    if (prepared) {
      fill(words);
      check(ncuMemcpyHtoDAsync(array, memAddress(pinned), BYTES, stream));
      check(cuStreamSynchronize(stream));
    } else {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        check(cuMemcpyHtoDAsync(array, stack.longs(words), stream));
        check(cuStreamSynchronize(stream));
      }
    }
  }

  @Override
  public void copyBack(long[] words) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer host = stack.mallocLong(words.length);
      check(cuMemcpyDtoH(host, array));
      host.get(0, words);
    }
  }

  @Override
  public void launch() {
    if (prepared) {
      check(ncuLaunchKernel(binding.empty, 1, 1, 1, 1, 1, 1, 0, stream, memAddress(parameters), 0));
    } else {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        PointerBuffer arguments =
            stack.pointers(
                memAddress(stack.ints(1)),
                memAddress(stack.longs(array)),
                memAddress(stack.floats(2f)));
        check(cuLaunchKernel(binding.empty, 1, 1, 1, 1, 1, 1, 0, stream, arguments, null));
      }
    }
  }

  @Override
  public void recordAndWait() {
    check(cuEventRecord(event, stream));
    check(cuStreamWaitEvent(other, event, 0));
  }

  @Override
  public void await() {
    check(cuStreamSynchronize(stream));
    check(cuStreamSynchronize(other));
  }
}
