package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({"0, 0", "64, 64", "4K, 4096", "16m, 16777216", "16MiB, 16777216", "1GB, 1073741824"})
  void readsWhatPeopleWrite(String text, long bytes) {
    assertThat(new ByteSize().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5M", "M", "16 X", "1T", "999999999999999G"})
  void refusesTheRest(String text) {
    assertThatThrownBy(() -> new ByteSize().convert(text))
        .isInstanceOf(TypeConversionException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1 byte",
    "1023, 1023 bytes",
    "1024, 1 KiB",
    "1536, 1.5 KiB",
    "268435456, 256 MiB",
    "4398046511104, 4096 GiB"
  })
  void writesWhatPeopleRead(long bytes, String text) {
    assertThat(ByteSize.show(bytes)).isEqualTo(text);
  }
}
