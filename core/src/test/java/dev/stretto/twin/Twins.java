package dev.stretto.twin;

import java.util.List;
import java.util.stream.Stream;

/** All twins, in the order of {@code semantics.cu}. */
final class Twins {
  private Twins() {}

  static List<Twin> all() {
    return Stream.of(
            StreamTwins.twins(),
            AwaitTwins.twins(),
            EventTwins.twins(),
            CallbackTwins.twins(),
            MemoryTwins.twins(),
            CopyTwins.twins(),
            PoolTwins.twins(),
            GraphTwins.twins(),
            CaptureTwins.twins(),
            UpdateTwins.twins(),
            LaunchTwins.twins(),
            BarrierTwins.twins(),
            PipelineTwins.twins(),
            PartTwins.twins(),
            TileTwins.twins(),
            ColumnTwins.twins(),
            ClusterTwins.twins(),
            GridTwins.twins(),
            MeetingTwins.twins(),
            ProcessTwins.twins(),
            ErrorTwins.twins(),
            PeerTwins.twins(),
            PeerGraphTwins.twins())
        .flatMap(List::stream)
        .toList();
  }
}
