package dev.stretto.bindings;

import static dev.stretto.bindings.JavaCppBinding.check;
import static org.bytedeco.cuda.global.cudart.cuLaunchKernel;
import static org.bytedeco.cuda.global.cudart.cuMemcpyDtoH;
import static org.bytedeco.cuda.global.cudart.cuMemcpyDtoHAsync;
import static org.bytedeco.cuda.global.cudart.cuMemcpyHtoD;
import static org.bytedeco.cuda.global.cudart.cuMemcpyHtoDAsync;
import static org.bytedeco.cuda.global.cudart.cuStreamSynchronize;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;

/**
 * JavaCPP as its samples use it: an array goes through native memory, since its functions take
 * pointers only. That memory is allocated before anything is measured.
 */
final class JavaCppPlain implements Plain {
  private final JavaCppBinding binding;
  private final long bytes;
  private final LongPointer host;
  private final List<CUstream_st> streams;

  JavaCppPlain(JavaCppBinding binding, long bytes) {
    this.binding = binding;
    this.bytes = bytes;
    this.host = new LongPointer(bytes / Long.BYTES);
    binding.onClose(host::close);
    this.streams = Stream.generate(binding::stream).limit(STREAMS).toList();
  }

  @Override
  public void in(long[] source) {
    host.put(source);
    check(cuMemcpyHtoD(binding.in, host, bytes));
  }

  @Override
  public void out(long[] target) {
    check(cuMemcpyDtoH(host, binding.in, bytes));
    host.get(target);
  }

  @Override
  public void through(long[] source, long[] target, int chunkWords) {
    int words = source.length;
    int next = 0;
    for (int at = 0; at < words; at += chunkWords) {
      CUstream_st stream = streams.get(next++ % STREAMS);
      int count = Math.min(chunkWords, words - at);
      long position = (long) at * Long.BYTES;
      long size = (long) count * Long.BYTES;
      try (PointerScope _ = new PointerScope()) {
        Pointer chunk = host.getPointer(at).put(source, at, count);
        check(cuMemcpyHtoDAsync(binding.in + position, chunk, size, stream));
        encipher(binding.in + position, binding.out + position, size, position, stream);
        check(cuMemcpyDtoHAsync(chunk, binding.out + position, size, stream));
      }
    }
    for (CUstream_st stream : streams) {
      check(cuStreamSynchronize(stream));
    }
    host.get(target);
  }

  private void encipher(long from, long to, long size, long position, CUstream_st stream) {
    try (PointerScope _ = new PointerScope()) {
      launch(
          binding.cipher,
          Kernels.cipherBlocks(size),
          stream,
          new LongPointer(1L).put(from),
          new LongPointer(1L).put(to),
          new LongPointer(1L).put(size),
          new IntPointer(1L).put(Kernels.KEY.get(0)),
          new IntPointer(1L).put(Kernels.KEY.get(1)),
          new IntPointer(1L).put(Kernels.KEY.get(2)),
          new IntPointer(1L).put(Kernels.KEY.get(3)),
          new IntPointer(1L).put(Kernels.KEY.get(4)),
          new IntPointer(1L).put(Kernels.KEY.get(5)),
          new IntPointer(1L).put(Kernels.KEY.get(6)),
          new IntPointer(1L).put(Kernels.KEY.get(7)),
          new IntPointer(1L).put(Kernels.counter(position)),
          new IntPointer(1L).put(Kernels.NONCE.get(0)),
          new IntPointer(1L).put(Kernels.NONCE.get(1)),
          new IntPointer(1L).put(Kernels.NONCE.get(2)));
    }
  }

  private static void launch(
      CUfunc_st kernel, int blocks, CUstream_st stream, Pointer... parameters) {
    PointerPointer<Pointer> all = new PointerPointer<>(parameters);
    PointerPointer<Pointer> none = new PointerPointer<>();
    check(cuLaunchKernel(kernel, blocks, 1, 1, Kernels.THREADS, 1, 1, 0, stream, all, none));
  }

  @Override
  public long of(Path file) throws IOException {
    binding.clearTotal();
    try (FileChannel channel = FileChannel.open(file);
        PointerScope _ = new PointerScope()) {
      MappedByteBuffer mapped = channel.map(MapMode.READ_ONLY, 0, channel.size());
      check(cuMemcpyHtoD(binding.in, new BytePointer(mapped), mapped.capacity()));
      long words = mapped.capacity() / Long.BYTES;
      CUstream_st stream = streams.getFirst();
      launch(
          binding.sum,
          Kernels.sumBlocks(words),
          stream,
          new LongPointer(1L).put(binding.in),
          new LongPointer(1L).put(words),
          new LongPointer(1L).put(binding.total));
      check(cuStreamSynchronize(stream));
    }
    return binding.total();
  }
}
