package dev.stretto.bindings;

import static dev.stretto.bindings.LwjglBinding.check;
import static org.lwjgl.cuda.CU.CU_EVENT_DISABLE_TIMING;
import static org.lwjgl.cuda.CU.cuEventCreate;
import static org.lwjgl.cuda.CU.cuEventDestroy;
import static org.lwjgl.cuda.CU.cuEventRecord;
import static org.lwjgl.cuda.CU.cuEventSynchronize;
import static org.lwjgl.cuda.CU.ncuLaunchKernel;
import static org.lwjgl.cuda.CU.ncuMemcpyDtoHAsync;
import static org.lwjgl.cuda.CU.ncuMemcpyHtoDAsync;
import static org.lwjgl.system.MemoryUtil.memAddress;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * A lane of LWJGL. The parameters of launches are written once into native memory; their values are
 * set there. The calls are those that take addresses, without checks of buffers.
 */
final class LwjglLane implements Lane {
  private static final int FROM = 0;
  private static final int TO = 8;
  private static final int COUNT = 16;
  private static final int COUNTER = 24;
  private static final int TOTAL = 32;
  private static final int KEY = 40;
  private static final int NONCE = 104;

  private final LwjglBinding binding;
  private final long stream;
  private final long event;
  private final ByteBuffer toDevice;
  private final ByteBuffer fromDevice;
  private final long from;
  private final long to;

  /** Values, each in 8 bytes: from, to, count, counter, total, then key and nonce. */
  private final ByteBuffer values = MemoryUtil.memCalloc(16 * Long.BYTES);

  private final PointerBuffer cipherParameters = MemoryUtil.memAllocPointer(15);
  private final PointerBuffer sumParameters = MemoryUtil.memAllocPointer(3);

  LwjglLane(LwjglBinding binding, int bytes) {
    this.binding = binding;
    binding.onClose(
        () -> {
          MemoryUtil.memFree(values);
          MemoryUtil.memFree(cipherParameters);
          MemoryUtil.memFree(sumParameters);
        });
    this.toDevice = binding.pinned(bytes);
    this.fromDevice = binding.pinned(bytes);
    this.from = binding.allocate(bytes);
    this.to = binding.allocate(bytes);
    this.stream = binding.stream();
    this.event = event();
    values.putLong(FROM, from).putLong(TO, to).putLong(TOTAL, binding.total);
    cipherParameters.put(at(FROM)).put(at(TO)).put(at(COUNT));
    putWords(KEY, Kernels.KEY);
    cipherParameters.put(at(COUNTER));
    putWords(NONCE, Kernels.NONCE);
    cipherParameters.flip();
    sumParameters.put(at(FROM)).put(at(COUNT)).put(at(TOTAL)).flip();
  }

  private long event() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer pointer = stack.mallocPointer(1);
      check(cuEventCreate(pointer, CU_EVENT_DISABLE_TIMING));
      long created = pointer.get(0);
      binding.onClose(() -> check(cuEventDestroy(created)));
      return created;
    }
  }

  private long at(int offset) {
    return memAddress(values) + offset;
  }

  private void putWords(int offset, List<Integer> words) {
    for (int i = 0; i < words.size(); i++) {
      values.putInt(offset + 8 * i, words.get(i));
      cipherParameters.put(at(offset + 8 * i));
    }
  }

  @Override
  public ByteBuffer toDevice() {
    return toDevice.duplicate().order(ByteOrder.nativeOrder());
  }

  @Override
  public ByteBuffer fromDevice() {
    return fromDevice.duplicate().order(ByteOrder.nativeOrder());
  }

  @Override
  public void in(int bytes, long position) {
    check(ncuMemcpyHtoDAsync(binding.in + position, memAddress(toDevice), bytes, stream));
    check(cuEventRecord(event, stream));
  }

  @Override
  public void out(int bytes, long position) {
    check(ncuMemcpyDtoHAsync(memAddress(fromDevice), binding.in + position, bytes, stream));
    check(cuEventRecord(event, stream));
  }

  @Override
  public void through(int bytes, long position) {
    check(ncuMemcpyHtoDAsync(from, memAddress(toDevice), bytes, stream));
    values.putLong(COUNT, bytes).putInt(COUNTER, Kernels.counter(position));
    launch(binding.cipher, Kernels.cipherBlocks(bytes), cipherParameters);
    check(ncuMemcpyDtoHAsync(memAddress(fromDevice), to, bytes, stream));
    check(cuEventRecord(event, stream));
  }

  @Override
  public void sum(int bytes) {
    int words = bytes / Long.BYTES;
    check(ncuMemcpyHtoDAsync(from, memAddress(toDevice), bytes, stream));
    values.putLong(COUNT, words);
    launch(binding.sum, Kernels.sumBlocks(words), sumParameters);
    check(cuEventRecord(event, stream));
  }

  private void launch(long kernel, int blocks, PointerBuffer parameters) {
    check(
        ncuLaunchKernel(
            kernel, blocks, 1, 1, Kernels.THREADS, 1, 1, 0, stream, memAddress(parameters), 0));
  }

  @Override
  public void await() {
    check(cuEventSynchronize(event));
  }
}
