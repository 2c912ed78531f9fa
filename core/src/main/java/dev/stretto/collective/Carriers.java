package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.collective.mesh.Introduction;
import dev.stretto.collective.mesh.Invitation;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.collective.nccl.NcclLibrary;
import dev.stretto.collective.nccl.NcclRank;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.route.ProgramLog;
import java.time.Duration;
import java.util.HexFormat;
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
    DeviceProperties properties = device.properties();
    boolean isGpu = properties.driver().equals("cuda");
    NcclLibrary.Finding library =
        isGpu ? NcclLibrary.find() : new NcclLibrary.Missing(device.name() + " is no GPU");
    int version = library instanceof NcclLibrary.Found(NcclLibrary found) ? found.version() : 0;
    return new Introduction(
        rank,
        size,
        ProcessHandle.current().pid(),
        device.name(),
        isGpu ? invitation.machine() + "/" + properties.pciBusId() : "",
        version,
        library instanceof NcclLibrary.Missing(String why) ? why : "",
        rank == 0 && version > 0 ? HexFormat.of().formatHex(NcclRank.drawId()) : "",
        invitation);
  }

  Carrier make(Mesh mesh, Choice choice, Duration atMost) {
    if (choice.isFallback()) {
      ProgramLog.warn(
          "collective operations go over TCP instead of NCCL: " + choice.reason(), null);
    }
    Carrier carrier =
        choice.transport() == Transport.NCCL
            ? NcclCarrier.join(mesh, device, atMost)
            : new TcpCarrier(mesh, device);
    made = carrier;
    RuntimeException failure = mesh.failure();
    if (failure != null) {
      carrier.fail(failure); // before anybody could be told
    }
    return carrier;
  }

  void fail(RuntimeException why) {
    Carrier carrier = made;
    if (carrier != null) {
      carrier.fail(why);
    }
  }
}
