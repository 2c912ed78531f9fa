package dev.stretto.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.compiler.lint.Lint;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kernel that breaks a rule of asynchronous copies is told so, by the compiler or by each
 * virtual device, with the rule and the line; and none that does not.
 */
class MisuseTest {
  private static final int LENGTH = 256;

  /** A kernel of {@link MisusedCopies}. */
  interface Misused extends KernelMethod.Of2<GlobalInts, GlobalInts> {}

  /** A kernel of {@link MisusedStores} that copies bytes. */
  interface MisusedBytes extends KernelMethod.Of2<GlobalBytes, GlobalInts> {}

  /** A kernel of {@link MisusedTensors} or {@link MisusedColumns}. */
  interface MisusedTensor extends KernelMethod.Of3<TensorMap, GlobalInts, GlobalInts> {}

  /** Enqueues a launch. */
  private interface Launch {
    void on(Stream stream, GlobalInts in, GlobalInts out);
  }

  /** The wrong kernel, and the right one. */
  record Pair(Class<?> owner, String name, Launch bad, Launch good) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Pair pair(String name, Misused bad, Misused good) {
    return new Pair(MisusedCopies.class, name, launch(bad), launch(good));
  }

  private static Pair promises(String name, Misused bad, Misused good) {
    return new Pair(MisusedPromises.class, name, launch(bad), launch(good));
  }

  private static Pair stores(String name, Misused bad, Misused good) {
    return new Pair(MisusedStores.class, name, launch(bad), launch(good));
  }

  private static Pair groups(String name, Misused bad, Misused good) {
    return new Pair(MisusedGroups.class, name, launch(bad), launch(good));
  }

  private static Pair bytes(String name, MisusedBytes bad, MisusedBytes good) {
    return new Pair(MisusedStores.class, name, launchOfBytes(bad), launchOfBytes(good));
  }

  private static Launch launchOfBytes(MisusedBytes kernel) {
    return (stream, in, out) -> {
      try (GlobalBytes bytes = stream.allocateBytes(LENGTH)) {
        stream.fill(bytes, (byte) 1);
        stream.launch(Grid.of(1, 64), kernel, bytes, out);
      }
    };
  }

  private static Launch launch(Misused kernel) {
    return (stream, in, out) -> stream.launch(Grid.of(1, 64), kernel, in, out);
  }

  private static Pair tensors(String name, MisusedTensor bad, MisusedTensor good) {
    return new Pair(MisusedTensors.class, name, launch(bad), launch(good));
  }

  private static Launch launch(MisusedTensor kernel) {
    return (stream, in, out) ->
        stream.launch(
            Grid.of(2, 64).withCluster(2, 1, 1),
            kernel,
            TensorMap.of(in).shape(16, 16).box(16, 4).build(),
            in,
            out);
  }

  private static Pair sequences(String name, MisusedTensor bad, MisusedTensor good) {
    return new Pair(MisusedTensors.class, name, launchOfRows(bad), launchOfRows(good));
  }

  private static Launch launchOfRows(MisusedTensor kernel) {
    return (stream, in, out) ->
        stream.launch(
            Grid.of(2, 64).withCluster(2, 1, 1),
            kernel,
            TensorMap.of(in).shape(16, 8, 16).strides(64, 64).box(16, 4, 1).partial().build(),
            in,
            out);
  }

  private static Pair columns(String name, MisusedTensor bad, MisusedTensor good) {
    return new Pair(MisusedColumns.class, name, launchOfColumns(bad), launchOfColumns(good));
  }

  private static Launch launchOfColumns(MisusedTensor kernel) {
    return (stream, in, out) ->
        stream.launch(
            Grid.of(2, 64).withCluster(2, 1, 1),
            kernel,
            TensorMap.of(in).shape(8, 8, 4, 1).im2col(4, 16).upperCorner(-1, -1).build(),
            in,
            out);
  }

