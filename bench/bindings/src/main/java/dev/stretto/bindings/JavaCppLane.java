package dev.stretto.bindings;

import static dev.stretto.bindings.JavaCppBinding.check;
import static org.bytedeco.cuda.global.cudart.CU_EVENT_DISABLE_TIMING;
import static org.bytedeco.cuda.global.cudart.cuEventCreate;
import static org.bytedeco.cuda.global.cudart.cuEventDestroy;
import static org.bytedeco.cuda.global.cudart.cuEventRecord;
import static org.bytedeco.cuda.global.cudart.cuEventSynchronize;
import static org.bytedeco.cuda.global.cudart.cuLaunchKernel;
import static org.bytedeco.cuda.global.cudart.cuMemcpyDtoHAsync;
import static org.bytedeco.cuda.global.cudart.cuMemcpyHtoDAsync;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/** A lane of JavaCPP. The parameters of launches are allocated once; their values are set. */
final class JavaCppLane implements Lane {
  private final JavaCppBinding binding;
  private final CUstream_st stream;
  private final CUevent_st event = new CUevent_st();
  private final BytePointer toDevice;
  private final BytePointer fromDevice;
  private final long from;
  private final long to;
  private final LongPointer count;
  private final IntPointer counter;
  private final PointerPointer<Pointer> cipherParameters;
  private final PointerPointer<Pointer> sumParameters;
  private final PointerPointer<Pointer> none = new PointerPointer<>();
  private final List<Pointer> values = new ArrayList<>();

  JavaCppLane(JavaCppBinding binding, int bytes) {
    this.binding = binding;
    this.toDevice = binding.pinned(bytes);
    this.fromDevice = binding.pinned(bytes);
    this.from = binding.allocate(bytes);
    this.to = binding.allocate(bytes);
    this.stream = binding.stream();
    check(cuEventCreate(event, CU_EVENT_DISABLE_TIMING));
    binding.onClose(() -> check(cuEventDestroy(event)));
    this.count = new LongPointer(1L);
    this.counter = new IntPointer(1L);
    values.add(new LongPointer(1L).put(from));
    values.add(new LongPointer(1L).put(to));
    values.add(count);
    Kernels.KEY.forEach(word -> values.add(new IntPointer(1L).put(word)));
    values.add(counter);
    Kernels.NONCE.forEach(word -> values.add(new IntPointer(1L).put(word)));
    this.cipherParameters = new PointerPointer<>(values.toArray(Pointer[]::new));
    Pointer total = new LongPointer(1L).put(binding.total);
    this.sumParameters = new PointerPointer<>(values.getFirst(), count, total);
    values.add(total);
    values.add(cipherParameters);
    values.add(sumParameters);
    binding.onClose(() -> values.forEach(Pointer::close));
  }

  @Override
  public ByteBuffer toDevice() {
    return toDevice.asByteBuffer();
  }

  @Override
  public ByteBuffer fromDevice() {
    return fromDevice.asByteBuffer();
  }

  @Override
  public void in(int bytes, long position) {
    check(cuMemcpyHtoDAsync(binding.in + position, toDevice, bytes, stream));
    check(cuEventRecord(event, stream));
  }

  @Override
  public void out(int bytes, long position) {
    check(cuMemcpyDtoHAsync(fromDevice, binding.in + position, bytes, stream));
    check(cuEventRecord(event, stream));
  }

  @Override
  public void through(int bytes, long position) {
    check(cuMemcpyHtoDAsync(from, toDevice, bytes, stream));
    count.put(bytes);
    counter.put(Kernels.counter(position));
    launch(binding.cipher, Kernels.cipherBlocks(bytes), cipherParameters);
    check(cuMemcpyDtoHAsync(fromDevice, to, bytes, stream));
    check(cuEventRecord(event, stream));
  }

  @Override
  public void sum(int bytes) {
    int words = bytes / Long.BYTES;
    check(cuMemcpyHtoDAsync(from, toDevice, bytes, stream));
    count.put(words);
    launch(binding.sum, Kernels.sumBlocks(words), sumParameters);
    check(cuEventRecord(event, stream));
  }

  private void launch(CUfunc_st kernel, int blocks, PointerPointer<Pointer> parameters) {
    check(cuLaunchKernel(kernel, blocks, 1, 1, Kernels.THREADS, 1, 1, 0, stream, parameters, none));
  }

  @Override
  public void await() {
    check(cuEventSynchronize(event));
  }
}
