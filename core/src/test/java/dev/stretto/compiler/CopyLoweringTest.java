package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedArray;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Tile;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a copy becomes, for every element type, promised alignment, scope, completion and direction:
 * what libcu++ makes of it, but for pipelines, which may have bulk copies too.
 */
class CopyLoweringTest {
  private static final int[] ELEMENT_BYTES = {1, 2, 4, 8, 4, 8, 2, 2};
  private static final int[] ALIGNMENTS = {1, 2, 4, 8, 16};
  private static final int SCOPES = 5;
  private static final int COMPLETIONS = 4;
  private static final int GROUP = 0;

  /** To global memory; the one behind it completes on a pipeline. */
  private static final int TO_GLOBAL = 3;

  /** Numbers choose: they are constants, so that one way is left. */
  @Kernel
  static void copies(
      ThreadBlock block,
      GlobalBytes memory,
      @Const int type,
      @Const int alignment,
      @Const int scope,
      @Const int completion) {
    SharedBytes bytes = block.sharedBytes(1024);
    SharedArray tile =
        switch (type) {
          case 0 -> bytes;
          case 1 -> bytes.asShorts();
          case 2 -> bytes.asInts();
          case 3 -> bytes.asLongs();
          case 4 -> bytes.asFloats();
          case 5 -> bytes.asDoubles();
          case 6 -> bytes.asHalfs();
          default -> bytes.asBfloats();
        };
    GlobalArray from =
        switch (type) {
          case 0 -> memory;
          case 1 -> memory.asShorts();
          case 2 -> memory.asInts();
          case 3 -> memory.asLongs();
          case 4 -> memory.asFloats();
          case 5 -> memory.asDoubles();
          case 6 -> memory.asHalfs();
          default -> memory.asBfloats();
        };
    int count = 1024 / tile.elementBytes();
    Warp warp = block.warp();
    if (completion == 4) {
      Pipeline pipeline = block.pipeline(2);
      pipeline.producerAcquire();
      switch (scope) {
        case 0 -> block.memcpyAsync(from, 0, tile, 0, count, alignment, pipeline);
        case 1 -> warp.memcpyAsync(from, 0, tile, 0, count, alignment, pipeline);
        case 2 -> ThisThread.memcpyAsync(from, 0, tile, 0, count, alignment, pipeline);
        case 3 -> warp.tile(8).memcpyAsync(from, 0, tile, 0, count, alignment, pipeline);
        default -> block.warps(1, 2, 3).memcpyAsync(from, 0, tile, 0, count, alignment, pipeline);
      }
      pipeline.producerCommit();
      pipeline.consumerWait();
    } else if (completion == 3) {
      switch (scope) {
        case 0 -> block.memcpyAsync(from, 0, tile, 0, count, alignment);
        case 1 -> warp.memcpyAsync(from, 0, tile, 0, count, alignment);
        case 2 -> ThisThread.memcpyAsync(from, 0, tile, 0, count, alignment);
        case 3 -> warp.tile(8).memcpyAsync(from, 0, tile, 0, count, alignment);
        default -> block.warps(1, 2, 3).memcpyAsync(from, 0, tile, 0, count, alignment);
      }
    } else if (completion == 2) {
      Pipeline pipeline = block.pipeline(2);
      pipeline.producerAcquire();
      switch (scope) {
        case 0 -> block.memcpyAsync(tile, 0, from, 0, count, alignment, pipeline);
        case 1 -> warp.memcpyAsync(tile, 0, from, 0, count, alignment, pipeline);
        case 2 -> ThisThread.memcpyAsync(tile, 0, from, 0, count, alignment, pipeline);
        case 3 -> warp.tile(8).memcpyAsync(tile, 0, from, 0, count, alignment, pipeline);
        default -> block.warps(1, 2, 3).memcpyAsync(tile, 0, from, 0, count, alignment, pipeline);
      }
      pipeline.producerCommit();
      pipeline.consumerWait();
    } else if (completion == 1) {
      Barrier barrier = block.barrier();
      switch (scope) {
        case 0 -> block.memcpyAsync(tile, 0, from, 0, count, alignment, barrier);
        case 1 -> warp.memcpyAsync(tile, 0, from, 0, count, alignment, barrier);
        case 2 -> ThisThread.memcpyAsync(tile, 0, from, 0, count, alignment, barrier);
        case 3 -> warp.tile(8).memcpyAsync(tile, 0, from, 0, count, alignment, barrier);
        default -> block.warps(1, 2, 3).memcpyAsync(tile, 0, from, 0, count, alignment, barrier);
      }
      barrier.arriveAndWait();
    } else {
      switch (scope) {
        case 0 -> block.memcpyAsync(tile, 0, from, 0, count, alignment);
        case 1 -> warp.memcpyAsync(tile, 0, from, 0, count, alignment);
        case 2 -> ThisThread.memcpyAsync(tile, 0, from, 0, count, alignment);
        case 3 -> warp.tile(8).memcpyAsync(tile, 0, from, 0, count, alignment);
        default -> block.warps(1, 2, 3).memcpyAsync(tile, 0, from, 0, count, alignment);
      }
      block.waitAll();
    }
  }

