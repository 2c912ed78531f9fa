package dev.stretto.bindings;

import static org.bytedeco.cuda.global.cudart.CUDA_SUCCESS;
import static org.bytedeco.cuda.global.cudart.CU_STREAM_NON_BLOCKING;
import static org.bytedeco.cuda.global.cudart.cuCtxSetCurrent;
import static org.bytedeco.cuda.global.cudart.cuCtxSynchronize;
import static org.bytedeco.cuda.global.cudart.cuDeviceGet;
import static org.bytedeco.cuda.global.cudart.cuDevicePrimaryCtxRelease;
import static org.bytedeco.cuda.global.cudart.cuDevicePrimaryCtxRetain;
import static org.bytedeco.cuda.global.cudart.cuGetErrorName;
import static org.bytedeco.cuda.global.cudart.cuInit;
import static org.bytedeco.cuda.global.cudart.cuMemAlloc;
import static org.bytedeco.cuda.global.cudart.cuMemAllocHost;
import static org.bytedeco.cuda.global.cudart.cuMemFree;
import static org.bytedeco.cuda.global.cudart.cuMemFreeHost;
import static org.bytedeco.cuda.global.cudart.cuMemcpyDtoH;
import static org.bytedeco.cuda.global.cudart.cuMemsetD8;
import static org.bytedeco.cuda.global.cudart.cuModuleGetFunction;
import static org.bytedeco.cuda.global.cudart.cuModuleLoadData;
import static org.bytedeco.cuda.global.cudart.cuModuleUnload;
import static org.bytedeco.cuda.global.cudart.cuStreamCreate;
import static org.bytedeco.cuda.global.cudart.cuStreamDestroy;
import static org.bytedeco.cuda.global.cudart.cuStreamSynchronize;

import java.util.ArrayDeque;
import java.util.Deque;
import org.bytedeco.cuda.cudart.CUctx_st;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerPointer;

/** JavaCPP's CUDA presets, whose functions return CUDA's codes. */
final class JavaCppBinding implements Binding {
  private static final byte OLD = (byte) 0xA5;

  private final Deque<Runnable> releases = new ArrayDeque<>();
  private final CUctx_st context = new CUctx_st();
  private final long bytes;
  final CUfunc_st cipher;
  final CUfunc_st sum;
  final CUfunc_st empty;
  final long in;
  final long out;
  final long total;

  JavaCppBinding(long bytes) {
    this.bytes = bytes;
    check(cuInit(0));
    int[] device = new int[1];
    check(cuDeviceGet(device, 0));
    check(cuDevicePrimaryCtxRetain(context, device[0]));
    releases.push(() -> check(cuDevicePrimaryCtxRelease(device[0])));
    attach();
    CUmod_st ciphers = module(Kernels.cipher());
    CUmod_st others = module(Kernels.others());
    this.cipher = function(ciphers, "chacha20");
    this.sum = function(others, "sum");
    this.empty = function(others, "empty");
    this.in = allocate(bytes);
    this.out = allocate(bytes);
    this.total = allocate(Long.BYTES);
  }

  static void check(int code) {
    if (code != CUDA_SUCCESS) {
      try (PointerPointer<BytePointer> name = new PointerPointer<>(1)) {
        boolean known = cuGetErrorName(code, name) == CUDA_SUCCESS;
        throw new IllegalStateException(
            "CUDA error " + code + (known ? ", " + name.get(BytePointer.class).getString() : ""));
      }
    }
  }

  private CUmod_st module(String ptx) {
    CUmod_st module = new CUmod_st();
    try (BytePointer image = new BytePointer(ptx)) {
      check(cuModuleLoadData(module, image));
    }
    releases.push(() -> check(cuModuleUnload(module)));
    return module;
  }

  private static CUfunc_st function(CUmod_st module, String name) {
    CUfunc_st function = new CUfunc_st();
    check(cuModuleGetFunction(function, module, name));
    return function;
  }

  long allocate(long size) {
    long[] pointer = new long[1];
    check(cuMemAlloc(pointer, size));
    releases.push(() -> check(cuMemFree(pointer[0])));
    return pointer[0];
  }

  BytePointer pinned(long size) {
    BytePointer pointer = new BytePointer();
    check(cuMemAllocHost(pointer, size));
    releases.push(() -> check(cuMemFreeHost(pointer)));
    return pointer.capacity(size);
  }

  CUstream_st stream() {
    CUstream_st stream = new CUstream_st();
    check(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
    releases.push(
        () -> {
          check(cuStreamSynchronize(stream));
          check(cuStreamDestroy(stream));
        });
    return stream;
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
    return new JavaCppPlain(this, bytes);
  }

  @Override
  public Submission submission(boolean prepared) {
    return new JavaCppSubmission(this, prepared);
  }

  @Override
  public Lane lane(int size) {
    return new JavaCppLane(this, size);
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
    try (LongPointer result = new LongPointer(1L)) {
      check(cuMemcpyDtoH(result, total, Long.BYTES));
      return result.get();
    }
  }

  @Override
  public void close() {
    while (!releases.isEmpty()) {
      releases.pop().run();
    }
  }
}