  private static java.util.stream.Stream<Pair> pairs() {
    return java.util.stream.Stream.of(
        pair("readsAtOnce", MisusedCopies::readsAtOnceBad, MisusedCopies::readsAtOnceGood),
        pair("onlySyncs", MisusedCopies::onlySyncsBad, MisusedCopies::onlySyncsGood),
        pair("doesNotCommit", MisusedCopies::doesNotCommitBad, MisusedCopies::doesNotCommitGood),
        pair(
            "leavesTheOnlyGroup",
            MisusedCopies::leavesTheOnlyGroupBad,
            MisusedCopies::leavesTheOnlyGroupGood),
        pair(
            "leavesTheSecondGroup",
            MisusedCopies::leavesTheSecondGroupBad,
            MisusedCopies::leavesTheSecondGroupGood),
        pair(
            "waitsTooLittleAtTheEnd",
            MisusedCopies::waitsTooLittleAtTheEndBad,
            MisusedCopies::waitsTooLittleAtTheEndGood),
        pair(
            "waitsForItselfOnly",
            MisusedCopies::waitsForItselfOnlyBad,
            MisusedCopies::waitsForItselfOnlyGood),
        pair(
            "readsAnotherWarps",
            MisusedCopies::readsAnotherWarpsBad,
            MisusedCopies::readsAnotherWarpsGood),
        pair(
            "commitsInABranch",
            MisusedCopies::commitsInABranchBad,
            MisusedCopies::commitsInABranchGood),
        pair(
            "arrivesInABranch",
            MisusedCopies::arrivesInABranchBad,
            MisusedCopies::arrivesInABranchGood),
        pair("refillsAtOnce", MisusedCopies::refillsAtOnceBad, MisusedCopies::refillsAtOnceGood),
        pair(
            "refillsWhatAllRead",
            MisusedCopies::refillsWhatAllReadBad,
            MisusedCopies::refillsWhatAllReadGood),
        pair(
            "releasesBeforeItReads",
            MisusedCopies::releasesBeforeItReadsBad,
            MisusedCopies::releasesBeforeItReadsGood),
        pair(
            "copiesTwiceToOnePlace",
            MisusedCopies::copiesTwiceToOnePlaceBad,
            MisusedCopies::copiesTwiceToOnePlaceGood),
        pair(
            "storesWhereACopyGoes",
            MisusedCopies::storesWhereACopyGoesBad,
            MisusedCopies::storesWhereACopyGoesGood),
        pair(
            "anotherThreadStored",
            MisusedCopies::anotherThreadStoredBad,
            MisusedCopies::anotherThreadStoredGood),
        pair("arrivesOnly", MisusedCopies::arrivesOnlyBad, MisusedCopies::arrivesOnlyGood),
        pair(
            "doesNotWaitForTheStage",
            MisusedCopies::doesNotWaitForTheStageBad,
            MisusedCopies::doesNotWaitForTheStageGood),
        pair(
            "expectsTooLittle",
            MisusedCopies::expectsTooLittleBad,
            MisusedCopies::expectsTooLittleGood),
        pair("expectsTooMuch", MisusedCopies::expectsTooMuchBad, MisusedCopies::expectsTooMuchGood),
        pair("expectsNothing", MisusedCopies::expectsNothingBad, MisusedCopies::expectsNothingGood),
        pair(
            "isNotInitialized",
            MisusedCopies::isNotInitializedBad,
            MisusedCopies::isNotInitializedGood),
        pair("isNotKnownYet", MisusedCopies::isNotKnownYetBad, MisusedCopies::isNotKnownYetGood),
        pair(
            "isInitializedTwice",
            MisusedCopies::isInitializedTwiceBad,
            MisusedCopies::isInitializedTwiceGood),
        pair(
            "arrivesTooOften",
            MisusedCopies::arrivesTooOftenBad,
            MisusedCopies::arrivesTooOftenGood),
        pair("isNotCounted", MisusedCopies::isNotCountedBad, MisusedCopies::isNotCountedGood),
        pair(
            "waitsForAnOldPhase",
            MisusedCopies::waitsForAnOldPhaseBad,
            MisusedCopies::waitsForAnOldPhaseGood),
        pair(
            "oneDoesNotArrive",
            MisusedCopies::oneDoesNotArriveBad,
            MisusedCopies::oneDoesNotArriveGood),
        pair(
            "oneDoesNotRelease",
            MisusedCopies::oneDoesNotReleaseBad,
            MisusedCopies::oneDoesNotReleaseGood),
        pair(
            "leavesWithoutQuitting",
            MisusedCopies::leavesWithoutQuittingBad,
            MisusedCopies::leavesWithoutQuittingGood),
        pair("hasNoFence", MisusedCopies::hasNoFenceBad, MisusedCopies::hasNoFenceGood),
        pair("hasNoBarrier", MisusedCopies::hasNoBarrierBad, MisusedCopies::hasNoBarrierGood),
        pair(
            "oneFencesForAll",
            MisusedCopies::oneFencesForAllBad,
            MisusedCopies::oneFencesForAllGood),
        pair(
            "readsWhatMayNotBeThere",
            MisusedCopies::readsWhatMayNotBeThereBad,
            MisusedCopies::readsWhatMayNotBeThereGood),
        pair("endsTooEarly", MisusedCopies::endsTooEarlyBad, MisusedCopies::endsTooEarlyGood),
        pair(
            "endsWithoutCommit",
            MisusedCopies::endsWithoutCommitBad,
            MisusedCopies::endsWithoutCommitGood),
        pair(
            "storesOverWhatIsRead",
            MisusedCopies::storesOverWhatIsReadBad,
            MisusedCopies::storesOverWhatIsReadGood),
        pair("isMisaligned", MisusedCopies::isMisalignedBad, MisusedCopies::isMisalignedGood),
        pair(
            "promisesTooMuch",
            MisusedCopies::promisesTooMuchBad,
            MisusedCopies::promisesTooMuchGood),
        pair(
            "copiesHalfAUnit",
            MisusedCopies::copiesHalfAUnitBad,
            MisusedCopies::copiesHalfAUnitGood),
        pair("countsNobody", MisusedCopies::countsNobodyBad, MisusedCopies::countsNobodyGood),
        pair("countsTooMany", MisusedCopies::countsTooManyBad, MisusedCopies::countsTooManyGood),
        pair(
            "waitsForParityTwo",
            MisusedCopies::waitsForParityTwoBad,
            MisusedCopies::waitsForParityTwoGood),
        promises(
            "copiesLessThanNothing",
            MisusedPromises::copiesLessThanNothingBad,
            MisusedPromises::copiesLessThanNothingGood),
        promises(
            "isTooShortToShow",
            MisusedPromises::isTooShortToShowBad,
            MisusedPromises::isTooShortToShowGood),
        promises(
            "fillsAheadWithoutABarrier",
            MisusedPromises::fillsAheadWithoutABarrierBad,
            MisusedPromises::fillsAheadWithoutABarrierGood),
        promises(
            "consumersCommitToo",
            MisusedPromises::consumersCommitTooBad,
            MisusedPromises::consumersCommitTooGood),
        promises(
            "producersReleaseToo",
            MisusedPromises::producersReleaseTooBad,
            MisusedPromises::producersReleaseTooGood),
        promises("leavesTwice", MisusedPromises::leavesTwiceBad, MisusedPromises::leavesTwiceGood),
        promises(
            "goesOnWhenItHasLeft",
            MisusedPromises::goesOnWhenItHasLeftBad,
            MisusedPromises::goesOnWhenItHasLeftGood),
        promises(
            "promisesALine", MisusedPromises::promisesALineBad, MisusedPromises::promisesALineGood),
        promises(
            "nobodyProduces",
            MisusedPromises::nobodyProducesBad,
            MisusedPromises::nobodyProducesGood),
        promises(
            "nobodyConsumes",
            MisusedPromises::nobodyConsumesBad,
            MisusedPromises::nobodyConsumesGood),
        promises(
            "doesNotArriveAtAll",
            MisusedPromises::doesNotArriveAtAllBad,
            MisusedPromises::doesNotArriveAtAllGood),
        promises(
            "consumersCopyToo",
            MisusedPromises::consumersCopyTooBad,
            MisusedPromises::consumersCopyTooGood),
        promises(
            "oneCopiesForTheBlock",
            MisusedPromises::oneCopiesForTheBlockBad,
            MisusedPromises::oneCopiesForTheBlockGood),
        promises(
            "eachCopiesOtherNumbers",
            MisusedPromises::eachCopiesOtherNumbersBad,
            MisusedPromises::eachCopiesOtherNumbersGood),
        promises(
            "copiesWhatItHasStored",
            MisusedPromises::copiesWhatItHasStoredBad,
            MisusedPromises::copiesWhatItHasStoredGood),
        promises(
            "comesBackToTheFirstTile",
            MisusedPromises::comesBackToTheFirstTileBad,
            MisusedPromises::comesBackToTheFirstTileGood),
        promises(
            "leavesAStage", MisusedPromises::leavesAStageBad, MisusedPromises::leavesAStageGood),
        promises(
            "usesWhatHasEnded",
            MisusedPromises::usesWhatHasEndedBad,
            MisusedPromises::usesWhatHasEndedGood),
        stores(
            "refillsWhatIsStored",
            MisusedStores::refillsWhatIsStoredBad,
            MisusedStores::refillsWhatIsStoredGood),
        stores(
            "leavesTheStore", MisusedStores::leavesTheStoreBad, MisusedStores::leavesTheStoreGood),
        stores(
            "storesWhatComes",
            MisusedStores::storesWhatComesBad,
            MisusedStores::storesWhatComesGood),
        stores(
            "oneStoresForAll",
            MisusedStores::oneStoresForAllBad,
            MisusedStores::oneStoresForAllGood),
        stores(
            "refillsTheStage",
            MisusedStores::refillsTheStageBad,
            MisusedStores::refillsTheStageGood),
        stores(
            "bringsBackWhatItStored",
            MisusedStores::bringsBackWhatItStoredBad,
            MisusedStores::bringsBackWhatItStoredGood),
        stores(
            "refillsAPlainTile",
            MisusedStores::refillsAPlainTileBad,
            MisusedStores::refillsAPlainTileGood),
        bytes(
            "onlySyncsBytes", MisusedStores::onlySyncsBytesBad, MisusedStores::onlySyncsBytesGood),
        bytes(
            "readsShortsAtOnce",
            MisusedStores::readsShortsAtOnceBad,
            MisusedStores::readsShortsAtOnceGood),
        stores(
            "readsTheRestAtOnce",
            MisusedStores::readsTheRestAtOnceBad,
            MisusedStores::readsTheRestAtOnceGood),
        bytes(
            "readsBytesOfAStage",
            MisusedStores::readsBytesOfAStageBad,
            MisusedStores::readsBytesOfAStageGood),
        groups("tileOnlySyncs", MisusedGroups::tileOnlySyncsBad, MisusedGroups::tileOnlySyncsGood),
        groups(
            "readsTheNextTile",
            MisusedGroups::readsTheNextTileBad,
            MisusedGroups::readsTheNextTileGood),
        groups(
            "oneCopiesForItsTile",
            MisusedGroups::oneCopiesForItsTileBad,
            MisusedGroups::oneCopiesForItsTileGood),
        groups(
            "eachNamesItsElement",
            MisusedGroups::eachNamesItsElementBad,
            MisusedGroups::eachNamesItsElementGood),
        groups(
            "refillsItsTile", MisusedGroups::refillsItsTileBad, MisusedGroups::refillsItsTileGood),
        groups(
            "blockCopiesForAWarp",
            MisusedGroups::blockCopiesForAWarpBad,
            MisusedGroups::blockCopiesForAWarpGood),
        groups(
            "consumersCopyToo",
            MisusedGroups::consumersCopyTooBad,
            MisusedGroups::consumersCopyTooGood),
        groups(
            "moreTilesThanTold",
            MisusedGroups::moreTilesThanToldBad,
            MisusedGroups::moreTilesThanToldGood),
        groups("othersCopyToo", MisusedGroups::othersCopyTooBad, MisusedGroups::othersCopyTooGood),
        groups(
            "warpsBehindTheBlock",
            MisusedGroups::warpsBehindTheBlockBad,
            MisusedGroups::warpsBehindTheBlockGood),
        groups(
            "meetsOnlyItsWarp",
            MisusedGroups::meetsOnlyItsWarpBad,
            MisusedGroups::meetsOnlyItsWarpGood),
        tensors(
            "readsABoxAtOnce",
            MisusedTensors::readsABoxAtOnceBad,
            MisusedTensors::readsABoxAtOnceGood),
        sequences(
            "readsBehindTheArray",
            MisusedTensors::readsBehindTheArrayBad,
            MisusedTensors::readsBehindTheArrayGood),
        tensors("refillsABox", MisusedTensors::refillsABoxBad, MisusedTensors::refillsABoxGood),
        tensors(
            "expectsMoreThanABox",
            MisusedTensors::expectsMoreThanABoxBad,
            MisusedTensors::expectsMoreThanABoxGood),
        tensors(
            "expectsLessThanABox",
            MisusedTensors::expectsLessThanABoxBad,
            MisusedTensors::expectsLessThanABoxGood),
        tensors(
            "beginsInsideAPiece",
            MisusedTensors::beginsInsideAPieceBad,
            MisusedTensors::beginsInsideAPieceGood),
        tensors(
            "liesBetweenLines",
            MisusedTensors::liesBetweenLinesBad,
            MisusedTensors::liesBetweenLinesGood),
        tensors(
            "writesABoxOutside",
            MisusedTensors::writesABoxOutsideBad,
            MisusedTensors::writesABoxOutsideGood),
        tensors(
            "writesABoxWithoutFence",
            MisusedTensors::writesABoxWithoutFenceBad,
            MisusedTensors::writesABoxWithoutFenceGood),
        tensors(
            "joinsABoxWithoutBarrier",
            MisusedTensors::joinsABoxWithoutBarrierBad,
            MisusedTensors::joinsABoxWithoutBarrierGood),
        tensors(
            "endsBeforeABoxIsRead",
            MisusedTensors::endsBeforeABoxIsReadBad,
            MisusedTensors::endsBeforeABoxIsReadGood),
        tensors(
            "othersDoNotKnow",
            MisusedTensors::othersDoNotKnowBad,
            MisusedTensors::othersDoNotKnowGood),
        tensors(
            "fillsWhatAnotherBlockReads",
            MisusedTensors::fillsWhatAnotherBlockReadsBad,
            MisusedTensors::fillsWhatAnotherBlockReadsGood),
        tensors(
            "oneBlockExpectsNothing",
            MisusedTensors::oneBlockExpectsNothingBad,
            MisusedTensors::oneBlockExpectsNothingGood),
        columns(
            "readsAColumnAtOnce",
            MisusedColumns::readsAColumnAtOnceBad,
            MisusedColumns::readsAColumnAtOnceGood),
        columns(
            "refillsAColumn",
            MisusedColumns::refillsAColumnBad,
            MisusedColumns::refillsAColumnGood),
        columns(
            "expectsMoreThanAColumn",
            MisusedColumns::expectsMoreThanAColumnBad,
            MisusedColumns::expectsMoreThanAColumnGood),
        columns(
            "expectsNoColumn",
            MisusedColumns::expectsNoColumnBad,
            MisusedColumns::expectsNoColumnGood),
        columns(
            "beginsInsideAPieceOfAPixel",
            MisusedColumns::beginsInsideAPieceOfAPixelBad,
            MisusedColumns::beginsInsideAPieceOfAPixelGood),
        columns(
            "beginsOutsideOfTheBox",
            MisusedColumns::beginsOutsideOfTheBoxBad,
            MisusedColumns::beginsOutsideOfTheBoxGood),
        columns(
            "movesAColumnBackwards",
            MisusedColumns::movesAColumnBackwardsBad,
            MisusedColumns::movesAColumnBackwardsGood),
        columns(
            "liesBetweenLinesOfBanks",
            MisusedColumns::liesBetweenLinesOfBanksBad,
            MisusedColumns::liesBetweenLinesOfBanksGood),
        columns(
            "writesAColumnWithoutFence",
            MisusedColumns::writesAColumnWithoutFenceBad,
            MisusedColumns::writesAColumnWithoutFenceGood),
        columns(
            "joinsAColumnWithoutBarrier",
            MisusedColumns::joinsAColumnWithoutBarrierBad,
            MisusedColumns::joinsAColumnWithoutBarrierGood),
        columns(
            "endsBeforeAColumnIsRead",
            MisusedColumns::endsBeforeAColumnIsReadBad,
            MisusedColumns::endsBeforeAColumnIsReadGood),
        columns(
            "writesAColumnBeforeTheFirstImage",
            MisusedColumns::writesAColumnBeforeTheFirstImageBad,
            MisusedColumns::writesAColumnBeforeTheFirstImageGood),
        columns(
            "fillsTheColumnThatAnotherBlockReads",
            MisusedColumns::fillsTheColumnThatAnotherBlockReadsBad,
            MisusedColumns::fillsTheColumnThatAnotherBlockReadsGood));
  }

