package dev.stretto.bindings;

import static org.lwjgl.cuda.CU.CUDA_SUCCESS;
import static org.lwjgl.cuda.CU.CU_STREAM_NON_BLOCKING;
import static org.lwjgl.cuda.CU.cuCtxSetCurrent;
import static org.lwjgl.cuda.CU.cuCtxSynchronize;
import static org.lwjgl.cuda.CU.cuDeviceGet;
import static org.lwjgl.cuda.CU.cuDevicePrimaryCtxRelease;
import static org.lwjgl.cuda.CU.cuDevicePrimaryCtxRetain;
import static org.lwjgl.cuda.CU.cuGetErrorName;
import static org.lwjgl.cuda.CU.cuInit;
import static org.lwjgl.cuda.CU.cuMemAlloc;
import static org.lwjgl.cuda.CU.cuMemAllocHost;
import static org.lwjgl.cuda.CU.cuMemFree;
import static org.lwjgl.cuda.CU.cuMemFreeHost;
import static org.lwjgl.cuda.CU.cuMemcpyDtoH;
import static org.lwjgl.cuda.CU.cuMemsetD8;
import static org.lwjgl.cuda.CU.cuModuleGetFunction;
import static org.lwjgl.cuda.CU.cuModuleLoadData;
import static org.lwjgl.cuda.CU.cuModuleUnload;
import static org.lwjgl.cuda.CU.cuStreamCreate;
import static org.lwjgl.cuda.CU.cuStreamDestroy;
import static org.lwjgl.cuda.CU.cuStreamSynchronize;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** LWJGL, whose handles are numbers, and whose functions return CUDA's codes. */
final class LwjglBinding implements Binding {
  private static final byte OLD = (byte) 0xA5;

  private final Deque<Runnable> releases = new ArrayDeque<>();
  private final long context;
  private final long bytes;
  final long cipher;
  final long sum;
  final long empty;
  final long in;
  final long out;
  final long total;

  LwjglBinding(long bytes) {
    this.bytes = bytes;
    check(cuInit(0));
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer device = stack.mallocInt(1);
      check(cuDeviceGet(device, 0));
      int number = device.get(0);
      PointerBuffer pointer = stack.mallocPointer(1);
      check(cuDevicePrimaryCtxRetain(pointer, number));
      this.context = pointer.get(0);
      releases.push(() -> check(cuDevicePrimaryCtxRelease(number)));
    }
    attach();
    long ciphers = module(Kernels.cipher());
    long others = module(Kernels.others());
    this.cipher = function(ciphers, "chacha20");
    this.sum = function(others, "sum");
    this.empty = function(others, "empty");
    this.in = allocate(bytes);
    this.out = allocate(bytes);
    this.total = allocate(Long.BYTES);
  }

  static void check(int code) {
    if (code != CUDA_SUCCESS) {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        PointerBuffer name = stack.mallocPointer(1);
        boolean known = cuGetErrorName(code, name) == CUDA_SUCCESS;
        throw new IllegalStateException(
            "CUDA error " + code + (known ? ", " + name.getStringASCII(0) : ""));
      }
    }
  }

  private long module(String ptx) {
    ByteBuffer image = MemoryUtil.memASCII(ptx);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer pointer = stack.mallocPointer(1);
      check(cuModuleLoadData(pointer, image));
      long module = pointer.get(0);
      releases.push(() -> check(cuModuleUnload(module)));
      return module;
    } finally {
      MemoryUtil.memFree(image);
    }
  }

  private static long function(long module, String name) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer pointer = stack.mallocPointer(1);
      check(cuModuleGetFunction(pointer, module, name));
      return pointer.get(0);
    }
  }

  long allocate(long size) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer pointer = stack.mallocPointer(1);
      check(cuMemAlloc(pointer, size));
      long array = pointer.get(0);
      releases.push(() -> check(cuMemFree(array)));
      return array;
    }
  }

  ByteBuffer pinned(int size) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer pointer = stack.mallocPointer(1);
      check(cuMemAllocHost(pointer, size));
      ByteBuffer buffer = pointer.getByteBuffer(0, size);
      releases.push(() -> check(cuMemFreeHost(buffer)));
      return buffer;
    }
  }

  /** {@return ordinary native memory} */
  LongBuffer ordinary(int words) {
    LongBuffer buffer = MemoryUtil.memAllocLong(words);
    releases.push(() -> MemoryUtil.memFree(buffer));
    return buffer;
  }

  long stream() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer pointer = stack.mallocPointer(1);
      check(cuStreamCreate(pointer, CU_STREAM_NON_BLOCKING));
      long stream = pointer.get(0);
      releases.push(
          () -> {
            check(cuStreamSynchronize(stream));
            check(cuStreamDestroy(stream));
          });
      return stream;
    }
  }

  /** Calls this when the binding is closed, before what was added earlier. */
  void onClose(Runnable release) {
    releases.push(release);
  }

  @Override
  public void attach() {
    check(cuCtxSetCurrent(context));
  }

  @Override
  public Plain plain() {
    return new LwjglPlain(this, bytes);
  }

  @Override
  public Submission submission(boolean prepared) {
    return new LwjglSubmission(this, prepared);
  }

  @Override
  public Lane lane(int size) {
    return new LwjglLane(this, size);
  }

  @Override
  public void clear() {
    check(cuMemsetD8(in, OLD, bytes));
    check(cuMemsetD8(out, OLD, bytes));
    check(cuCtxSynchronize());
  }

  @Override
  public void clearTotal() {
    check(cuMemsetD8(total, (byte) 0, Long.BYTES));
    check(cuCtxSynchronize());
  }

  @Override
  public long total() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer result = stack.mallocLong(1);
      check(cuMemcpyDtoH(result, total));
      return result.get(0);
    }
  }

  @Override
  public void close() {
    while (!releases.isEmpty()) {
      releases.pop().run();
    }
  }
}
