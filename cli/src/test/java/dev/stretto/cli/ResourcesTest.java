package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.FunctionProperties;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  @Test
  void aDriverDoesNotTellSpills() {
    assertThat(Resources.of(new FunctionProperties(1024, 32, 256, 8)))
        .isEqualTo(new Resources("driver", 32, 256, 8, Optional.empty(), Optional.empty()));
  }

  @Test
  void whatIsSaidOfOtherFunctionsIsLeftOut() {
    String said =
        """
        ptxas info    : 3 bytes gmem, 8 bytes cmem[4]
        ptxas info    : Function properties for helper
            64 bytes stack frame, 32 bytes spill stores, 32 bytes spill loads
        ptxas info    : Compiling entry function 'scale' for 'sm_80'
        ptxas info    : Function properties for scale
            0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
        ptxas info    : Used 18 registers, used 0 barriers, 376 bytes cmem[0]
        """;
    assertThat(Resources.ofAssembler("ptxas 12.4", "scale", said))
        .isEqualTo(new Resources("ptxas 12.4", 18, 0, 0, Optional.of(0), Optional.of(0)));
  }

  @Test
  void whatIsNotUnderstoodIsShown() {
    assertThatThrownBy(() -> Resources.ofAssembler("ptxas 99", "scale", "all is well\n"))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("ptxas 99 prints output that cannot be parsed: all is well");
  }
}
