package dev.stretto.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.TestExecutionResult.Status.ABORTED;
import static org.junit.platform.engine.TestExecutionResult.Status.SUCCESSFUL;

import dev.stretto.Device;
import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.RaceException;
import dev.stretto.schedule.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.opentest4j.AssertionFailedError;

/** How the runs of wrong programs fail. */
class DeviceTestTest {
  private static Runs run(String method, String... parameters) {
    return Runs.of(WrongPrograms.class, method, parameters);
  }

  /** The line of the wrong programs that ends with a comment. */
  private static String line(String comment) throws IOException {
    List<String> lines = source();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith("// " + comment)) {
        return "WrongPrograms.java:" + (i + 1);
      }
    }
    throw new AssertionError("no line of the wrong programs ends with " + comment);
  }

  private static List<String> source() throws IOException {
    try (InputStream source = WrongPrograms.class.getResourceAsStream("WrongPrograms.java")) {
      return new String(source.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  // --- missing waits ----------------------------------------------------------------------------

  @Test
  void aMissingWaitIsFoundBySomeSeedsAndReplayedAlone() {
    Runs runs = run("leavesOutTheWaitOfAKernel");
    assertThat(runs.names()).hasSize(30).contains("virtual:h200,seed=29");
    assertThat(runs.failed()).hasSizeBetween(5, 29);

    String name = runs.failed().getFirst();
    assertThat(runs.thrown(name))
        .isInstanceOf(FailedRunError.class)
        .hasMessageContaining("expected: 2")
        .hasMessageEndingWith("This run alone: -Dstretto.junit.replay=" + name);
    assertThat(((FailedRunError) runs.thrown(name)).run()).isEqualTo(name);

    Runs again = run("leavesOutTheWaitOfAKernel", "stretto.junit.replay=" + name);
    assertThat(again.names()).containsExactly(name);
    // The picture of the shortest run may differ: the search for it has a limit of time.
    assertThat(again.firstThrown())
        .hasMessageEndingWith("This run alone: -Dstretto.junit.replay=" + name)
        .cause()
        .hasMessage(runs.thrown(name).getCause().getMessage());
  }

  @Test
  void aMissingWaitOfACopyIsNamedUnderEverySeedWithBothPlaces() throws IOException {
    Runs runs = run("leavesOutTheWaitOfACopy");
    assertThat(runs.failed()).hasSize(30).isEqualTo(runs.names());
    Throwable thrown = runs.firstThrown();
    assertThat(thrown).hasCauseInstanceOf(RaceException.class);
    assertThat(thrown)
        .hasMessageContainingAll(
            "RaceException: ",
            line("the first place"),
            line("the second place"),
            "-Dstretto.junit.replay=virtual:h200,seed=0,order=checked");
  }

  // --- the shortest run
  // ---------------------------------------------------------------------------

  @Test
  void theFirstFailureOfATestShowsTheShortestRunThatFailsSoWhichIsReplayedAlone() {
    Runs runs = run("leavesOutTheWaitOfAKernel");
    String message = runs.firstThrown().getMessage();
    assertThat(message)
        .contains("The shortest run that fails so, from top to bottom:", "> launch1", "> copy1");
    Matcher property = Pattern.compile("\"-Dstretto.junit.replay=([^\"]+)\"").matcher(message);
    assertThat(property.find()).as(message).isTrue();
    Trace trace = Trace.parse(property.group(1));
    assertThat(trace.turns()).isEqualTo(3);

    Runs again = run("leavesOutTheWaitOfAKernel", "stretto.junit.replay=" + trace);
    assertThat(again.names()).containsExactly(trace.toString());
    assertThat(again.firstThrown())
        .hasMessageContaining("expected: 2")
        .hasMessageEndingWith("This run alone: -Dstretto.junit.replay=" + trace);
  }

  @Test
  void onlyTheFirstFailureIsMadeShort() {
    Runs runs = run("leavesOutTheWaitOfAKernel");
    assertThat(runs.failed().stream().skip(1).map(name -> runs.thrown(name).getMessage()))
        .isNotEmpty()
        .noneMatch(message -> message.contains("The shortest run"));
  }

  @Test
  void noFailureIsMadeShortIfThatIsNotWanted() {
    Runs runs = run("leavesOutTheWaitOfAKernel", "stretto.junit.shrink=false");
    assertThat(runs.firstThrown()).hasMessageNotContaining("The shortest run");
  }

  @Test
  void aTestThatNeedsMoreThanDevicesIsNotMadeShort() {
    Runs runs = run("fails");
    assertThat(runs.firstThrown())
        .hasMessageContaining("a test with its own parameter")
        .hasMessageNotContaining("The shortest run");
  }

  @Test
  void theMethodsAroundATestRunAgainOnNewInstances() {
    Runs runs = Runs.of(WrongPrograms.FailingWithState.class, "failsOnce");
    String message = runs.firstThrown().getMessage();
    assertThat(message).contains("run 1 of this instance", "The shortest run");
  }

  // --- leaks ------------------------------------------------------------------------------------

  @Test
  void whatIsLeftOpenFailsTheRunWithThePlaceOfItsOpening() throws IOException {
    Throwable thrown = run("losesTwoArraysAndAStream").firstThrown();
    assertThat(thrown)
        .hasMessageContainingAll("left open:", "4000 bytes on", "8000 bytes on", "'forgotten'")
        .hasMessageContaining("opened at " + line("opened here"))
        .hasMessageNotContaining("pinned arena");
    assertThat(thrown.getSuppressed()).hasSize(3);
  }

  // --- faults -----------------------------------------------------------------------------------

  @Test
  void aProgramThatLosesAnArrayWhenACallFailsIsFoundByThatCall() throws IOException {
    Runs runs = run("losesAnArrayWhenTheSecondCannotBeHad");
    String name =
        "virtual:h200,seed=0,order=checked,fault=2: allocate at %s"
            .formatted(line("the allocation that fails"));
    assertThat(runs.failed()).containsExactly(name);
    assertThat(runs.names(SUCCESSFUL))
        .contains(
            "virtual:h200,seed=1,order=checked",
            "virtual:h200,seed=0,order=checked,fault=1: allocate at %s"
                .formatted(line("the array that is lost")));
    assertThat(runs.thrown(name))
        .hasMessageContainingAll(
            "After allocate at " + line("the allocation that fails") + " had failed, left open:",
            "4000 bytes on",
            "opened at " + line("the array that is lost"),
            "-Dstretto.junit.replay=virtual:h200,seed=0,order=checked,fault=2");
    Runs again =
        run(
            "losesAnArrayWhenTheSecondCannotBeHad",
            "stretto.junit.replay=virtual:h200,seed=0,order=checked,fault=2");
    assertThat(again.firstThrown()).hasMessage(runs.thrown(name).getMessage());
  }

  @Test
  void aTestThatFailsWithoutFaultsHasNoRunsWithThem() {
    assertThat(run("losesAnArrayAnyway").failed())
        .containsExactly("virtual:h200,seed=0,order=checked", "virtual:h200,seed=1,order=checked");
  }

  @Test
  void aProgramThatTakesNoNoticeOfAFailureIsFound() {
    Runs runs = run("takesNoNoticeOfAFailedCopy");
    assertThat(runs.failed()).isNotEmpty().allMatch(name -> name.contains("fault="));
    assertThat(runs.firstThrown())
        .hasMessageContainingAll(
            "After allocatePinned at WrongPrograms.java:",
            "the test did not throw that failure, but: ");
  }

  @Test
  void theFailureOfACallIsTheOneThatADriverGives() {
    List<Class<?>> told =
        FaultKinds.told().stream().<Class<?>>map(Throwable::getClass).distinct().toList();
    assertThat(told)
        .contains(OutOfDeviceMemoryException.class, dev.stretto.driver.DriverException.class);
  }

  @Test
  void aFaultThatTheRunDoesNotReachAbortsIt() {
    Runs runs =
        run(
            "losesAnArrayWhenTheSecondCannotBeHad",
            "stretto.junit.replay=virtual:h200,seed=0,fault=1000");
    assertThat(runs.names(ABORTED)).hasSize(1);
  }

  // --- other failures ---------------------------------------------------------------------------

  @Test
  void whatFailsAndNobodyAwaitsFailsTheRun() {
    assertThat(run("awaitsNothing").firstThrown())
        .hasMessageContainingAll("Nobody has awaited what failed: ", "kernel beyond", "replay=");
  }

  @Test
  void expectedAndActualValuesRemainForTheIdeAndAssumptionsAbort() {
    Runs runs = run("comparesNumbers");
    assertThat(runs.names(ABORTED)).containsExactly("virtual:h200,seed=0,order=checked");
    assertThat(runs.names(SUCCESSFUL)).containsExactly("virtual:h200,seed=1,order=checked");
    AssertionFailedError error = (AssertionFailedError) runs.firstThrown();
    assertThat(error.getExpected().getEphemeralValue()).isEqualTo(1L);
    assertThat(error.getActual().getEphemeralValue()).isEqualTo(2L);
  }

  @Test
  void aFailureAfterEachIsOneOfTheRun() {
    assertThat(Runs.of(WrongPrograms.FailingAfterEach.class, "succeeds").firstThrown())
        .isInstanceOf(FailedRunError.class)
        .hasMessageContainingAll("IllegalStateException: after virtual:0", "replay=virtual:h200");
  }

  // --- what is refused --------------------------------------------------------------------------

  @Test
  void moreDevicesThanThereAreAreRefused() {
    assertThat(run("takesMoreDevicesThanThereAre").firstThrown())
        .hasCauseInstanceOf(ParameterResolutionException.class)
        .hasStackTraceContaining("write devices = \"h200x2\"");
  }

  @Test
  void aSeedIsALong() {
    assertThat(run("takesASeedAsText").firstThrown())
        .hasStackTraceContaining("@Seed is for parameters of type long, and not of String");
  }

  @Test
  void wordsThatTheAnnotationDecidesAreRefused() {
    assertThat(run("namesTheDriver").refused())
        .hasMessageContaining("write what follows 'virtual:'");
    assertThat(run("namesTheSeed").refused()).hasMessageContaining("leave 'seed=4' to");
    assertThat(run("needsAGpu", "stretto.junit.seeds=-1").refused())
        .hasMessageContaining("-1 seeds");
    assertThat(run("needsAGpu", "stretto.junit.replay=seventeen").refused())
        .hasMessageContainingAll("'seventeen' is no run of a device test", "seed=17");
    assertThat(run("needsAGpu", "stretto.junit.gpu=maybe").refused())
        .hasMessageContaining("stretto.junit.gpu=maybe");
  }

  // --- GPUs -------------------------------------------------------------------------------------

  @Test
  void aGpuThatIsRequiredFailsTheRunWhereThereIsNone() {
    Assumptions.assumeTrue(Device.all().stream().noneMatch(each -> each.driver().equals("cuda")));
    Runs runs = run("needsAGpu");
    assertThat(runs.failed()).containsExactly("cuda:0,order=checked");
    assertThat(runs.firstThrown())
        .isInstanceOf(NoSuchDeviceException.class)
        .hasMessageContaining("no GPU can be used");
    assertThat(run("needsAGpu", "stretto.junit.gpu=if-present").failed()).isEmpty();
    assertThat(run("needsAGpu", "stretto.junit.gpu=never").names())
        .containsExactly("virtual:h200,seed=0,order=checked");
  }

  // --- from outside -----------------------------------------------------------------------------

  @Test
  void seedsAreSetFromOutside() {
    Runs runs =
        run("leavesOutTheWaitOfACopy", "stretto.junit.seeds=2", "stretto.junit.firstSeed=1000");
    assertThat(runs.names())
        .containsExactly(
            "virtual:h200,seed=1000,order=checked", "virtual:h200,seed=1001,order=checked");
    assertThat(run("leavesOutTheWaitOfACopy", "stretto.junit.seeds=0").names())
        .containsExactly("virtual:h200,order=checked");
  }
}
