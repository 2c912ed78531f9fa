package dev.stretto.contract;

import dev.stretto.Sample;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a program does to copy, overlap and wait is right under many seeds: a part of the contract
 * for each feature, which compares with plain Java. Features with tests of their own under as many
 * seeds are left out: shared memory of other blocks ({@link ClusterSeedsTest}), asynchronous stores
 * ({@link StoredTilesSeedsTest}), parts of a block ({@link GroupedCopiesSeedsTest}), other
 * processes ({@link IpcSeedsTest}), pools ({@link LimitedPoolTest}) and waits of blocks for each
 * other ({@link WaitingBlocksTest}).
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManySeedsTest {
  /** All 200 take eight minutes: {@code -Dstretto.seeds=200}. */
  private static final int SEEDS = Sample.of("stretto.seeds", 5, 40);

  enum Feature {
    COOPERATIVE_LAUNCHES(
        CooperativeLaunchTest::new, "eachRoundSeesWhatOtherBlocksWroteInTheRoundBefore"),
    HALVES_OF_A_MEETING(
        CooperativeLaunchTest::new, "workBetweenArrivingAndWaitingSeesNothingYetAndAllBehind"),
    VIEWS(ViewTest::new, "kernelsReadAndWriteTheHostsMemory"),
    ANSWERS_OF_A_RUNNING_KERNEL(ViewTest::new, "aRunningKernelAnswersTheHost"),
    VIEWS_BESIDE_COPIES(ViewTest::new, "copiesBeforeAndBehindAKernelSeeWhatItSees"),
    NUMBERS(ValueTest::new, "twoStreamsTakeTurns"),
    NUMBERS_AWAITED_BEFORE_THEY_ARE_WRITTEN(ValueTest::new, "aWaitMayBeEnqueuedBeforeTheWrite"),
    HINTS(HintedCopiesTest::new, "rangesAreBroughtThereAndBack"),
    BULK_REDUCTIONS(BulkReductionTest::new, "integersAreCombined"),
    REDUCTIONS_IN_ANOTHER_BLOCK(
        ClusterReductionTest::new, "threadsJoinNumbersToThoseOfAnotherBlock"),
    WAITS_FOR_A_TIME(BarrierWaitTest::new, "aThreadWaitsInVainWhileOthersLookForIt"),
    RELAXED_WAITS(BarrierWaitTest::new, "relaxedWaitsSeeTheEndOfAPhase"),
    RELAXED_WAITS_FOR_ANOTHER_BLOCK(
        BarrierWaitTest::new, "relaxedWaitsSeeWhatThreadsOfAnotherBlockEnd"),
    ARRIVALS_AT_ANOTHER_BLOCK(BarrierWaitTest::new, "blocksArriveAtEachOthersBarriersInEachWay"),
    NODES_THAT_ARE_OFF(ChangedGraphTest::new, "aNodeThatIsOffDoesNothingUntilItIsOnAgain"),
    GRAPHS_THAT_TAKE_OVER(ChangedGraphTest::new, "aGraphTakesOverTheParametersOfAnother"),
    CAPTURED_PLANES(CapturedWorkTest::new, "planesAreCopiedByEachLaunch"),
    CAPTURED_BATCHES(CapturedWorkTest::new, "theCopiesOfABatchAreNotOrderedAmongEachOther"),
    CAPTURED_NUMBERS(CapturedWorkTest::new, "aGraphWaitsForNumbersAndWritesThem"),
    CAPTURED_ARRAYS(CapturedWorkTest::new, "aCaptureAllocatesMemoryOfTheGraph"),
    CAPTURED_DECISIONS(CapturedWorkTest::new, "aBodyIsCapturedInTheMiddle"),
    PLANES_BETWEEN_DEVICES(PeerRowsTest::new, "planesGoOverTheLinkWithAccess"),
    PLANES_THROUGH_THE_HOST(PeerRowsTest::new, "planesGoThroughTheHostWithoutAccess"),
    WRITE_COMBINED_MEMORY(WriteCombinedTest::new, "whatTheHostWritesADeviceReadsDirectly"),
    FILLS_OF_ROWS(Fill2DTest::new, "rowsAreFilledAndWhatLiesBetweenStays");

    @SuppressWarnings("ImmutableEnumChecker") // constructors have no state
    private final Supplier<ContractTest> contract;

    private final String part;

    Feature(Supplier<ContractTest> contract, String part) {
      this.contract = contract;
      this.part = part;
    }

    void runUnder(int seed) {
      ContractTest test = contract.get();
      test.machine = new Machine("virtual:h200,seed=" + seed);
      try {
        call(test, ContractTest.class, BeforeEach.class);
        call(test, test.getClass(), BeforeEach.class);
        try {
          test.getClass().getDeclaredMethod(part).invoke(test);
        } finally {
          call(test, test.getClass(), AfterEach.class);
          call(test, ContractTest.class, AfterEach.class);
        }
      } catch (InvocationTargetException e) {
        throw new AssertionError(this + " under seed " + seed, e.getCause());
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }

    private static void call(
        ContractTest test, Class<?> type, Class<? extends Annotation> annotation)
        throws ReflectiveOperationException {
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(annotation)) {
          method.invoke(test);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFeatureIsRightUnderManySeeds(Feature feature) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      feature.runUnder(seed);
    }
  }
}
