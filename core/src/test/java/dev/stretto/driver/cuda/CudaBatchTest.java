package dev.stretto.driver.cuda;

import static dev.stretto.driver.CopyKind.DEVICE_TO_DEVICE;
import static dev.stretto.driver.CopyKind.DEVICE_TO_HOST;
import static dev.stretto.driver.CopyKind.HOST_TO_DEVICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyList;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls of batches: which signature, with what, and what is called where there is none. */
class CudaBatchTest extends OnFakeCuda {
  private final Arena arena = Arena.ofShared();
  private MemorySegment in;
  private MemorySegment out;

  @BeforeEach
  void allocate() {
    in = arena.allocate(300);
    for (int i = 0; i < 300; i++) {
      in.set(ValueLayout.JAVA_BYTE, i, (byte) i);
    }
    out = arena.allocate(100);
  }

  @AfterEach
  void close() {
    arena.close();
  }

  /** In on 100 bytes at 0 and, at any time, at 100; out of 100 bytes at 200, within to 300. */
  private CopyList list(long memory) {
    CopyList list = new CopyList();
    list.add(memory + 100, in.address() + 100, 100, HOST_TO_DEVICE, true);
    list.add(memory, in.address(), 100, HOST_TO_DEVICE, false);
    list.add(out.address(), memory + 200, 100, DEVICE_TO_HOST, false);
    list.add(memory + 300, memory + 200, 100, DEVICE_TO_DEVICE, false);
    return list;
  }

  private void checkCopies(DriverDevice on, long stream, String... calls) {
    long memory = on.allocate(400);
    on.copy(memory + 200, in.address() + 200, 100, HOST_TO_DEVICE, stream);
    List<String> _ = fake.calls();
    on.copyAll(list(memory), stream);
    assertThat(fake.calls()).containsExactly(calls);
    MemorySegment all = arena.allocate(400);
    on.copy(all.address(), memory, 400, DEVICE_TO_HOST, stream);
    assertThat(all.asSlice(0, 300).mismatch(in)).isEqualTo(-1);
    assertThat(all.asSlice(300).mismatch(in.asSlice(200))).isEqualTo(-1);
    assertThat(out.mismatch(in.asSlice(200))).isEqualTo(-1);
  }

  @Test
  void aDriverOfCuda12HasTheIndexAsItsEighthParameter() {
    assertThat(device.copiesInBatches()).isTrue();
    checkCopies(
        device,
        device.createStream(0),
        "0 cuMemcpyBatchAsync_12080 4 with 2 attributes, 1 at 0 and 3 at 3");
  }

  @Test
  void aDriverOfCuda13HasTheStreamThere() {
    fake.set("version", 13_000);
    DriverDevice newer = ((Driver) fake.loadAfresh()).open(0);
    assertThat(newer.copiesInBatches()).isTrue();
    checkCopies(
        newer,
        newer.createStream(0),
        "0 cuMemcpyBatchAsync_v2 4 with 2 attributes, 1 at 0 and 3 at 3");
  }

  @Test
  void anOlderDriverCopiesOneByOne() {
    fake.set("version", 12_040);
    DriverDevice older = ((Driver) fake.loadAfresh()).open(0);
    assertThat(older.copiesInBatches()).isFalse();
    checkCopies(
        older,
        older.createStream(0),
        "0 cuMemcpyHtoDAsync_v2 100",
        "0 cuMemcpyHtoDAsync_v2 100",
        "0 cuMemcpyDtoHAsync_v2 100",
        "0 cuMemcpyDtoDAsync_v2 100");
  }

  @Test
  void theLegacyStreamAndASingleCopyGoOneByOne() {
    checkCopies(
        device,
        DriverDevice.LEGACY_STREAM,
        "0 cuMemcpyHtoDAsync_v2 100",
        "0 cuMemcpyHtoDAsync_v2 100",
        "0 cuMemcpyDtoHAsync_v2 100",
        "0 cuMemcpyDtoDAsync_v2 100");
    long stream = device.createStream(0);
    CopyList one = list(device.allocate(400)).part(0, 1);
    List<String> _ = fake.calls();
    device.copyAll(one, stream);
    assertThat(fake.calls()).containsExactly("0 cuMemcpyHtoDAsync_v2 100");
  }

  @Test
  void copiesAtAnyTimeAloneHaveOneAttribute() {
    long memory = device.allocate(400);
    CopyList list = new CopyList();
    list.add(memory, in.address(), 10, HOST_TO_DEVICE, true);
    list.add(memory + 10, in.address() + 10, 10, HOST_TO_DEVICE, true);
    long stream = device.createStream(0);
    List<String> _ = fake.calls();
    device.copyAll(list, stream);
    assertThat(fake.calls())
        .containsExactly("0 cuMemcpyBatchAsync_12080 2 with 1 attributes, 3 at 0 and 3 at 0");
  }

  @Test
  void aFailureTellsWhichCopy() {
    long memory = device.allocate(400);
    CopyList list = list(memory);
    list.add(memory + 390, in.address(), 11, HOST_TO_DEVICE, false);
    DriverException thrown =
        failure(Kind.INVALID, () -> device.copyAll(list, device.createStream(0)));
    assertThat(thrown)
        .hasMessageContaining(
            "5 copies; the driver refused copy 4, 11 bytes to 0x%x".formatted(memory + 390));
  }

  @Test
  void nothingIsNotCopied() {
    long stream = device.createStream(0);
    List<String> _ = fake.calls();
    failure(Kind.INVALID, () -> device.copyAll(new CopyList(), stream));
    CopyList none = new CopyList();
    none.add(0, 1, 1, HOST_TO_DEVICE, false);
    failure(Kind.INVALID, () -> device.copyAll(none, stream));
    CopyList list = list(4096);
    failure(Kind.INVALID, () -> device.copyAll(list, 0));
    assertThat(fake.calls()).isEmpty();
  }
}
