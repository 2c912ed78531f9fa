package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.HostBytes;
import dev.stretto.driver.Volume;
import java.lang.foreign.MemorySegment;

/** Moves the rows of a piece: between host memory and a buffer, and between that and a device. */
final class Pieces {
  private Pieces() {}

  /**
   * Moves the bytes of a piece between host memory and a buffer, in which its rows lie without
   * gaps.
   *
   * @param block what the buffer lies in
   * @param offset where it begins there
   */
  static void move(
      Layout layout,
      long piece,
      MemorySegment host,
      MemorySegment block,
      long offset,
      boolean intoBuffer) {
    long width = layout.widthOf(piece);
    long rows = layout.rowsOf(piece);
    for (long row = 0; row < rows; row++) {
      long at = layout.hostOffset(piece, row);
      if (intoBuffer) {
        HostBytes.copy(host, at, block, offset + row * width, width);
      } else {
        HostBytes.copy(block, offset + row * width, host, at, width);
      }
    }
  }

  /**
   * Hands the copy of a piece, between its buffer and the device, to the driver.
   *
   * @param address where the whole copy begins on the device
   * @param buffer the address of the buffer
   */
  static void handOver(
      StreamQueue queue, Layout layout, long piece, long address, long buffer, boolean toDevice) {
    long width = layout.widthOf(piece);
    long rows = layout.rowsOf(piece);
    long atOnce;
    for (long row = 0; row < rows; row += atOnce) {
      atOnce = layout.rowsAtOnce(piece, row);
      long onDevice = address + layout.deviceOffset(piece, row);
      long inBuffer = buffer + row * width;
      if (toDevice) {
        send(queue, layout, onDevice, inBuffer, width, atOnce, CopyKind.HOST_TO_DEVICE);
      } else {
        send(queue, layout, inBuffer, onDevice, width, atOnce, CopyKind.DEVICE_TO_HOST);
      }
    }
  }

  private static void send(
      StreamQueue queue, Layout layout, long dst, long src, long width, long rows, CopyKind kind) {
    DriverDevice driver = queue.driver;
    boolean toDevice = kind == CopyKind.HOST_TO_DEVICE;
    long pitch = layout.device().row();
    if (rows == 1) {
      driver.copy(dst, src, width, kind, queue.handle);
    } else if (rows <= layout.planeRows()) {
      long dstPitch = toDevice ? pitch : width;
      long srcPitch = toDevice ? width : pitch;
      driver.copy2D(dst, dstPitch, src, srcPitch, width, rows, kind, queue.handle);
    } else {
      Volume planes = layout.planes(rows / layout.planeRows(), toDevice);
      driver.copy3D(dst, src, planes, kind, queue.handle);
    }
  }
}
