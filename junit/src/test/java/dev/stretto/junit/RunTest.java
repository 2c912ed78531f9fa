package dev.stretto.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a run is the run. */
class RunTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "virtual:h200",
        "virtual:h200x2,no-peer,seed=-17,order=checked,fault=3",
        "virtual:a100,memory=1000000,seed=9223372036854775807",
        "cuda:0",
        "cuda:0,cuda:1,order=checked"
      })
  void aTextIsReadAsItIsWritten(String text) {
    assertThat(Run.of(text)).hasToString(text);
    assertThat(Run.of(Run.of(text).toString())).isEqualTo(Run.of(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          virtual:h200x2,seed=7,order=checked,fault=1 | virtual:h200x2,seed=7,order=checked
          virtual                                     | virtual:h200,order=off
          cuda:0,cuda:1,order=automatic               | cuda:0,order=automatic cuda:1,order=automatic
          """)
  void devicesAreOpenedByTheirNames(String text, String names) {
    assertThat(Run.of(text).names()).isEqualTo(List.of(names.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h200",
        "seed=7",
        "virtual:h200,seed=x",
        "virtual:h200,order=maybe",
        "virtual:h200,fault=-1",
        "virtual:h200,fault=3000000000"
      })
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> Run.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "' is no run of a device test");
  }
}
