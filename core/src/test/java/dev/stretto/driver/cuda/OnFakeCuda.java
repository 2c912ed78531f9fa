package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** What the tests on the fake have in common: a fresh fake, and its first device opened. */
abstract class OnFakeCuda {
  FakeCuda fake;
  Driver driver;
  DriverDevice device;

  @BeforeEach
  void openTheFirstDevice() {
    fake = FakeCuda.reset();
    driver = fake.driver();
    device = driver.open(0);
    List<String> _ = fake.calls();
  }

  /** Checks that a call fails as it should, and returns the exception. */
  static DriverException failure(Kind kind, ThrowingCallable call) {
    DriverException thrown = catchThrowableOfType(DriverException.class, call);
    assertThat(thrown).isNotNull();
    assertThat(thrown.kind()).as(thrown.getMessage()).isEqualTo(kind);
    return thrown;
  }
}
