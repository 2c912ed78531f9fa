package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowPlan;
import dev.stretto.flow.FlowReport;
import java.util.function.LongConsumer;

/** The last mode: a flow, with several chunks in flight at a time. */
final class Overlapped implements ModeRun {
  private final Device device;
  private final Encryption encryption;
  private final long chunkAsked;
  private final int depthAsked;

  /**
   * @param chunkAsked the requested chunk size, or 0
   * @param depthAsked the requested number of chunks in flight at a time, or 0
   */
  Overlapped(Device device, Encryption encryption, long chunkAsked, int depthAsked) {
    this.device = device;
    this.encryption = encryption;
    this.chunkAsked = chunkAsked;
    this.depthAsked = depthAsked;
  }

  @Override
  public Shape run(Work work, LongConsumer progress) {
    FlowPlan plan =
        Flow.on(device)
            .from(work.source())
            .through(encryption)
            .to(work.sink())
            .inPlace()
            .granularity(Encryption.GRANULARITY)
            .onProgress(done -> progress.accept(done.bytesDone()));
    if (chunkAsked > 0) {
      plan.chunkBytes(chunkAsked);
    }
    if (depthAsked > 0) {
      plan.depth(depthAsked);
    }
    FlowReport report = plan.start().await();
    return new Shape(report.chunkBytes(), report.depth(), report);
  }
}
