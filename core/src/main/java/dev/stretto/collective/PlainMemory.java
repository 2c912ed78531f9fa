package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.memory.GlobalBytes;

/** Memory of a window whose operations are the communicator's usual ones. */
final class PlainMemory implements WindowMemory {
  private final GlobalBytes array;

  PlainMemory(Device device, long bytes) {
    this.array = device.allocateBytes(bytes);
  }

  @Override
  public boolean awaitKnown() {
    return false;
  }

  @Override
  public GlobalBytes array() {
    return array;
  }

  @Override
  public void giveBack() {
    array.close();
  }
}