  private static InspectedKernel inspect(
      int sm, int type, int alignment, int scope, int completion) {
    return KernelCompiler.inspect(
        new KernelSource(
            CopyLoweringTest.class.getClassLoader(),
            CopyLoweringTest.class.getName().replace('.', '/'),
            "copies",
            MethodType.methodType(
                    void.class,
                    ThreadBlock.class,
                    GlobalBytes.class,
                    int.class,
                    int.class,
                    int.class,
                    int.class)
                .toMethodDescriptorString(),
            Map.of(2, type, 3, alignment, 4, scope, 5, completion),
            false),
        new KernelTarget(sm),
        (_, _) -> {});
  }

  private static String expected(int sm, int alignment, int completion) {
    if (completion >= TO_GLOBAL) {
      return sm >= 90 && alignment >= 16 ? "cp.async.bulk" : "synchronous";
    }
    if (alignment < 4) {
      return "synchronous";
    }
    if (alignment < 16) {
      return "cp.async.ca." + alignment;
    }
    return sm >= 90 && completion != GROUP ? "cp.async.bulk" : "cp.async.cg.16";
  }

  /** The instruction of a mechanism, as the text has it. */
  private static String instruction(String mechanism, int completion) {
    return switch (mechanism) {
      case "cp.async.bulk" ->
          completion >= TO_GLOBAL
              ? "cp.async.bulk.global.shared::cta"
              : "cp.async.bulk.shared::cluster.global";
      case "cp.async.cg.16" -> "cp.async.cg.shared.global";
      case "synchronous" -> "st.";
      default -> "cp.async.ca.shared.global";
    };
  }

  @ParameterizedTest(name = "sm_{0}")
  @ValueSource(ints = {80, 90})
  void everyCopyBecomesWhatTheTableSays(int sm, @TempDir Path folder)
      throws IOException, InterruptedException {
    List<String> texts = new ArrayList<>();
    for (int type = 0; type < ELEMENT_BYTES.length; type++) {
      for (int promised : ALIGNMENTS) {
        for (int scope = 0; scope < SCOPES; scope++) {
          for (int completion = 0; completion <= COMPLETIONS; completion++) {
            InspectedKernel inspected = inspect(sm, type, promised, scope, completion);
            CompiledKernel kernel = inspected.kernel();
            int alignment = Math.max(ELEMENT_BYTES[type], promised);
            String mechanism = expected(sm, alignment, completion);
            String which =
                "type %d, alignment %d, scope %d, completion %d"
                    .formatted(type, promised, scope, completion);
            assertThat(kernel.copies()).as(which).hasSize(1);
            LoweredCopy copy = kernel.copies().getFirst();
            assertThat(copy.mechanism()).as(which).isEqualTo(mechanism);
            assertThat(copy.alignment()).as(which).isEqualTo(alignment);
            assertThat(copy.bytes()).as(which).hasValue(1024);
            assertThat(copy.direction())
                .as(which)
                .isEqualTo(completion >= TO_GLOBAL ? "shared-to-global" : "global-to-shared");
            assertThat(copy.reason()).as(which).isNotBlank();
            assertThat(copy.completion()).as(which).isNotBlank();
            String text = kernel.ptx().text();
            assertThat(text).as(which).contains(instruction(mechanism, completion));
            if (mechanism.equals("synchronous")) {
              assertThat(text)
                  .as(which)
                  .doesNotContain("cp.async.ca", "cp.async.cg", "cp.async.bulk");
            }
            assertThat(inspected.lints()).as(which).isEmpty();
            texts.add(text);
          }
        }
      }
    }
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    assertThat(ptxas.get().complaints(Ptxas.together(texts), "sm_" + sm, folder)).isEmpty();
  }

