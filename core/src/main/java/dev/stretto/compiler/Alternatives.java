package dev.stretto.compiler;

import java.util.List;

/** What a kernel may use in place of what its target does not have. */
final class Alternatives {
  /**
   * A group of features with the same alternative.
   *
   * @param starts how their names begin
   * @param advice what to write
   */
  private record Group(List<String> starts, String advice) {}

  private static final String OTHERWISE =
      "launch it on a newer device, or write another kernel for this one; block.computeCapability()"
          + " is a constant that tells them apart";

  private static final List<Group> GROUPS =
      List.of(
          new Group(
              List.of("PtxWarpGroups.setmaxnreg"),
              "leave it out on this target, behind block.computeCapability() == 90"),
          new Group(
              List.of("PtxWarpGroups."),
              "multiply with Mma, which every device from 8.0 on has; block.computeCapability() =="
                  + " 90 is a constant that tells them apart"),
          new Group(
              List.of("PtxTensorCopies.", "PtxIm2colCopies.", "TensorTiles."),
              "copy row by row with memcpyAsync, which every device has"),
          new Group(
              List.of("PtxBulkCopies.", "PtxBulkReductions."),
              "use memcpyAsync, which becomes what the target has, and Atomics for sums"),
          new Group(
              List.of(
                  "PtxClusters.", "PtxClusterBarriers.", "PtxClusterReductions.", "Cluster.shared"),
              "exchange through global memory, with Atomics or block.grid().sync()"),
          new Group(
              List.of("Scope.CLUSTER"),
              "use Scope.BLOCK within a block, Scope.DEVICE among blocks"),
          new Group(
              List.of(
                  "PtxBarriers.mbarrierExpectTx",
                  "PtxBarriers.mbarrierArriveExpectTx",
                  "Barrier.arriveExpecting",
                  "Barrier.expectBytes"),
              "use memcpyAsync on a Barrier or a Pipeline, which needs no count of bytes here"),
          new Group(
              List.of("PtxBarriers."), "use a Barrier, whose methods become what the target has"),
          new Group(List.of("Warp.elect"), "take lane 0: warp.lane() == 0"),
          new Group(
              List.of("Ptx.stmatrix"), "store the elements with set, two at a time as an int"),
          new Group(
              List.of(
                  "Ptx.mmaM16N8K16Bf16",
                  "Ptx.mmaM16N8K8Tf32",
                  "Ptx.cvtRnaTf32F32",
                  "Mma.bf16",
                  "Mma.tf32"),
              "multiply binary16 numbers: Mma.f16, which this target has"),
          new Group(
              List.of("Ptx.mmaM16N8K32E", "Mma.e4m3", "Mma.e5m2"),
              "multiply binary16 numbers: Mma.f16, which every device has"),
          new Group(
              List.of("Ptx.cvtRnSatfiniteE", "Ptx.cvtRnF16x2E"),
              "convert with Fp8, whose methods are for every device"),
          new Group(
              List.of(
                  "Ptx.fmaRnBf16x2",
                  "Ptx.addRnBf16x2",
                  "Ptx.mulRnBf16x2",
                  "Ptx.maxBf16x2",
                  "Ptx.minBf16x2"),
              "compute with floats, and convert with Bfloat, or use pairs of binary16 numbers"));

  private Alternatives() {}

  /**
   * {@return what to write instead}
   *
   * @param feature its name in a refusal
   */
  static String to(String feature) {
    return GROUPS.stream()
        .filter(group -> group.starts.stream().anyMatch(feature::startsWith))
        .map(Group::advice)
        .findFirst()
        .orElse(OTHERWISE);
  }
}