  /** A right kernel, without a wrong one. */
  record Right(String name, Launch launch) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Right right(String name, Misused kernel) {
    return new Right(name, launch(kernel));
  }

  private static Right alone(String name, Misused kernel) {
    return new Right(name, (stream, in, out) -> stream.launch(Grid.of(1, 1), kernel, in, out));
  }

  /** A wrong kernel, without a right one. */
  record Wrong(String name, Launch launch) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Wrong wrong(String name, Misused kernel) {
    return new Wrong(name, launch(kernel));
  }

  private static java.util.stream.Stream<Wrong> wrongOnes() {
    return java.util.stream.Stream.of(
        wrong("halfAWarpCommits", MisusedByAStep::halfAWarpCommits),
        wrong("someCommitBehindALoop", MisusedByAStep::someCommitBehindALoop),
        wrong("everySecondThreadCommits", MisusedByAStep::everySecondThreadCommits),
        wrong("everyFourthThreadArrives", MisusedByAStep::everyFourthThreadArrives),
        wrong("theLastThreadsCommit", MisusedByAStep::theLastThreadsCommit),
        wrong("aThreadDoesNotWaitForRoom", MisusedByAStep::aThreadDoesNotWaitForRoom),
        wrong("refillsWhatAllReadInALoop", MisusedByAStep::refillsWhatAllReadInALoop),
        wrong("hasTwoStagesWhereItNeedsThree", MisusedByAStep::hasTwoStagesWhereItNeedsThree),
        wrong("refillsSomeOfWhatAllRead", MisusedByAStep::refillsSomeOfWhatAllRead),
        wrong("aWarpRefillsAtOnce", MisusedByAStep::aWarpRefillsAtOnce),
        wrong("aThreadBringsTooLittleItself", MisusedByAStep::aThreadBringsTooLittleItself),
        wrong("copiesARowTooMany", MisusedByAStep::copiesARowTooMany),
        wrong("expectsOnTheOtherBarrier", MisusedByAStep::expectsOnTheOtherBarrier),
        wrong("expectsForOneOfTwoCopies", MisusedByAStep::expectsForOneOfTwoCopies),
        wrong("expectsLessThanItCopiesAtTimes", MisusedByAStep::expectsLessThanItCopiesAtTimes),
        wrong("isInitializedInEachTurn", MisusedByAStep::isInitializedInEachTurn),
        wrong("endsTheOtherBarrier", MisusedByAStep::endsTheOtherBarrier),
        wrong("aPipelineIsMadeAgainTooEarly", MisusedByAStep::aPipelineIsMadeAgainTooEarly),
        wrong("aBarrierIsMadeAgainTooEarly", MisusedByAStep::aBarrierIsMadeAgainTooEarly),
        wrong(
            "aPipelineIsMadeAgainWithAStageInIt",
            MisusedByAStep::aPipelineIsMadeAgainWithAStageInIt),
        wrong("allMeetTooEarly", MisusedByAStep::allMeetTooEarly),
        wrong("initializesTheOtherBarrier", MisusedByAStep::initializesTheOtherBarrier),
        wrong("onlyOneWarpMeets", MisusedByAStep::onlyOneWarpMeets),
        wrong("copiesBeforeAllKnow", MisusedByAStep::copiesBeforeAllKnow),
        wrong("isUsedAfterItsEnd", MisusedByAStep::isUsedAfterItsEnd),
        wrong("anotherThreadWaits", MisusedByAStep::anotherThreadWaits),
        wrong("leavesOneBehindTheLoop", MisusedByAStep::leavesOneBehindTheLoop),
        wrong("waitsBeforeItCommits", MisusedByAStep::waitsBeforeItCommits),
        wrong("waitsInTheNextTurnOnly", MisusedByAStep::waitsInTheNextTurnOnly),
        wrong("waitsForAllButTheLast", MisusedByAStep::waitsForAllButTheLast),
        wrong("fencesBeforeItStores", MisusedByAStep::fencesBeforeItStores),
        wrong("storesOnceMoreBehindTheFence", MisusedByAStep::storesOnceMoreBehindTheFence),
        wrong("fencesInTheFirstTurnOnly", MisusedByAStep::fencesInTheFirstTurnOnly),
        wrong("onlyOneWarpFences", MisusedByAStep::onlyOneWarpFences),
        wrong("othersStoreInAStage", MisusedByAStep::othersStoreInAStage),
        wrong("readsWhatItHasSent", MisusedByAStep::readsWhatItHasSent),
        wrong("readsWhatItSends", MisusedByAStep::readsWhatItSends),
        wrong("onlyAFewWaitAtTheBarrier", MisusedByAStep::onlyAFewWaitAtTheBarrier),
        wrong("othersDoNotMeetTheOneThatWaits", MisusedByAStep::othersDoNotMeetTheOneThatWaits));
  }

