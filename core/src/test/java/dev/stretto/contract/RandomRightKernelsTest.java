package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Right kernels that were made up at random: whatever their threads do to shared and global memory,
 * and at whichever barriers they meet between, nothing is told. {@code
 * -Dstretto.random.kernels=2000} runs that many.
 *
 * <p>A kernel is a list of phases that all threads of a block go through. In a phase the threads
 * keep to places that no other thread uses in it, or only read, or only count. Where one of the
 * barriers is left out between two phases that need one, that is told.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES) // as many kernels as one likes
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RandomRightKernelsTest {
  private static final int KERNELS = Integer.getInteger("stretto.random.kernels", 40);
  private static final int PHASES = 12;
  private static final int THREADS = 64;
  private static final int EACH = 3;

  private static final int KINDS = 10;
  private static final int BARRIERS = 5;
  private static final int NO_BARRIER = BARRIERS;

  @Kernel
  static void runs(ThreadBlock block, GlobalInts program, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int first = 2 * THREADS * block.blockIndexX();
    SharedInts tile = block.sharedInts(THREADS);
    SharedInts other = block.sharedInts(THREADS);
    Barrier barrier = block.barrier();
    tile.set(rank, rank);
    other.set(rank, in.get(rank));
    block.sync();
    int sum = 0;
    for (int phase = 0; phase < PHASES; phase++) {
      int kind = program.get(EACH * phase);
      int place = (rank ^ program.get(EACH * phase + 1)) & (THREADS - 1);
      if (kind == 0) {
        tile.set(place, sum + rank);
      } else if (kind == 1) {
        sum += tile.get(place) + other.get(rank);
      } else if (kind == 2) {
        Atomics.add(tile, place & 7, 1);
      } else if (kind == 3) {
        PtxCopies.cpAsyncCa4(tile, 4 * place, in, 4 * rank);
        PtxCopies.cpAsyncWaitAll();
      } else if (kind == 4) {
        int at = (rank & 32) | (place & 31);
        other.set(at, sum);
        block.warp().sync();
        sum += other.get(at ^ 5);
        block.warp().sync();
        other.set(at ^ 3, rank);
      } else if (kind == 5) {
        out.set(first + place, sum);
      } else if (kind == 6) {
        sum += out.get(first + place);
      } else if (kind == 7) {
        Atomics.add(out, first + THREADS + (place & 3), rank);
      } else if (kind == 8) {
        ThisThread.memcpyAsync(other, place, in, rank, 1);
        ThisThread.waitAll();
        sum += other.get(place);
      } else {
        block.memcpyAsync(tile, 0, in, 64, THREADS);
        block.waitAll();
        sum += tile.get(place);
      }
      int meets = program.get(EACH * phase + 2);
      if (meets == 0) {
        block.sync();
      } else if (meets == 1) {
        Ptx.barSync(1, THREADS);
      } else if (meets == 2) {
        barrier.arriveAndWait();
      } else if (meets == 3) {
        sum += block.syncCount(sum % 2 == 0);
      } else if (meets == 4) {
        long arrived = barrier.arrive();
        sum ^= in.get(rank);
        barrier.waitFor(arrived);
      }
    }
    Atomics.add(out, 4 * THREADS, sum);
  }

  private static int[] program(SplittableRandom random) {
    int[] program = new int[EACH * PHASES];
    for (int phase = 0; phase < PHASES; phase++) {
      program[EACH * phase] = random.nextInt(KINDS);
      program[EACH * phase + 1] = random.nextInt(THREADS);
      program[EACH * phase + 2] = random.nextInt(BARRIERS);
    }
    return program;
  }

  private static String run(String name, int blocks, int[] kernel) {
    System.setProperty("dev.stretto.order", "checked");
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts program = device.allocateInts(EACH * PHASES);
        GlobalInts in = device.allocateInts(2 * THREADS);
        GlobalInts out = device.allocateInts(5 * THREADS)) {
      stream.copy(kernel, program);
      stream.fill(in, 3);
      stream.fill(out, 0);
      stream.launch(Grid.of(blocks, THREADS), RandomRightKernelsTest::runs, program, in, out);
      stream.await();
      return "";
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    } finally {
      System.clearProperty("dev.stretto.order");
    }
  }

  private static String device(int number) {
    return number % 2 == 0 ? "virtual" : "virtual:h200,seed=" + number;
  }

  @Test
  void nothingIsToldOfRightKernels() {
    for (int seed = 0; seed < KERNELS; seed++) {
      int[] kernel = program(new SplittableRandom(seed));
      assertThat(run(device(seed), 1 + seed % 2, kernel)).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void aBarrierThatIsLeftOutIsTold() {
    for (int seed = 0; seed < KERNELS / 2; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int[] kernel = program(random);
      int phase = random.nextInt(PHASES - 1);
      kernel[EACH * phase] = 0; // a store to the tile,
      kernel[EACH * phase + 2] = NO_BARRIER;
      kernel[EACH * (phase + 1)] = 1; // and a load of what another thread has stored
      kernel[EACH * (phase + 1) + 1] = kernel[EACH * phase + 1] ^ 1 + random.nextInt(THREADS - 1);
      assertThat(run(device(seed), 1, kernel))
          .as("seed %d", seed)
          .contains("missing-barrier: ")
          .contains("RandomRightKernelsTest.java");
    }
  }
}
