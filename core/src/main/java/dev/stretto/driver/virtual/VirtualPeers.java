package dev.stretto.driver.virtual;

import dev.stretto.driver.PeerProperties;
import dev.stretto.driver.PeerProperties.Link;
import dev.stretto.driver.PointerProperties;
import org.jspecify.annotations.Nullable;

/** The calls that concern several devices. */
final class VirtualPeers {
  private final PrimaryContext context;
  private final Platform platform;
  private final Submission submission;

  VirtualPeers(PrimaryContext context, Submission submission) {
    this.context = context;
    this.platform = context.platform();
    this.submission = submission;
  }

  PeerProperties of(PrimaryContext peer) {
    PeerModel model = platform.config().profile().peers();
    int devices = platform.config().devices();
    boolean access =
        model.link() != Link.HOST
            && platform.config().peers().joins(context.ordinal(), peer.ordinal(), devices);
    return new PeerProperties(
        access,
        access ? model.link() : Link.HOST,
        access && model.link() == Link.NVLINK,
        access ? model.alone() : model.staged());
  }

  void enable(PrimaryContext peer) {
    if (!of(peer).access()) {
      throw CudaResult.PEER_ACCESS_UNSUPPORTED.of(
          "cuCtxEnablePeerAccess",
          "virtual device %d cannot access the memory of device %d"
              .formatted(context.ordinal(), peer.ordinal()));
    }
    int _ = context.reach().merge(peer, 1, Integer::sum);
  }

  void disable(PrimaryContext peer) {
    if (!context.reach().containsKey(peer)) {
      throw CudaResult.PEER_ACCESS_NOT_ENABLED.of(
          "cuCtxDisablePeerAccess",
          "access of virtual device %d to device %d is not enabled"
              .formatted(context.ordinal(), peer.ordinal()));
    }
    context.reach().computeIfPresent(peer, (_, count) -> count == 1 ? null : count - 1);
  }

  void copy(String call, CopyShape shape, PrimaryContext to, PrimaryContext from, long stream) {
    shape.check(call);
    to.checkAlive(call);
    from.checkAlive(call);
    to.memory().check(call, shape.dst(), shape.dstSpan());
    from.memory().check(call, shape.src(), shape.srcSpan());
    submission.submitOrCapture(
        call,
        stream,
        queue -> {
          boolean direct = to.reaches(from) || from.reaches(to);
          return new PeerCopyOp(queue, shape, to, from, direct);
        });
  }

  PointerProperties pointer(long address) {
    if (DeviceSpace.isDeviceAddress(address)) {
      PrimaryContext owner = platform.owner(address);
      Backing backing = owner == null ? null : owner.memory().find(address);
      return describe(PointerProperties.Kind.DEVICE, owner, backing);
    }
    HostRange range = platform.hostSpace().find(address);
    return describe(PointerProperties.Kind.PINNED, range == null ? null : range.owner(), range);
  }

  private static PointerProperties describe(
      PointerProperties.Kind kind, @Nullable PrimaryContext owner, @Nullable Backing backing) {
    return owner == null || backing == null
        ? PointerProperties.ORDINARY
        : new PointerProperties(kind, owner.ordinal(), backing.address(), backing.bytes());
  }
}
