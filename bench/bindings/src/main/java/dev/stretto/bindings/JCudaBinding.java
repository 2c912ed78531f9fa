package dev.stretto.bindings;

import static jcuda.driver.CUstream_flags.CU_STREAM_NON_BLOCKING;
import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDeviceGet;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRelease;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRetain;
import static jcuda.driver.JCudaDriver.cuInit;
import static jcuda.driver.JCudaDriver.cuMemAlloc;
import static jcuda.driver.JCudaDriver.cuMemAllocHost;
import static jcuda.driver.JCudaDriver.cuMemFree;
import static jcuda.driver.JCudaDriver.cuMemFreeHost;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoH;
import static jcuda.driver.JCudaDriver.cuMemsetD8;
import static jcuda.driver.JCudaDriver.cuModuleGetFunction;
import static jcuda.driver.JCudaDriver.cuModuleLoadData;
import static jcuda.driver.JCudaDriver.cuModuleUnload;
import static jcuda.driver.JCudaDriver.cuStreamCreate;
import static jcuda.driver.JCudaDriver.cuStreamDestroy;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import java.util.ArrayDeque;
import java.util.Deque;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** JCuda, which throws a {@code CudaException} for every code that is not success. */
final class JCudaBinding implements Binding {
  private static final byte OLD = (byte) 0xA5;

  private final Deque<Runnable> releases = new ArrayDeque<>();
  private final CUdevice device = new CUdevice();
  private final CUcontext context = new CUcontext();
  private final long bytes;
  final CUfunction cipher;
  final CUfunction sum;
  final CUfunction empty;
  final CUdeviceptr in;
  final CUdeviceptr out;
  final CUdeviceptr total;

  JCudaBinding(long bytes) {
    this.bytes = bytes;
    JCudaDriver.setExceptionsEnabled(true);
    cuInit(0);
    cuDeviceGet(device, 0);
    cuDevicePrimaryCtxRetain(context, device);
    releases.push(() -> cuDevicePrimaryCtxRelease(device));
    attach();
    CUmodule ciphers = module(Kernels.cipher());
    CUmodule others = module(Kernels.others());
    this.cipher = function(ciphers, "chacha20");
    this.sum = function(others, "sum");
    this.empty = function(others, "empty");
    this.in = allocate(bytes);
    this.out = allocate(bytes);
    this.total = allocate(Long.BYTES);
  }

  private CUmodule module(String ptx) {
    CUmodule module = new CUmodule();
    cuModuleLoadData(module, ptx);
    releases.push(() -> cuModuleUnload(module));
    return module;
  }

  private static CUfunction function(CUmodule module, String name) {
    CUfunction function = new CUfunction();
    cuModuleGetFunction(function, module, name);
    return function;
  }

  CUdeviceptr allocate(long size) {
    CUdeviceptr pointer = new CUdeviceptr();
    cuMemAlloc(pointer, size);
    releases.push(() -> cuMemFree(pointer));
    return pointer;
  }

  Pointer pinned(long size) {
    Pointer pointer = new Pointer();
    cuMemAllocHost(pointer, size);
    releases.push(() -> cuMemFreeHost(pointer));
    return pointer;
  }

  CUstream stream() {
    CUstream stream = new CUstream();
    cuStreamCreate(stream, CU_STREAM_NON_BLOCKING);
    releases.push(
        () -> {
          cuStreamSynchronize(stream);
          cuStreamDestroy(stream);
        });
    return stream;
  }

  /** Calls this when the binding is closed, before what was added earlier. */
  void onClose(Runnable release) {
    releases.push(release);
  }

  @Override
  public void attach() {
    cuCtxSetCurrent(context);
  }

  @Override
  public Plain plain() {
    return new JCudaPlain(this, bytes);
  }

  @Override
  public Submission submission(boolean prepared) {
    return new JCudaSubmission(this, prepared);
  }

  @Override
  public Lane lane(int size) {
    return new JCudaLane(this, size);
  }

  @Override
  public void clear() {
    cuMemsetD8(in, OLD, bytes);
    cuMemsetD8(out, OLD, bytes);
    JCudaDriver.cuCtxSynchronize();
  }

  @Override
  public void clearTotal() {
    cuMemsetD8(total, (byte) 0, Long.BYTES);
    JCudaDriver.cuCtxSynchronize();
  }

  @Override
  public long total() {
    long[] result = new long[1];
    cuMemcpyDtoH(Pointer.to(result), total, Long.BYTES);
    return result[0];
  }

  @Override
  public void close() {
    while (!releases.isEmpty()) {
      releases.pop().run();
    }
  }
}
