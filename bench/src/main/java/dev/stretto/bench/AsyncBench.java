package dev.stretto.bench;

import com.sun.management.ThreadMXBean;
import dev.stretto.Device;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Measures the jobs of {@link AsyncJobs}: by the host's clock, with the bytes that they allocate.
 */
final class AsyncBench {
  private final Device device;
  private final AsyncSize size;
  private final Report report;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  AsyncBench(Device device, AsyncSize size, Report report) {
    this.device = device;
    this.size = size;
    this.report = report;
  }

  Device device() {
    return device;
  }

  AsyncSize size() {
    return size;
  }

  /** What an operation costs its caller, in batches that never fill the driver's queue. */
  void cost(String bench, int operations, Runnable operation) {
    long warm = System.nanoTime();
    do {
      repeat(operations, operation);
      device.await();
    } while (System.nanoTime() - warm < size.warmUpNanos());
    double[] nanos = new double[size.batches()];
    long allocated = 0;
    for (int batch = 0; batch < nanos.length; batch++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      long begin = System.nanoTime();
      repeat(operations, operation);
      nanos[batch] = (System.nanoTime() - begin) / (double) operations;
      allocated += threads.getCurrentThreadAllocatedBytes() - before;
      device.await();
    }
    Arrays.sort(nanos);
    report.cost(
        bench,
        operations,
        nanos[nanos.length / 2],
        allocated / ((double) nanos.length * operations));
  }

  private static void repeat(int times, Runnable operation) {
    for (int i = 0; i < times; i++) {
      operation.run();
    }
  }

  /** How long it takes to enqueue work and await it. */
  void latency(String bench, int samples, Runnable operation) {
    long warm = System.nanoTime();
    do {
      operation.run();
    } while (System.nanoTime() - warm < size.warmUpNanos());
    double[] micros = new double[samples];
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < samples; i++) {
      long begin = System.nanoTime();
      operation.run();
      micros[i] = (System.nanoTime() - begin) * 1e-3;
    }
    double allocated = (threads.getCurrentThreadAllocatedBytes() - before) / (double) samples;
    Arrays.sort(micros);
    report.latency(bench, micros[samples / 2], micros[samples * 99 / 100], allocated);
  }
}
