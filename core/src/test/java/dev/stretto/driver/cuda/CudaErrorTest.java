package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.DriverException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CudaErrorTest {
  @ParameterizedTest
  @ValueSource(
      ints = {4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911})
  void errorsThatLeaveNothingUsableAreSticky(int code) {
    assertThat(CudaError.isSticky(code)).isTrue();
    assertThat(CudaError.kind(code)).isEqualTo(Kind.LOST);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 46, 101, 218, 400, 600, 701, 712, 713, 720, 801, 999})
  void errorsAfterWhichTheContextWorksAreNot(int code) {
    assertThat(CudaError.isSticky(code)).isFalse();
    assertThat(CudaError.kind(code)).isNotEqualTo(Kind.LOST);
  }

  @Test
  void codesHaveTheKindThatTheLayersAboveActOn() {
    assertThat(CudaError.kind(2)).isEqualTo(Kind.OUT_OF_MEMORY);
    assertThat(CudaError.kind(1)).isEqualTo(Kind.INVALID);
    assertThat(CudaError.kind(400)).isEqualTo(Kind.INVALID);
    assertThat(CudaError.kind(701)).isEqualTo(Kind.INVALID);
    assertThat(CudaError.kind(200)).isEqualTo(Kind.BAD_IMAGE);
    assertThat(CudaError.kind(218)).isEqualTo(Kind.BAD_IMAGE);
    assertThat(CudaError.kind(222)).isEqualTo(Kind.BAD_IMAGE);
    assertThat(CudaError.kind(500)).isEqualTo(Kind.BAD_IMAGE);
    assertThat(CudaError.kind(46)).isEqualTo(Kind.OTHER);
    assertThat(CudaError.kind(999)).isEqualTo(Kind.OTHER);
  }
}