  private static java.util.stream.Stream<Right> rightOnes() {
    return java.util.stream.Stream.of(
        right("oneThreadCopiesOnABarrier", RightCopies::oneThreadCopiesOnABarrier),
        right("oneThreadCopiesAndWaits", RightCopies::oneThreadCopiesAndWaits),
        right("someThreadsCopyAnElementEach", RightCopies::someThreadsCopyAnElementEach),
        right("halfAWarpCopiesOnABarrier", RightCopies::halfAWarpCopiesOnABarrier),
        right("halfAWarpProduces", RightCopies::halfAWarpProduces),
        right("everySecondThreadDoesItAll", RightCopies::everySecondThreadDoesItAll),
        alone("aBlockOfOneThreadRefills", RightCopies::aBlockOfOneThreadRefills),
        alone("aBlockOfOneThreadNeedsNoBarrier", RightCopies::aBlockOfOneThreadNeedsNoBarrier),
        right("fillsOtherElements", RightCopies::fillsOtherElements),
        right("fillsOneElementAndThenAnother", RightCopies::fillsOneElementAndThenAnother),
        right("hasThreeStages", RightCopies::hasThreeStages),
        right("oneThreadRefillsWhatItReads", RightCopies::oneThreadRefillsWhatItReads),
        right(
            "aThreadWaitsForRoomFromTheSecondTurnOn",
            RightCopies::aThreadWaitsForRoomFromTheSecondTurnOn),
        right("hasTwoStagesOfBulkCopies", RightCopies::hasTwoStagesOfBulkCopies),
        right("aThreadBringsTheRestItself", RightCopies::aThreadBringsTheRestItself),
        right("oneExpectsAndAnotherCopies", RightCopies::oneExpectsAndAnotherCopies),
        right("eachWarpCopiesItsPart", RightCopies::eachWarpCopiesItsPart),
        right("copiesRowByRow", RightCopies::copiesRowByRow),
        right("expectsOnTwoBarriersAtOnce", RightCopies::expectsOnTwoBarriersAtOnce),
        right("expectsAsMuchAsItCopies", RightCopies::expectsAsMuchAsItCopies),
        right("oneEndsTheBarrierAndAllMeet", RightCopies::oneEndsTheBarrierAndAllMeet),
        right("anotherThreadInitializesAnew", RightCopies::anotherThreadInitializesAnew),
        right("aWarpHasABarrierOfItsOwn", RightCopies::aWarpHasABarrierOfItsOwn),
        right("aPipelineIsMadeInEachTurn", RightCopies::aPipelineIsMadeInEachTurn),
        right("aPipelineIsMadeWhenAllHaveLeft", RightCopies::aPipelineIsMadeWhenAllHaveLeft),
        right("aBarrierIsMadeInEachTurn", RightCopies::aBarrierIsMadeInEachTurn),
        right("aBarrierIsEndedAndMadeInEachTurn", RightCopies::aBarrierIsEndedAndMadeInEachTurn),
        right("aCopyArrivesAtTwoBarriers", RightCopies::aCopyArrivesAtTwoBarriers),
        right(
            "aThreadWaitsForItsOwnAndOthersAtTheBarrier",
            RightCopies::aThreadWaitsForItsOwnAndOthersAtTheBarrier),
        right(
            "theBarrierIsWaitedForBeforeTheGroup",
            RightCopies::theBarrierIsWaitedForBeforeTheGroup),
        right(
            "aCopyIsWaitedForAndArrivesAfterwards",
            RightCopies::aCopyIsWaitedForAndArrivesAfterwards),
        right("nothingIsReadBehindTheEnd", RightCopies::nothingIsReadBehindTheEnd),
        right(
            "nothingIsReadInFrontOfTheBeginning", RightCopies::nothingIsReadInFrontOfTheBeginning),
        right("waitsBehindTheLoop", RightCopies::waitsBehindTheLoop),
        right("waitsIfItHasStored", RightCopies::waitsIfItHasStored),
        right("onlyTheLeaderGoesOn", RightCopies::onlyTheLeaderGoesOn),
        right("theElectedLaneStoresAndWaits", RightCopies::theElectedLaneStoresAndWaits),
        right("leavesOneInTheLoop", RightCopies::leavesOneInTheLoop),
        right("storesBesideWhatIsSent", RightCopies::storesBesideWhatIsSent),
        right("sendsTheStageBefore", RightCopies::sendsTheStageBefore),
        right("worksInPlace", RightCopies::worksInPlace),
        right("readsBesideWhatIsSent", RightCopies::readsBesideWhatIsSent),
        right("anotherThreadWaitsAndAllMeet", RightCopies::anotherThreadWaitsAndAllMeet),
        right("oneWarpCopiesAndTheOtherStores", RightCopies::oneWarpCopiesAndTheOtherStores));
  }