  /** What no wait has completed is read before the kernel ends. */
  @Test
  void aKernelWaitsAtItsEndOnlyForBulkStoresThatItHasNotWaitedFor() {
    String left = inspect(90, 2, 16, 0, TO_GLOBAL).kernel().ptx().text();
    assertThat(left).containsOnlyOnce("cp.async.bulk.wait_group.read 0;").contains("fence.proxy");
    assertThat(left.indexOf("wait_group.read")).isGreaterThan(left.lastIndexOf("cp.async.bulk.g"));
    for (int sm : new int[] {80, 90}) {
      assertThat(inspect(sm, 2, 8, 0, TO_GLOBAL).kernel().ptx().text())
          .doesNotContain("wait_group", "commit_group", "fence.proxy");
      assertThat(inspect(sm, 2, 16, 0, GROUP).kernel().ptx().text()).doesNotContain("bulk");
    }
    assertThat(inspect(90, 2, 16, 0, TO_GLOBAL + 1).kernel().ptx().text())
        .contains("cp.async.bulk.wait_group 0;");
  }

  @Kernel
  static void stagesOfTiles(ThreadBlock block, GlobalFloats in, GlobalFloats out, @Const int way) {
    SharedFloats room = block.sharedFloats(2 * 16 * 32);
    Tile tile = block.warp().tile(8);
    Pipeline pipeline = tile.pipeline(2, 16);
    int own = 32 * tile.index();
    for (int at = 0; at < in.length(); at += 512) {
      pipeline.producerAcquire();
      int to = 512 * pipeline.producerStage() + own;
      if (way == 0) {
        tile.memcpyAsync(room, to, in, at + own, 32, 16, pipeline);
      } else if (way == 1) {
        tile.memcpyAsync(room, to, in, at + own, 32, 4, pipeline);
      } else {
        room.set(to + tile.threadRank(), in.get(at + own + tile.threadRank()));
      }
      pipeline.producerCommit();
      pipeline.consumerWait();
      out.set(at + own + tile.threadRank(), room.get(to + 31 - tile.threadRank()));
      pipeline.consumerRelease();
    }
  }

  /**
   * They meet when the pipeline is made and when they release a stage; and to commit it, if all
   * brought a part.
   */
  @Test
  void lanesOfAPipelineMeetOnlyWhereTheyLearnSomething() {
    for (int way = 0; way < 3; way++) {
      KernelSource source =
          new KernelSource(
              CopyLoweringTest.class.getClassLoader(),
              CopyLoweringTest.class.getName().replace('.', '/'),
              "stagesOfTiles",
              MethodType.methodType(
                      void.class,
                      ThreadBlock.class,
                      GlobalFloats.class,
                      GlobalFloats.class,
                      int.class)
                  .toMethodDescriptorString(),
              Map.of(3, way),
              false);
      String text = KernelCompiler.compile(source, new KernelTarget(90)).ptx().text();
      assertThat(text.split("bar.warp.sync", -1))
          .as("way %d: %s", way, text)
          .hasSize(way == 0 ? 3 : 4);
    }
  }

  @Kernel
  static void storesOnce(ThreadBlock block, GlobalFloats out, @Const int way) {
    SharedFloats room = block.sharedFloats(256);
    room.set(block.threadRank(), 1);
    block.sync();
    if (way == 1) {
      out.set(block.threadRank(), 0);
    }
    block.memcpyAsync(out, 256, room, 0, 256, 16);
  }

  /**
   * The barrier of the program and that of the copy are one, unless something lies between them.
   */
  @Test
  void aBarrierBeforeABulkStoreIsNotMadeTwice() {
    for (int way = 0; way < 2; way++) {
      KernelSource source =
          new KernelSource(
              CopyLoweringTest.class.getClassLoader(),
              CopyLoweringTest.class.getName().replace('.', '/'),
              "storesOnce",
              MethodType.methodType(void.class, ThreadBlock.class, GlobalFloats.class, int.class)
                  .toMethodDescriptorString(),
              Map.of(2, way),
              false);
      String text = KernelCompiler.compile(source, new KernelTarget(90)).ptx().text();
      assertThat(text.split("bar.sync", -1)).as("way %d: %s", way, text).hasSize(2 + way);
    }
  }

  @Test
  void whereNothingIsLeftOverNothingIsCopiedPlainly() {
    assertThat(inspect(90, 2, 16, 0, 1).kernel().ptx().text()).doesNotContain("st.shared.b32");
  }

