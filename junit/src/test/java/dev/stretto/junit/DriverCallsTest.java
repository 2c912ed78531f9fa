package dev.stretto.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.DriverDevice;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which calls of a driver fail. */
class DriverCallsTest {
  /** Those that ask, give back, close or say a name. */
  private static final Set<String> NEVER =
      Set.of(
          "awaitEvent",
          "bytesReadInCall",
          "checkStream",
          "clock",
          "close",
          "closeMemory",
          "closePooled",
          "cooperation",
          "copiesInBatches",
          "destroyCaptured",
          "destroyEvent",
          "destroyGraph",
          "destroyPool",
          "destroyStream",
          "disablePeerAccess",
          "elapsedNanos",
          "eventNanos",
          "free",
          "freeAsync",
          "freeBytes",
          "freePinned",
          "functionProperties",
          "hasPool",
          "isDone",
          "isIdle",
          "inContext",
          "keepNear",
          "linkBytesPerSecond",
          "nameDevice",
          "nameStream",
          "namesFaultingLaunch",
          "onProgress",
          "peer",
          "pointer",
          "poolAttribute",
          "properties",
          "residentBlocks",
          "trimPool",
          "unloadModule",
          "unregisterHost",
          "waitsForLegacyStream");

  @Test
  void everyCallOfTheContractEitherFailsOrIsKnownNotTo() {
    Set<String> contract =
        Arrays.stream(DriverDevice.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> known = new TreeSet<>(NEVER);
    known.addAll(DriverCalls.FALLIBLE);
    assertThat(known).isEqualTo(contract);
    assertThat(DriverCalls.FALLIBLE).doesNotContainAnyElementsOf(NEVER);
  }
}
