package dev.stretto.collective;

import dev.stretto.collective.mesh.Introduction;
import dev.stretto.collective.nccl.NcclLibrary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The transport that all ranks choose, each by itself, from what all have said when they met.
 *
 * @param transport the transport
 * @param reason why
 * @param isFallback whether there are GPUs only, and NCCL is not used though nobody has said so
 */
record Choice(Transport transport, String reason, boolean isFallback) {
  /** {@return the choice of ranks} */
  static Choice of(List<Introduction> ranks) {
    Map<String, Introduction> gpus = new HashMap<>();
    boolean allGpus = ranks.stream().noneMatch(rank -> rank.gpu().isEmpty());
    for (Introduction rank : ranks) {
      if (rank.library() == 0) {
        boolean isWanted = rank.why().equals(NcclLibrary.SWITCHED_OFF);
        return new Choice(Transport.TCP, rank.title() + ": " + rank.why(), allGpus && !isWanted);
      }
      Introduction same = gpus.put(rank.gpu(), rank);
      if (same != null) {
        return new Choice(
            Transport.TCP,
            "%s and %s have the same GPU, and NCCL needs one for each rank"
                .formatted(same.title(), rank.title()),
            allGpus);
      }
    }
    int version = ranks.getFirst().library();
    for (Introduction rank : ranks) {
      if (rank.library() != version) {
        return new Choice(
            Transport.TCP,
            "%s has NCCL %s, and %s NCCL %s: install the same on all machines"
                .formatted(
                    ranks.getFirst().title(),
                    dotted(version),
                    rank.title(),
                    dotted(rank.library())),
            allGpus);
      }
    }
    return new Choice(
        Transport.NCCL,
        "all %d ranks have NCCL %s and a GPU of their own".formatted(ranks.size(), dotted(version)),
        false);
  }

  /** {@return 22705 as 2.27.5} */
  static String dotted(int version) {
    return version / 10_000 + "." + version / 100 % 100 + "." + version % 100;
  }
}
