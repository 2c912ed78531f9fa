package dev.stretto.collective;

import dev.stretto.collective.nccl.NcclRank;
import dev.stretto.memory.GlobalArray;
import java.util.ArrayList;
import java.util.List;

/** Which calls of NCCL the parts of an operation are. */
final class NcclCalling {
  private final NcclRank rank;
  private final int ranks;

  NcclCalling(NcclRank rank, int ranks) {
    this.rank = rank;
    this.ranks = ranks;
  }

  /** {@return the library's calls} The arrays may be closed by the time at which they are made. */
  List<NcclRank.Call> of(List<Part> parts) {
    if (parts.size() == 1 && !isSentToAll(parts.getFirst())) {
      return List.of(call(parts.getFirst()));
    }
    List<NcclRank.Call> calls = new ArrayList<>(parts.size());
    for (Part part : parts) {
      if (part instanceof Part.All all && isSentToAll(part)) {
        addSends(calls, all);
      } else {
        calls.add(call(part));
      }
    }
    return calls;
  }

  private static boolean isSentToAll(Part part) {
    return part instanceof Part.All all && all.kind() == Part.Kind.ALL_TO_ALL && !all.isInWindows();
  }

  private void addSends(List<NcclRank.Call> calls, Part.All all) {
    Element element = Element.of(all.source());
    long from = all.source().address();
    long to = all.destination().address();
    long bytes = all.source().byteSize() / ranks;
    long part = element.ncclCount(all.source()) / ranks;
    for (int i = 0; i < ranks; i++) {
      int peer = i;
      calls.add(stream -> rank.send(from + peer * bytes, part, element.nccl(), peer, stream));
      calls.add(stream -> rank.receive(to + peer * bytes, part, element.nccl(), peer, stream));
    }
  }

  private NcclRank.Call call(Part part) {
    return switch (part) {
      case Part.All all -> call(all);
      case Part.Send(GlobalArray array, int peer) -> {
        long address = array.address();
        long count = Element.of(array).ncclCount(array);
        int type = Element.of(array).nccl();
        yield stream -> rank.send(address, count, type, peer, stream);
      }
      case Part.Receive(GlobalArray array, int peer) -> {
        long address = array.address();
        long count = Element.of(array).ncclCount(array);
        int type = Element.of(array).nccl();
        yield stream -> rank.receive(address, count, type, peer, stream);
      }
    };
  }

  private NcclRank.Call call(Part.All all) {
    Element element = Element.of(all.source());
    long from = all.source().address();
    long to = all.destination().address();
    long count = element.ncclCount(all.source());
    int type = element.nccl();
    int reduction = number(all.reduction());
    return switch (all.kind()) {
      case ALL_REDUCE -> stream -> rank.allReduce(from, to, count, type, reduction, stream);
      case ALL_GATHER ->
          all.isInWindows()
              ? stream -> rank.allGatherInWindows(from, to, count, type, stream)
              : stream -> rank.allGather(from, to, count, type, stream);
      case REDUCE_SCATTER -> {
        long part = element.ncclCount(all.destination());
        yield stream -> rank.reduceScatter(from, to, part, type, reduction, stream);
      }
      case BROADCAST -> stream -> rank.broadcast(from, to, count, type, all.root(), stream);
      case ALL_TO_ALL -> {
        long part = count / ranks;
        yield stream -> rank.allToAllInWindows(from, to, part, type, stream);
      }
    };
  }

  /** {@code ncclRedOp_t} */
  private static int number(Reduction reduction) {
    return switch (reduction) {
      case SUM -> 0;
      case PRODUCT -> 1;
      case MAX -> 2;
      case MIN -> 3;
      case AVERAGE -> 4;
    };
  }
}
