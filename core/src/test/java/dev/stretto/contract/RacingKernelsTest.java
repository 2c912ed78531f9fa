package dev.stretto.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pairs of kernels that differ in what orders two accesses. The first run of the wrong one is
 * refused, with the rule and both lines; the right one runs. So it is in checked order and under a
 * seed, compiled and as the method that it is.
 */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RacingKernelsTest {
  private static final String ORDER = "dev.stretto.order";
  private static final String KERNELS = "dev.stretto.kernels";
  private static final int LENGTH = 512;
  private static final List<String> DEVICES =
      List.of("virtual", "virtual:h200,seed=1", "virtual:h200,seed=2");

  /** A kernel of one of the classes. */
  interface Racing extends KernelMethod.Of2<GlobalInts, GlobalInts> {}

  /** The wrong kernel, and the right one. */
  record Pair(Class<?> owner, String name, Grid grid, Racing bad, Racing good) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Pair pair(Class<?> owner, String name, Grid grid, Racing bad, Racing good) {
    return new Pair(owner, name, grid, bad, good);
  }

  private static java.util.stream.Stream<Pair> pairs() {
    return java.util.stream.Stream.of(
        pair(
            RacesInSharedMemory.class,
            "readsANeighbour",
            Grid.of(1, 64),
            RacesInSharedMemory::readsANeighbourBad,
            RacesInSharedMemory::readsANeighbourGood),
        pair(
            RacesInSharedMemory.class,
            "readsAnotherWarp",
            Grid.of(1, 64),
            RacesInSharedMemory::readsAnotherWarpBad,
            RacesInSharedMemory::readsAnotherWarpGood),
        pair(
            RacesInSharedMemory.class,
            "overwritesWhatOthersRead",
            Grid.of(1, 64),
            RacesInSharedMemory::overwritesWhatOthersReadBad,
            RacesInSharedMemory::overwritesWhatOthersReadGood),
        pair(
            RacesInSharedMemory.class,
            "oneBarrierInALoop",
            Grid.of(1, 64),
            RacesInSharedMemory::oneBarrierInALoopBad,
            RacesInSharedMemory::oneBarrierInALoopGood),
        pair(
            RacesInSharedMemory.class,
            "aTreeWithoutBarriers",
            Grid.of(1, 64),
            RacesInSharedMemory::aTreeWithoutBarriersBad,
            RacesInSharedMemory::aTreeWithoutBarriersGood),
        pair(
            RacesInSharedMemory.class,
            "twoWriteOnePlace",
            Grid.of(1, 64),
            RacesInSharedMemory::twoWriteOnePlaceBad,
            RacesInSharedMemory::twoWriteOnePlaceGood),
        pair(
            RacesInSharedMemory.class,
            "oneThreadIsReadAtOnce",
            Grid.of(1, 64),
            RacesInSharedMemory::oneThreadIsReadAtOnceBad,
            RacesInSharedMemory::oneThreadIsReadAtOnceGood),
        pair(
            RacesInSharedMemory.class,
            "twoRolesWithoutABarrier",
            Grid.of(1, 64),
            RacesInSharedMemory::twoRolesWithoutABarrierBad,
            RacesInSharedMemory::twoRolesWithoutABarrierGood),
        pair(
            RacesInSharedMemory.class,
            "rolesWithANamedBarrier",
            Grid.of(1, 64),
            RacesInSharedMemory::rolesWithANamedBarrierBad,
            RacesInSharedMemory::rolesWithANamedBarrierGood),
        pair(
            RacesInSharedMemory.class,
            "arrivesBeforeItWrites",
            Grid.of(1, 64),
            RacesInSharedMemory::arrivesBeforeItWritesBad,
            RacesInSharedMemory::arrivesBeforeItWritesGood),
        pair(
            RacesInSharedMemory.class,
            "aShuffleIsNoBarrier",
            Grid.of(1, 64),
            RacesInSharedMemory::aShuffleIsNoBarrierBad,
            RacesInSharedMemory::aShuffleIsNoBarrierGood),
        pair(
            RacesInSharedMemory.class,
            "dynamicMemory",
            Grid.of(1, 64).withSharedBytes(256),
            RacesInSharedMemory::dynamicMemoryBad,
            RacesInSharedMemory::dynamicMemoryGood),
        pair(
            RacesInSharedMemory.class,
            "bytesOfOneWord",
            Grid.of(1, 64),
            RacesInSharedMemory::bytesOfOneWordBad,
            RacesInSharedMemory::bytesOfOneWordGood),
        pair(
            RacesInSharedMemory.class,
            "longsAtOnce",
            Grid.of(1, 64),
            RacesInSharedMemory::longsAtOnceBad,
            RacesInSharedMemory::longsAtOnceGood),
        pair(
            RacesInSharedMemory.class,
            "vectorsOverlap",
            Grid.of(1, 64),
            RacesInSharedMemory::vectorsOverlapBad,
            RacesInSharedMemory::vectorsOverlapGood),
        pair(
            RacesInSharedMemory.class,
            "aScanWithOneArray",
            Grid.of(1, 64),
            RacesInSharedMemory::aScanWithOneArrayBad,
            RacesInSharedMemory::aScanWithOneArrayGood),
        pair(
            RacesInSharedMemory.class,
            "someMeetSomeDoNot",
            Grid.of(1, 64),
            RacesInSharedMemory::someMeetSomeDoNotBad,
            RacesInSharedMemory::someMeetSomeDoNotGood),
        pair(
            RacesInSharedMemory.class,
            "aBarrierObjectThatNobodyWaitsFor",
            Grid.of(1, 64),
            RacesInSharedMemory::aBarrierObjectThatNobodyWaitsForBad,
            RacesInSharedMemory::aBarrierObjectThatNobodyWaitsForGood),
        pair(
            RacesInSharedMemory.class,
            "countsWithoutAtomics",
            Grid.of(1, 64),
            RacesInSharedMemory::countsWithoutAtomicsBad,
            RacesInSharedMemory::countsWithoutAtomicsGood),
        pair(
            RacesInSharedMemory.class,
            "readsWhatOthersCount",
            Grid.of(1, 64),
            RacesInSharedMemory::readsWhatOthersCountBad,
            RacesInSharedMemory::readsWhatOthersCountGood),
        pair(
            RacesInSharedMemory.class,
            "clearsWhatOthersCount",
            Grid.of(1, 64),
            RacesInSharedMemory::clearsWhatOthersCountBad,
            RacesInSharedMemory::clearsWhatOthersCountGood),
        pair(
            RacesInSharedMemory.class,
            "aFlagThatIsNotReleased",
            Grid.of(1, 64),
            RacesInSharedMemory::aFlagThatIsNotReleasedBad,
            RacesInSharedMemory::aFlagThatIsNotReleasedGood),
        pair(
            RacesInSharedMemory.class,
            "aFlagThatIsNotAcquired",
            Grid.of(1, 64),
            RacesInSharedMemory::aFlagThatIsNotAcquiredBad,
            RacesInSharedMemory::aFlagThatIsNotAcquiredGood),
        pair(
            RacesInSharedMemory.class,
            "aCopyOfWhatIsCounted",
            Grid.of(1, 64),
            RacesInSharedMemory::aCopyOfWhatIsCountedBad,
            RacesInSharedMemory::aCopyOfWhatIsCountedGood),
        pair(
            RacesInGlobalMemory.class,
            "allAddToOne",
            Grid.of(1, 1024),
            RacesInGlobalMemory::allAddToOneBad,
            RacesInGlobalMemory::allAddToOneGood),
        pair(
            RacesInGlobalMemory.class,
            "readsAGlobalNeighbour",
            Grid.of(1, 64),
            RacesInGlobalMemory::readsAGlobalNeighbourBad,
            RacesInGlobalMemory::readsAGlobalNeighbourGood),
        pair(
            RacesInGlobalMemory.class,
            "shiftsInPlace",
            Grid.of(1, 64),
            RacesInGlobalMemory::shiftsInPlaceBad,
            RacesInGlobalMemory::shiftsInPlaceGood),
        pair(
            RacesInGlobalMemory.class,
            "twoWriteOneElement",
            Grid.of(1, 64),
            RacesInGlobalMemory::twoWriteOneElementBad,
            RacesInGlobalMemory::twoWriteOneElementGood),
        pair(
            RacesInGlobalMemory.class,
            "globalBytesOfAWarp",
            Grid.of(1, 64),
            RacesInGlobalMemory::globalBytesOfAWarpBad,
            RacesInGlobalMemory::globalBytesOfAWarpGood),
        pair(
            RacesInGlobalMemory.class,
            "countsAndReads",
            Grid.of(1, 64),
            RacesInGlobalMemory::countsAndReadsBad,
            RacesInGlobalMemory::countsAndReadsGood),
        pair(
            RacesInGlobalMemory.class,
            "clearsWhatIsCounted",
            Grid.of(1, 64),
            RacesInGlobalMemory::clearsWhatIsCountedBad,
            RacesInGlobalMemory::clearsWhatIsCountedGood),
        pair(
            RacesInGlobalMemory.class,
            "blocksAddToOne",
            Grid.of(4, 64),
            RacesInGlobalMemory::blocksAddToOneBad,
            RacesInGlobalMemory::blocksAddToOneGood),
        pair(
            RacesInGlobalMemory.class,
            "blocksReadTheirNeighbour",
            Grid.of(4, 64),
            RacesInGlobalMemory::blocksReadTheirNeighbourBad,
            RacesInGlobalMemory::blocksReadTheirNeighbourGood),
        pair(
            RacesInGlobalMemory.class,
            "blocksWriteOneResult",
            Grid.of(4, 64),
            RacesInGlobalMemory::blocksWriteOneResultBad,
            RacesInGlobalMemory::blocksWriteOneResultGood),
        pair(
            RacesInGlobalMemory.class,
            "theLastBlockDoesNotFence",
            Grid.of(4, 64),
            RacesInGlobalMemory::theLastBlockDoesNotFenceBad,
            RacesInGlobalMemory::theLastBlockDoesNotFenceGood),
        pair(
            RacesInGlobalMemory.class,
            "onlyTheReaderFences",
            Grid.of(4, 64),
            RacesInGlobalMemory::onlyTheReaderFencesBad,
            RacesInGlobalMemory::onlyTheReaderFencesGood),
        pair(
            RacesInGlobalMemory.class,
            "aFenceOfTheBlockOnly",
            Grid.of(4, 64),
            RacesInGlobalMemory::aFenceOfTheBlockOnlyBad,
            RacesInGlobalMemory::aFenceOfTheBlockOnlyGood),
        pair(
            RacesInGlobalMemory.class,
            "atomicForTheBlockOnly",
            Grid.of(4, 64),
            RacesInGlobalMemory::atomicForTheBlockOnlyBad,
            RacesInGlobalMemory::atomicForTheBlockOnlyGood),
        pair(
            RacesInGlobalMemory.class,
            "looksBackAtAPlainFlag",
            Grid.of(4, 64),
            RacesInGlobalMemory::looksBackAtAPlainFlagBad,
            RacesInGlobalMemory::looksBackAtAPlainFlagGood),
        pair(
            RacesInGlobalMemory.class,
            "releasesBeforeItWrites",
            Grid.of(4, 64),
            RacesInGlobalMemory::releasesBeforeItWritesBad,
            RacesInGlobalMemory::releasesBeforeItWritesGood),
        pair(
            RacesInGlobalMemory.class,
            "othersOfTheBlockDoNotMeet",
            Grid.of(2, 64),
            RacesInGlobalMemory::othersOfTheBlockDoNotMeetBad,
            RacesInGlobalMemory::othersOfTheBlockDoNotMeetGood),
        pair(
            RacesInGlobalMemory.class,
            "aGridBarrierWithoutFences",
            Grid.of(2, 64),
            RacesInGlobalMemory::aGridBarrierWithoutFencesBad,
            RacesInGlobalMemory::aGridBarrierWithoutFencesGood),
        pair(
            RacesInGlobalMemory.class,
            "spinsForALock",
            Grid.of(4, 64),
            RacesInGlobalMemory::spinsForALockBad,
            RacesInGlobalMemory::spinsForALockGood),
        pair(
            RacesInGlobalMemory.class,
            "stridesOverlap",
            Grid.of(4, 64),
            RacesInGlobalMemory::stridesOverlapBad,
            RacesInGlobalMemory::stridesOverlapGood),
        pair(
            RacesInGlobalMemory.class,
            "aHaloInPlace",
            Grid.of(4, 64),
            RacesInGlobalMemory::aHaloInPlaceBad,
            RacesInGlobalMemory::aHaloInPlaceGood),
        pair(
            RacesInGlobalMemory.class,
            "aHistogramInGlobalMemory",
            Grid.of(4, 64),
            RacesInGlobalMemory::aHistogramInGlobalMemoryBad,
            RacesInGlobalMemory::aHistogramInGlobalMemoryGood),
        pair(
            RacesInGlobalMemory.class,
            "aTransposeInPlace",
            Grid.of(1, 64),
            RacesInGlobalMemory::aTransposeInPlaceBad,
            RacesInGlobalMemory::aTransposeInPlaceGood),
        pair(
            RacesWithCopies.class,
            "aSecondStoreOfOneTile",
            Grid.of(1, 64),
            RacesWithCopies::aSecondStoreOfOneTileBad,
            RacesWithCopies::aSecondStoreOfOneTileGood),
        pair(
            RacesWithCopies.class,
            "sendsWhatACopyBroughtWithoutAFence",
            Grid.of(1, 64),
            RacesWithCopies::sendsWhatACopyBroughtWithoutAFenceBad,
            RacesWithCopies::sendsWhatACopyBroughtWithoutAFenceGood),
        pair(
            RacesWithCopies.class,
            "storesOverABarrier",
            Grid.of(1, 64),
            RacesWithCopies::storesOverABarrierBad,
            RacesWithCopies::storesOverABarrierGood),
        pair(
            RacesWithCopies.class,
            "copiesOverABarrier",
            Grid.of(1, 64),
            RacesWithCopies::copiesOverABarrierBad,
            RacesWithCopies::copiesOverABarrierGood),
        pair(
            RacesWithCopies.class,
            "loadsWhatWasOnlyRead",
            Grid.of(1, 64),
            RacesWithCopies::loadsWhatWasOnlyReadBad,
            RacesWithCopies::loadsWhatWasOnlyReadGood),
        pair(
            RacesWithCopies.class,
            "readsWhatWasOnlySent",
            Grid.of(1, 64),
            RacesWithCopies::readsWhatWasOnlySentBad,
            RacesWithCopies::readsWhatWasOnlySentGood),
        pair(
            RacesWithCopies.class,
            "storesWhereABulkCopyWrites",
            Grid.of(1, 64),
            RacesWithCopies::storesWhereABulkCopyWritesBad,
            RacesWithCopies::storesWhereABulkCopyWritesGood),
        pair(
            RacesWithCopies.class,
            "overwritesTheSource",
            Grid.of(1, 64),
            RacesWithCopies::overwritesTheSourceBad,
            RacesWithCopies::overwritesTheSourceGood),
        pair(
            RacesWithCopies.class,
            "overwritesAnothersSource",
            Grid.of(1, 64),
            RacesWithCopies::overwritesAnothersSourceBad,
            RacesWithCopies::overwritesAnothersSourceGood),
        pair(
            RacesWithCopies.class,
            "overwritesTheSourceOfABulkCopy",
            Grid.of(1, 64),
            RacesWithCopies::overwritesTheSourceOfABulkCopyBad,
            RacesWithCopies::overwritesTheSourceOfABulkCopyGood),
        pair(
            RacesWithCopies.class,
            "loadsWhatWasStoredWithoutAFence",
            Grid.of(1, 64),
            RacesWithCopies::loadsWhatWasStoredWithoutAFenceBad,
            RacesWithCopies::loadsWhatWasStoredWithoutAFenceGood),
        pair(
            RacesWithCopies.class,
            "loadsWhatWasStoredWithoutABarrier",
            Grid.of(1, 64),
            RacesWithCopies::loadsWhatWasStoredWithoutABarrierBad,
            RacesWithCopies::loadsWhatWasStoredWithoutABarrierGood),
        pair(
            RacesWithCopies.class,
            "copiesWhereAnotherStored",
            Grid.of(1, 64),
            RacesWithCopies::copiesWhereAnotherStoredBad,
            RacesWithCopies::copiesWhereAnotherStoredGood),
        pair(
            RacesWithCopies.class,
            "sendsWhatOthersCount",
            Grid.of(1, 64),
            RacesWithCopies::sendsWhatOthersCountBad,
            RacesWithCopies::sendsWhatOthersCountGood),
        pair(
            RacesWithCopies.class,
            "countsWhereAnotherCopies",
            Grid.of(1, 64),
            RacesWithCopies::countsWhereAnotherCopiesBad,
            RacesWithCopies::countsWhereAnotherCopiesGood));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theWrongOneIsToldWithBothLines(Pair pair) {
    Method method = method(pair.owner, pair.name + "Bad");
    Breaks breaks = Objects.requireNonNull(method.getAnnotation(Breaks.class));
    List<String> rules = Arrays.stream(breaks.value()).map(rule -> rule.title() + ": ").toList();
    List<String> lines = wrongLines(method);
    for (String way : List.of("compiled", "java")) {
      for (String device : DEVICES) {
        String report = String.valueOf(catchThrowable(() -> run(device, way, pair.grid, pair.bad)));
        assertThat(rules).as("%s on %s: %s", way, device, report).anyMatch(report::contains);
        assertThat(lines).as("%s on %s: %s", way, device, report).allMatch(report::contains);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theRightOneIsNotTold(Pair pair) {
    for (String way : List.of("compiled", "java")) {
      for (String device : DEVICES) {
        assertThat(catchThrowable(() -> run(device, way, pair.grid, pair.good)))
            .as("%s on %s", way, device)
            .isNull();
      }
    }
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
    try (InputStream in = RacingKernelsTest.class.getResourceAsStream(file)) {
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

  private static void run(String name, String way, Grid grid, Racing kernel) {
    System.setProperty(ORDER, "checked");
    System.setProperty(KERNELS, way);
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(LENGTH)) {
      stream.copy(new SplittableRandom(5).ints(LENGTH, 0, 1 << 20).toArray(), in);
      stream.fill(out, 0);
      stream.launch(grid, kernel, in, out);
      stream.await();
    } finally {
      System.clearProperty(ORDER);
      System.clearProperty(KERNELS);
    }
  }
}
