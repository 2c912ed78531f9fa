package dev.stretto.bindings;

import static dev.stretto.bindings.JavaCppBinding.check;
import static org.bytedeco.cuda.global.cudart.CU_EVENT_DISABLE_TIMING;
import static org.bytedeco.cuda.global.cudart.cuEventCreate;
import static org.bytedeco.cuda.global.cudart.cuEventDestroy;
import static org.bytedeco.cuda.global.cudart.cuEventRecord;
import static org.bytedeco.cuda.global.cudart.cuLaunchKernel;
import static org.bytedeco.cuda.global.cudart.cuMemcpyDtoH;
import static org.bytedeco.cuda.global.cudart.cuMemcpyHtoDAsync;
import static org.bytedeco.cuda.global.cudart.cuStreamSynchronize;
import static org.bytedeco.cuda.global.cudart.cuStreamWaitEvent;

import java.nio.LongBuffer;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;

/** Small operations of JavaCPP. */
final class JavaCppSubmission implements Submission {
  private final JavaCppBinding binding;
  private final boolean prepared;
  private final CUstream_st stream;
  private final CUstream_st other;
  private final CUevent_st event = new CUevent_st();
  private final long array;
  private final BytePointer pinned;
  private final LongBuffer pinnedWords;
  private final PointerPointer<Pointer> parameters;
  private final PointerPointer<Pointer> none = new PointerPointer<>();

  JavaCppSubmission(JavaCppBinding binding, boolean prepared) {
    this.binding = binding;
    this.prepared = prepared;
    this.array = binding.allocate(BYTES);
    this.pinned = binding.pinned(BYTES);
    this.pinnedWords = pinned.asByteBuffer().asLongBuffer();
    this.stream = binding.stream();
    this.other = binding.stream();
    check(cuEventCreate(event, CU_EVENT_DISABLE_TIMING));
    binding.onClose(() -> check(cuEventDestroy(event)));
    this.parameters = parameters();
  }

  private PointerPointer<Pointer> parameters() {
    return new PointerPointer<>(
        new IntPointer(1L).put(1), new LongPointer(1L).put(array), new FloatPointer(1L).put(2f));
  }

  @Override
  public void fill(long[] words) {
    pinnedWords.put(0, words);
  }

  @Override
  public void copy() {
    check(cuMemcpyHtoDAsync(array, pinned, BYTES, stream));
  }

  @Override
  public void copyArray(long[] words) {
    if (prepared) {
      fill(words);
      check(cuMemcpyHtoDAsync(array, pinned, BYTES, stream));
      check(cuStreamSynchronize(stream));
    } else {
      try (LongPointer host = new LongPointer(words)) {
        check(cuMemcpyHtoDAsync(array, host, BYTES, stream));
        check(cuStreamSynchronize(stream));
      }
    }
  }

  @Override
  public void copyBack(long[] words) {
    try (LongPointer host = new LongPointer((long) words.length)) {
      check(cuMemcpyDtoH(host, array, BYTES));
      host.get(words);
    }
  }

  @Override
  public void launch() {
    if (prepared) {
      launch(parameters);
    } else {
      try (PointerScope _ = new PointerScope()) {
        launch(parameters());
      }
    }
  }

  private void launch(PointerPointer<Pointer> arguments) {
    check(cuLaunchKernel(binding.empty, 1, 1, 1, 1, 1, 1, 0, stream, arguments, none));
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
