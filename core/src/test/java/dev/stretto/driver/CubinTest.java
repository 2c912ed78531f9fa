package dev.stretto.driver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cubin is whole, or it is said what is missing. */
class CubinTest {
  @Test
  void itsKernelsAreKnownByNameWithTheirSharedMemory() throws IOException {
    byte[] image = Mutations.cubin();
    assertThat(Cubin.isMachineCode(image)).isTrue();
    assertThat(Cubin.kernels(image)).isEqualTo(Map.of("add", 256L, "idle", 0L));
  }

  @Test
  void textIsNoMachineCode() {
    assertThat(Cubin.isMachineCode(".version 8.0".getBytes(UTF_8))).isFalse();
    assertThat(Cubin.isMachineCode(new byte[0])).isFalse();
    assertThat(Cubin.isMachineCode(new byte[] {0x7f, 'E', 'L'})).isFalse();
  }

  @Test
  void whatIsCutOffAnywhereIsRefused() throws IOException {
    byte[] image = Mutations.cubin();
    for (int length = 4; length < image.length; length++) {
      byte[] cut = Arrays.copyOf(image, length);
      assertThatIllegalArgumentException()
          .as("%d bytes", length)
          .isThrownBy(() -> Cubin.kernels(cut))
          .withMessageStartingWith(length + " bytes that are not a whole cubin: ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4, 1, 1, not a 64-bit",
    "5, 1, 2, not a 64-bit",
    "18, 2, 62, 'the machine is 62, but CUDA is 190'",
    "32, 8, -1, the table of segments",
    "40, 8, 9223372036854775807, the table of sections",
    "58, 2, 1, sections of 1 bytes each",
    "60, 2, 65535, the table of sections",
    "62, 2, 17, 'the names of sections are in section 17, which is not text'",
    "62, 2, 900, the names of sections are in section 900"
  })
  void aHeaderThatSaysMoreThanThereIsIsRefused(int at, int bytes, long value, String why)
      throws IOException {
    refused(at, bytes, value, why);
  }

  /** Numbers of section headers, from the beginning of the table on. */
  @ParameterizedTest
  @CsvSource({
    "0, 3, 24, 100000000, 'section 3, 312 bytes at 100000000, is not within the image'",
    "0, 16, 32, 1099511627776, 'section 16, 1099511627776 bytes at'",
    "0, 17, 32, 1099511627776, '.nv.shared.add has 1099511627776 bytes, more than the shared"
        + " memory'",
    "0, 17, 32, -1, 'section 17 declares -1 bytes of memory'",
    "0, 3, 40, 3, 'the names of section 3 are in section 3'",
    "0, 12, 40, 70, 'the symbols of section 12 are in section 70'",
    "0, 16, 0, 500000, 'the name of section 16 is at'"
  })
  void aSectionThatSaysMoreThanThereIsIsRefused(
      int none, int section, int field, long value, String why) throws IOException {
    ByteBuffer image = ByteBuffer.wrap(Mutations.cubin()).order(ByteOrder.LITTLE_ENDIAN);
    int at = (int) image.getLong(40) + 64 * section + field;
    refused(at, field == 0 || field == 40 ? 4 : 8, value + none, why);
  }

  private static void refused(int at, int bytes, long value, String why) throws IOException {
    ByteBuffer image = ByteBuffer.wrap(Mutations.cubin()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < bytes; i++) {
      image.put(at + i, (byte) (value >>> (8 * i)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cubin.kernels(image.array()))
        .withMessageContaining(why);
  }

  @Test
  void aFatBinaryThatIsCutOffIsRefused() {
    byte[] fat = new byte[100];
    ByteBuffer header = ByteBuffer.wrap(fat).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(0, 0xBA55ED50).putShort(6, (short) 16).putLong(8, 84);
    assertThat(Cubin.kernels(fat)).isEmpty();
    header.putLong(8, 85);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cubin.kernels(fat))
        .withMessageContaining("the fat binary, 85 bytes at 16, is not within the image");
  }
}
