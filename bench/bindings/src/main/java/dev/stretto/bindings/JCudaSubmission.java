package dev.stretto.bindings;

import static jcuda.driver.CUevent_flags.CU_EVENT_DISABLE_TIMING;
import static jcuda.driver.JCudaDriver.cuEventCreate;
import static jcuda.driver.JCudaDriver.cuEventDestroy;
import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuLaunchKernel;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoH;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;
import static jcuda.driver.JCudaDriver.cuStreamWaitEvent;

import java.nio.LongBuffer;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/** Small operations of JCuda. */
final class JCudaSubmission implements Submission {
  private final JCudaBinding binding;
  private final boolean prepared;
  private final CUstream stream;
  private final CUstream other;
  private final CUevent event = new CUevent();
  private final CUdeviceptr array;
  private final Pointer pinned;
  private final LongBuffer pinnedWords;
  private final Pointer parameters;

  JCudaSubmission(JCudaBinding binding, boolean prepared) {
    this.binding = binding;
    this.prepared = prepared;
    this.array = binding.allocate(BYTES);
    this.pinned = binding.pinned(BYTES);
    this.pinnedWords = pinned.getByteBuffer().asLongBuffer();
    this.stream = binding.stream();
    this.other = binding.stream();
    cuEventCreate(event, CU_EVENT_DISABLE_TIMING);
    binding.onClose(() -> cuEventDestroy(event));
    this.parameters = parameters();
  }

  private Pointer parameters() {
    return Pointer.to(Pointer.to(new int[] {1}), Pointer.to(array), Pointer.to(new float[] {2f}));
  }

  @Override
  public void fill(long[] words) {
    pinnedWords.put(0, words);
  }

  @Override
  public void copy() {
    cuMemcpyHtoDAsync(array, pinned, BYTES, stream);
  }

  @Override
  public void copyArray(long[] words) {
    if (prepared) {
      fill(words);
      cuMemcpyHtoDAsync(array, pinned, BYTES, stream);
    } else {
      cuMemcpyHtoDAsync(array, Pointer.to(words), BYTES, stream);
    }
    cuStreamSynchronize(stream);
  }

  @Override
  public void copyBack(long[] words) {
    cuMemcpyDtoH(Pointer.to(words), array, BYTES);
  }

  @Override
  public void launch() {
    Pointer arguments = prepared ? parameters : parameters();
    cuLaunchKernel(binding.empty, 1, 1, 1, 1, 1, 1, 0, stream, arguments, null);
  }

  @Override
  public void recordAndWait() {
    cuEventRecord(event, stream);
    cuStreamWaitEvent(other, event, 0);
  }

  @Override
  public void await() {
    cuStreamSynchronize(stream);
    cuStreamSynchronize(other);
  }
}
