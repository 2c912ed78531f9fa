package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.fault.GraphException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** That something is refused because of a graph, at a line of the tests. */
final class GraphRefusals {
  private GraphRefusals() {}

  static GraphException refused(ThrowingCallable call, String why) {
    GraphException thrown = catchThrowableOfType(GraphException.class, call);
    assertThat(thrown).isNotNull();
    assertThat(thrown).hasMessageContaining(why).hasMessageContaining("Test.java:");
    return thrown;
  }
}