  @Kernel
  static void someFloats(
      ThreadBlock block, GlobalFloats in, int n, @Const int count, @Const int completion) {
    SharedFloats tile = block.sharedFloats(256);
    Barrier barrier = block.barrier(1);
    if (completion == 2) {
      Pipeline pipeline = block.pipeline(1);
      block.memcpyAsync(tile, 0, in, 0, count, 16, pipeline);
      pipeline.producerCommit();
    } else if (completion == 1) {
      block.memcpyAsync(tile, 0, in, 0, count < 0 ? n : count, 16, barrier);
    } else {
      block.memcpyAsync(tile, 0, in, 0, count, 16);
    }
  }

  private static CompiledKernel someFloats(int sm, int count, int completion, boolean checked) {
    return KernelCompiler.compile(
        new KernelSource(
            CopyLoweringTest.class.getClassLoader(),
            CopyLoweringTest.class.getName().replace('.', '/'),
            "someFloats",
            MethodType.methodType(
                    void.class,
                    ThreadBlock.class,
                    GlobalFloats.class,
                    int.class,
                    int.class,
                    int.class)
                .toMethodDescriptorString(),
            Map.of(3, count, 4, completion),
            checked),
        new KernelTarget(sm));
  }

  @Test
  void whatIsLeftOverIsToldWithWhatTheBarrierCounts() {
    LoweredCopy bulk = someFloats(90, 131, 1, false).copies().getFirst();
    assertThat(bulk.bytes()).hasValue(524);
    assertThat(bulk.counted()).hasValue(512);
    assertThat(bulk.rest()).startsWith("12 bytes: threads store them").endsWith("the other 512");
    assertThat(someFloats(90, 131, 2, false).copies().getFirst().rest())
        .startsWith("12 bytes: each thread stores its part itself, before it commits")
        .endsWith("the other 512");
    LoweredCopy chunks = someFloats(80, 131, 1, false).copies().getFirst();
    assertThat(chunks.counted()).isEmpty();
    assertThat(chunks.rest())
        .isEqualTo("12 bytes: threads store them themselves, before one of them can arrive");
    assertThat(someFloats(90, 131, 0, false).copies().getFirst().rest())
        .startsWith("12 bytes: each");
    assertThat(someFloats(90, 128, 1, false).copies().getFirst().rest()).isEmpty();
    assertThat(someFloats(90, 128, 1, false).copies().getFirst().counted()).hasValue(512);
    LoweredCopy unknown = someFloats(90, -1, 1, false).copies().getFirst();
    assertThat(unknown.bytes()).isEmpty();
    assertThat(unknown.counted()).isEmpty();
    assertThat(unknown.rest()).startsWith("the bytes after whole pieces of 16 bytes: threads");
  }

  @Test
  void threadsMeetBeforeOneOfThemArrivesForAll() {
    for (int sm : new int[] {80, 90}) {
      String text = someFloats(sm, 128, 1, false).ptx().text();
      int copy = text.indexOf(sm == 80 ? "cp.async.mbarrier.arrive" : "cp.async.bulk.shared");
      assertThat(text.indexOf("bar.sync", copy)).as("sm_%d: %s", sm, text).isPositive();
      assertThat(inspect(sm, 4, 16, 0, 1).kernel().ptx().text().split("bar.sync", -1))
          .as("sm_%d: where each arrives itself they do not", sm)
          .hasSize(2);
    }
  }

  @ParameterizedTest(name = "sm_{0}")
  @ValueSource(ints = {80, 90})
  void aKernelWithChecksLooksAtWhatIsPromised(int sm, @TempDir Path folder)
      throws IOException, InterruptedException {
    CompiledKernel checked = someFloats(sm, -1, 1, true);
    assertThat(checked.ptx().faults().stream().map(fault -> fault.trap().message()))
        .anyMatch(message -> message.contains("elements that memcpyAsync copies has to be 0"))
        .anyMatch(message -> message.contains("the promised alignment"));
    assertThat(checked.ptx().faults().stream().map(fault -> fault.trap().kind()))
        .contains(Trap.Kind.SLICE);
    assertThat(someFloats(sm, -1, 1, false).ptx().faults()).isEmpty();
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    assertThat(ptxas.get().complaints(checked.ptx().text(), "sm_" + sm, folder)).isEmpty();
  }
}
