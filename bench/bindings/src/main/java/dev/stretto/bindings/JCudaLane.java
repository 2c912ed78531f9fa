package dev.stretto.bindings;

import static jcuda.driver.CUevent_flags.CU_EVENT_DISABLE_TIMING;
import static jcuda.driver.JCudaDriver.cuEventCreate;
import static jcuda.driver.JCudaDriver.cuEventDestroy;
import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuEventSynchronize;
import static jcuda.driver.JCudaDriver.cuLaunchKernel;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoHAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;

/** A lane of JCuda. The parameters of launches are made once; their values are set in arrays. */
final class JCudaLane implements Lane {
  private final JCudaBinding binding;
  private final CUstream stream;
  private final CUevent event = new CUevent();
  private final Pointer toDevice;
  private final Pointer fromDevice;
  private final CUdeviceptr from;
  private final CUdeviceptr to;
  private final long[] count = new long[1];
  private final int[] counter = new int[1];
  private final Pointer cipherParameters;
  private final Pointer sumParameters;

  JCudaLane(JCudaBinding binding, int bytes) {
    this.binding = binding;
    this.toDevice = binding.pinned(bytes);
    this.fromDevice = binding.pinned(bytes);
    this.from = binding.allocate(bytes);
    this.to = binding.allocate(bytes);
    this.stream = binding.stream();
    cuEventCreate(event, CU_EVENT_DISABLE_TIMING);
    binding.onClose(() -> cuEventDestroy(event));
    List<NativePointerObject> cipher = new ArrayList<>();
    cipher.add(Pointer.to(from));
    cipher.add(Pointer.to(to));
    cipher.add(Pointer.to(count));
    Kernels.KEY.forEach(word -> cipher.add(Pointer.to(new int[] {word})));
    cipher.add(Pointer.to(counter));
    Kernels.NONCE.forEach(word -> cipher.add(Pointer.to(new int[] {word})));
    this.cipherParameters = Pointer.to(cipher.toArray(NativePointerObject[]::new));
    this.sumParameters = Pointer.to(Pointer.to(from), Pointer.to(count), Pointer.to(binding.total));
  }

  @Override
  public ByteBuffer toDevice() {
    return toDevice.getByteBuffer();
  }

  @Override
  public ByteBuffer fromDevice() {
    return fromDevice.getByteBuffer();
  }

  @Override
  public void in(int bytes, long position) {
    cuMemcpyHtoDAsync(binding.in.withByteOffset(position), toDevice, bytes, stream);
    cuEventRecord(event, stream);
  }

  @Override
  public void out(int bytes, long position) {
    cuMemcpyDtoHAsync(fromDevice, binding.in.withByteOffset(position), bytes, stream);
    cuEventRecord(event, stream);
  }

  @Override
  public void through(int bytes, long position) {
    cuMemcpyHtoDAsync(from, toDevice, bytes, stream);
    count[0] = bytes;
    counter[0] = Kernels.counter(position);
    launch(binding.cipher, Kernels.cipherBlocks(bytes), cipherParameters);
    cuMemcpyDtoHAsync(fromDevice, to, bytes, stream);
    cuEventRecord(event, stream);
  }

  @Override
  public void sum(int bytes) {
    cuMemcpyHtoDAsync(from, toDevice, bytes, stream);
    count[0] = bytes / Long.BYTES;
    launch(binding.sum, Kernels.sumBlocks(count[0]), sumParameters);
    cuEventRecord(event, stream);
  }

  private void launch(CUfunction kernel, int blocks, Pointer parameters) {
    cuLaunchKernel(kernel, blocks, 1, 1, Kernels.THREADS, 1, 1, 0, stream, parameters, null);
  }

  @Override
  public void await() {
    cuEventSynchronize(event);
  }
}
