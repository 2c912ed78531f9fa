package dev.stretto.bindings;

import static jcuda.driver.JCudaDriver.cuLaunchKernel;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoH;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoHAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoD;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;

/** JCuda as its samples use it: pointers to arrays, and parameters made for each launch. */
final class JCudaPlain implements Plain {
  private final JCudaBinding binding;
  private final long bytes;
  private final List<CUstream> streams;

  JCudaPlain(JCudaBinding binding, long bytes) {
    this.binding = binding;
    this.bytes = bytes;
    this.streams = Stream.generate(binding::stream).limit(STREAMS).toList();
  }

  @Override
  public void in(long[] source) {
    cuMemcpyHtoD(binding.in, Pointer.to(source), bytes);
  }

  @Override
  public void out(long[] target) {
    cuMemcpyDtoH(Pointer.to(target), binding.in, bytes);
  }

  @Override
  public void through(long[] source, long[] target, int chunkWords) {
    long chunk = (long) chunkWords * Long.BYTES;
    int next = 0;
    for (long at = 0; at < bytes; at += chunk) {
      CUstream stream = streams.get(next++ % STREAMS);
      long size = Math.min(chunk, bytes - at);
      CUdeviceptr from = binding.in.withByteOffset(at);
      CUdeviceptr to = binding.out.withByteOffset(at);
      cuMemcpyHtoDAsync(from, Pointer.to(source).withByteOffset(at), size, stream);
      encipher(from, to, size, at, stream);
      cuMemcpyDtoHAsync(Pointer.to(target).withByteOffset(at), to, size, stream);
    }
    for (CUstream stream : streams) {
      cuStreamSynchronize(stream);
    }
  }

  private void encipher(
      CUdeviceptr from, CUdeviceptr to, long size, long position, CUstream stream) {
    Pointer parameters =
        Pointer.to(
            Pointer.to(from),
            Pointer.to(to),
            Pointer.to(new long[] {size}),
            Pointer.to(new int[] {Kernels.KEY.get(0)}),
            Pointer.to(new int[] {Kernels.KEY.get(1)}),
            Pointer.to(new int[] {Kernels.KEY.get(2)}),
            Pointer.to(new int[] {Kernels.KEY.get(3)}),
            Pointer.to(new int[] {Kernels.KEY.get(4)}),
            Pointer.to(new int[] {Kernels.KEY.get(5)}),
            Pointer.to(new int[] {Kernels.KEY.get(6)}),
            Pointer.to(new int[] {Kernels.KEY.get(7)}),
            Pointer.to(new int[] {Kernels.counter(position)}),
            Pointer.to(new int[] {Kernels.NONCE.get(0)}),
            Pointer.to(new int[] {Kernels.NONCE.get(1)}),
            Pointer.to(new int[] {Kernels.NONCE.get(2)}));
    cuLaunchKernel(
        binding.cipher,
        Kernels.cipherBlocks(size),
        1,
        1,
        Kernels.THREADS,
        1,
        1,
        0,
        stream,
        parameters,
        null);
  }

  @Override
  public long of(Path file) throws IOException {
    binding.clearTotal();
    try (FileChannel channel = FileChannel.open(file)) {
      MappedByteBuffer mapped = channel.map(MapMode.READ_ONLY, 0, channel.size());
      cuMemcpyHtoD(binding.in, Pointer.to(mapped), mapped.capacity());
      long words = mapped.capacity() / Long.BYTES;
      Pointer parameters =
          Pointer.to(
              Pointer.to(binding.in), Pointer.to(new long[] {words}), Pointer.to(binding.total));
      CUstream stream = streams.getFirst();
      cuLaunchKernel(
          binding.sum,
          Kernels.sumBlocks(words),
          1,
          1,
          Kernels.THREADS,
          1,
          1,
          0,
          stream,
          parameters,
          null);
      cuStreamSynchronize(stream);
    }
    return binding.total();
  }
}