  private static java.util.stream.Stream<Machine> machines() {
    // What a kernel does is not a matter of whose time it is.
    return Machine.all().stream().filter(machine -> !machine.isRealTime());
  }

  // --- the wrong ones
  // ------------------------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("pairs")
  void whatIsWrongIsTold(Pair pair) {
    isTold(method(pair.owner, pair.name + "Bad"), pair.bad);
  }

  @ParameterizedTest
  @MethodSource("wrongOnes")
  void whatIsWrongBesideIsTold(Wrong wrong) {
    isTold(method(MisusedByAStep.class, wrong.name), wrong.launch);
  }

  private static void isTold(Method method, Launch launch) {
    Breaks breaks = method.getAnnotation(Breaks.class);
    List<String> rules =
        new ArrayList<>(Arrays.stream(breaks.value()).map(rule -> rule.title()).toList());
    List<String> lines = wrongLines(method);
    if (isToldByTheCompiler(method, rules, lines)) {
      return;
    }
    if (breaks.forEver()) {
      rules.add("no thread of the block can go on");
      rules.add("no thread of the cluster can go on");
    }
    // Whatever machines the suite is restricted to: a GPU tells nothing.
    List<Machine> devices = new ArrayList<>(Machine.seeded());
    devices.add(new Machine("virtual"));
    for (Machine machine : devices) {
      String report = String.valueOf(catchThrowable(() -> run(machine, launch)));
      assertThat(rules)
          .as("%s on %s: %s", method.getName(), machine, report)
          .anyMatch(report::contains);
      assertThat(lines)
          .as("%s on %s: %s", method.getName(), machine, report)
          .anyMatch(report::contains);
    }
  }

