package dev.stretto.bench.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  private static Options of(String... arguments) {
    return Options.of(List.of(arguments), "--device", "--rounds");
  }

  @Test
  void whatFollowsTheOptionsAreWords() {
    Options options = of("--rounds", "3", "one", "--rounds");
    assertThat(options.count("--rounds", 5)).isEqualTo(3);
    assertThat(options.text("--device", "cuda:0")).isEqualTo("cuda:0");
    assertThat(options.words()).containsExactly("one", "--rounds");
  }

  @Test
  void anOptionThatDoesNotExistAnOptionWithoutAValueAndAWordTooManyAreRefused() {
    assertThatThrownBy(() -> of("--size", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such option: --size");
    assertThatThrownBy(() -> of("--rounds", "1", "--device"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--device needs a value");
    assertThatThrownBy(() -> of("--rounds", "1", "one").withoutWords())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such option: one");
  }
}
