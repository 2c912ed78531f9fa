package dev.stretto.bindings;

import static dev.stretto.bindings.LwjglBinding.check;
import static org.lwjgl.cuda.CU.cuLaunchKernel;
import static org.lwjgl.cuda.CU.cuMemcpyDtoH;
import static org.lwjgl.cuda.CU.cuMemcpyDtoHAsync;
import static org.lwjgl.cuda.CU.cuMemcpyHtoD;
import static org.lwjgl.cuda.CU.cuMemcpyHtoDAsync;
import static org.lwjgl.cuda.CU.cuStreamSynchronize;
import static org.lwjgl.system.MemoryUtil.memAddress;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/**
 * LWJGL as its samples use it: direct buffers, parameters on the memory stack. An array goes
 * through a direct buffer, which is allocated before anything is measured.
 */
final class LwjglPlain implements Plain {
  private final LwjglBinding binding;
  private final LongBuffer host;
  private final long[] streams;

  LwjglPlain(LwjglBinding binding, long bytes) {
    this.binding = binding;
    this.host = binding.ordinary(Math.toIntExact(bytes / Long.BYTES));
    this.streams = LongStream.generate(binding::stream).limit(STREAMS).toArray();
  }

  @Override
  public void in(long[] source) {
    host.put(0, source);
    check(cuMemcpyHtoD(binding.in, host));
  }

  @Override
  public void out(long[] target) {
    check(cuMemcpyDtoH(host, binding.in));
    host.get(0, target);
  }

  @Override
  public void through(long[] source, long[] target, int chunkWords) {
    int words = source.length;
    int next = 0;
    for (int at = 0; at < words; at += chunkWords) {
      long stream = streams[next++ % STREAMS];
      int count = Math.min(chunkWords, words - at);
      long position = (long) at * Long.BYTES;
      long size = (long) count * Long.BYTES;
      LongBuffer chunk = host.slice(at, count).put(0, source, at, count);
      check(cuMemcpyHtoDAsync(binding.in + position, chunk, stream));
      encipher(binding.in + position, binding.out + position, size, position, stream);
      check(cuMemcpyDtoHAsync(chunk, binding.out + position, stream));
    }
    for (long stream : streams) {
      check(cuStreamSynchronize(stream));
    }
    host.get(0, target);
  }

  private void encipher(long from, long to, long size, long position, long stream) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer parameters =
          stack.pointers(
              memAddress(stack.longs(from)),
              memAddress(stack.longs(to)),
              memAddress(stack.longs(size)),
              memAddress(stack.ints(Kernels.KEY.get(0))),
              memAddress(stack.ints(Kernels.KEY.get(1))),
              memAddress(stack.ints(Kernels.KEY.get(2))),
              memAddress(stack.ints(Kernels.KEY.get(3))),
              memAddress(stack.ints(Kernels.KEY.get(4))),
              memAddress(stack.ints(Kernels.KEY.get(5))),
              memAddress(stack.ints(Kernels.KEY.get(6))),
              memAddress(stack.ints(Kernels.KEY.get(7))),
              memAddress(stack.ints(Kernels.counter(position))),
              memAddress(stack.ints(Kernels.NONCE.get(0))),
              memAddress(stack.ints(Kernels.NONCE.get(1))),
              memAddress(stack.ints(Kernels.NONCE.get(2))));
      launch(binding.cipher, Kernels.cipherBlocks(size), stream, parameters);
    }
  }

  private static void launch(long kernel, int blocks, long stream, PointerBuffer parameters) {
    check(cuLaunchKernel(kernel, blocks, 1, 1, Kernels.THREADS, 1, 1, 0, stream, parameters, null));
  }

  @Override
  public long of(Path file) throws IOException {
    binding.clearTotal();
    try (FileChannel channel = FileChannel.open(file);
        MemoryStack stack = MemoryStack.stackPush()) {
      MappedByteBuffer mapped = channel.map(MapMode.READ_ONLY, 0, channel.size());
      check(cuMemcpyHtoD(binding.in, mapped));
      long words = mapped.capacity() / Long.BYTES;
      PointerBuffer parameters =
          stack.pointers(
              memAddress(stack.longs(binding.in)),
              memAddress(stack.longs(words)),
              memAddress(stack.longs(binding.total)));
      launch(binding.sum, Kernels.sumBlocks(words), streams[0], parameters);
      check(cuStreamSynchronize(streams[0]));
    }
    return binding.total();
  }
}