  /** Whether it is; what is told has to be right. */
  private static boolean isToldByTheCompiler(
      Method method, List<String> rules, List<String> lines) {
    List<String> told = new ArrayList<>();
    try {
      for (Lint lint : lints(method, 90)) {
        assertThat(rules).as("%s", lint).contains(lint.rule().title());
        told.add(lint.line().toString());
      }
    } catch (KernelRefusedException e) {
      assertThat(rules).as("%s", e.getMessage()).anyMatch(e.getMessage()::contains);
      told.add(e.file() + ":" + e.line());
    }
    assertThat(lines).as("what is told of %s", method.getName()).containsAll(told);
    return !told.isEmpty();
  }

  private static List<Lint> lints(Method method, int sm) {
    return KernelCompiler.inspect(
            new KernelSource(
                MisuseTest.class.getClassLoader(),
                method.getDeclaringClass().getName().replace('.', '/'),
                method.getName(),
                MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                    .toMethodDescriptorString(),
                Map.of(),
                false),
            new KernelTarget(sm),
            (_, _) -> {})
        .lints();
  }

  private static Method method(Class<?> owner, String name) {
    return Arrays.stream(owner.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The lines of a kernel that end with the comment. */
  private static List<String> wrongLines(Method method) {
    String file = method.getDeclaringClass().getSimpleName() + ".java";
    List<String> source;
    try (InputStream in = MisuseTest.class.getResourceAsStream(file)) {
      source = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int at = 0;
    while (!source.get(at).contains(" " + method.getName() + "(")) {
      at++;
    }
    List<String> lines = new ArrayList<>();
    for (; !source.get(at).equals("  }"); at++) {
      if (source.get(at).endsWith("// wrong")) {
        lines.add(file + ":" + (at + 1));
      }
    }
    return lines;
  }

  // --- the right ones
  // ------------------------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("pairs")
  void whatIsRightIsNotTold(Pair pair) {
    isRight(method(pair.owner, pair.name + "Good"), pair.good);
  }

  @ParameterizedTest
  @MethodSource("rightOnes")
  void whatOnlyLooksWrongIsNotTold(Right right) {
    isRight(method(RightCopies.class, right.name), right.launch);
  }

  private static void isRight(Method method, Launch launch) {
    assertThat(lints(method, 90)).isEmpty();
    try {
      assertThat(lints(method, 80)).isEmpty();
    } catch (KernelRefusedException e) {
      assertThat(e).hasMessageContaining("needs compute capability 9.0");
    }
    int[] expected = run(new Machine("virtual"), launch);
    machines()
        .forEach(machine -> assertThat(run(machine, launch)).as("%s", machine).isEqualTo(expected));
  }

  private static int[] run(Machine machine, Launch launch) {
    try (Device device = Device.open(machine.name());
        Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(LENGTH)) {
      stream.copy(new SplittableRandom(5).ints(LENGTH, 0, 1 << 20).toArray(), in);
      stream.fill(out, 0);
      launch.on(stream, in, out);
      int[] found = new int[2 * LENGTH];
      stream.copy(out, MemorySegment.ofArray(found).asSlice(0, out.byteSize()));
      stream.copy(in, MemorySegment.ofArray(found).asSlice(out.byteSize())).await();
      return found;
    }
  }

  /** A report has two lines where two accesses are in no order. */
  @Test
  void bothLinesAreTold() {
    String report =
        String.valueOf(
            catchThrowable(
                () ->
                    run(new Machine("virtual"), launch(MisusedCopies::copiesTwiceToOnePlaceBad))));
    Matcher places = Pattern.compile("MisusedCopies\\.java:\\d+").matcher(report);
    assertThat(places.results().map(result -> result.group()).distinct().count())
        .as(report)
        .isEqualTo(2);
  }

  /** A barrier that is gone is not taken for one that never was. */
  @Test
  void whoHasEndedABarrierIsTold() {
    for (Machine machine : List.of(new Machine("virtual:a100"), new Machine("virtual:h200"))) {
      assertThat(catchThrowable(() -> run(machine, launch(MisusedPromises::usesWhatHasEndedBad))))
          .as("%s", machine)
          .hasMessageContaining("barrier-not-initialized")
          .hasMessageContaining("thread 0 has invalidated the barrier made at")
          .hasMessageFindingMatch("MisusedPromises\\.java:\\d+.*MisusedPromises\\.java:\\d+");
    }
  }
}
