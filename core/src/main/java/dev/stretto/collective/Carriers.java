package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.collective.mesh.Introduction;
import dev.stretto.collective.mesh.Invitation;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.route.ProgramLog;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes what brings the data of one rank to the others, as all of them have chosen. */
final class Carriers {
  private final Device device;

  private volatile @Nullable Carrier made;

  private Carriers(Device device) {
    this.device = device;
  }

  static Carriers of(Device device, int rank) {
    if (!device.isOpen()) {
      throw new ClosedException(device.name() + " is closed, and rank " + rank + " needs it");
    }
    if (device.isLost()) {
      throw new DeviceLostException(device.name() + " was lost, and rank " + rank + " needs it");
    }
    return new Carriers(device);
  }

  Introduction introduce(int rank, int size, Invitation invitation) {
    return new Introduction(
        rank,
        size,
        ProcessHandle.current().pid(),
        device.name(),
        "",
        0,
        device.name() + " is no GPU",
        new byte[0],
        invitation);
  }

  Carrier make(Mesh mesh, Choice choice, Duration atMost) {
    if (choice.isFallback()) {
      ProgramLog.warn(
          "collective operations go over TCP instead of NCCL: " + choice.reason(), null);
    }
    Carrier carrier = new TcpCarrier(mesh, device);
    made = carrier;
    return carrier;
  }

  void fail(RuntimeException why) {
    Carrier carrier = made;
    if (carrier != null) {
      carrier.fail(why);
    }
  }
}
