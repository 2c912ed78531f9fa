package dev.stretto.examples.kmeans.spark;

import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.examples.kmeans.Centres;
import dev.stretto.examples.kmeans.FilePass;
import dev.stretto.examples.kmeans.KMeansStep;
import dev.stretto.examples.kmeans.Lloyd;
import dev.stretto.examples.kmeans.Sharing;
import dev.stretto.examples.kmeans.State;
import dev.stretto.examples.kmeans.StrangePointException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.spark.SparkDevices;
import dev.stretto.spark.TaskDevice;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.util.SerializableConfiguration;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * What each task of the barrier stage does: all iterations. The tasks meet by the stage's own
 * channel; then their GPUs share the sums. If one is lost, all fail, and Spark begins the stage
 * again, from the newest checkpoint on.
 */
final class BarrierIterations extends AbstractFunction1<Iterator<TaskPoints>, Iterator<TaskOutcome>>
    implements Serializable {
  private static final long serialVersionUID = 1;

  private final KMeansSettings settings;
  private final byte[] first;
  private final SerializableConfiguration hadoop;

  BarrierIterations(KMeansSettings settings, Centres first, SerializableConfiguration hadoop) {
    this.settings = settings;
    this.first = State.before(first).toBytes();
    this.hadoop = hadoop;
  }

  @Override
  public Iterator<TaskOutcome> apply(Iterator<TaskPoints> part) {
    TaskDevice device = SparkDevices.ofTask();
    KMeansStep.requireTensorCores(device.device());
    return CollectionConverters.asScala(List.of(iterate(part.next(), device)).iterator());
  }

  private TaskOutcome iterate(TaskPoints points, TaskDevice device) {
    BarrierTaskContext context = BarrierTaskContext.get();
    int rank = context.partitionId();
    Optional<Checkpoints> checkpoints =
        settings.checkpoints().isEmpty()
            ? Optional.empty()
            : Optional.of(new Checkpoints(settings.checkpoints(), hadoop.value()));
    Word own =
        rank > 0
            ? Word.NONE
            : new Word(
                Communicator.id().toString(),
                checkpoints.map(each -> each.newest().orElse(0)).orElse(0));
    Word word = Word.of(context.allGather(own.toString())[0]);
    State start = start(checkpoints, word.iteration());
    try (Communicator ranks =
        Communicator.awaitPeers(
            CommunicatorId.parse(word.id()), rank, settings.tasks(), device.device())) {
      Lloyd lloyd = lloyd(points, device, start.centres(), Sharing.among(ranks));
      State end =
          lloyd.run(
              start,
              settings.iterations(),
              settings.tolerance(),
              state -> {
                if (rank == 0 && isKept(state)) {
                  checkpoints.ifPresent(each -> each.write(state));
                }
              });
      return new TaskOutcome(rank == 0 ? end.toBytes() : new byte[0], "", start.iteration());
    } catch (StrangePointException e) {
      // The next attempt would find it again.
      return new TaskOutcome(
          new byte[0], e.isOwn() ? "task " + rank + ": " + e.getMessage() : "", start.iteration());
    }
  }

  private boolean isKept(State state) {
    return state.iteration() % settings.every() == 0
        || state.isConverged()
        || state.iteration() == settings.iterations();
  }

  private State start(Optional<Checkpoints> checkpoints, int iteration) {
    return iteration == 0 || checkpoints.isEmpty()
        ? State.of(first, "the first state")
        : checkpoints.get().read(iteration);
  }

  private static Lloyd lloyd(
      TaskPoints points, TaskDevice device, Centres centres, Sharing sharing) {
    Stream stream = device.stream();
    int width = centres.width();
    // All chunks on their way have a quarter of the memory at most.
    long most = Math.min(device.memoryBytes() / 4, device.pinnedBytes()) / FilePoints.DEPTH;
    int chunk =
        FilePass.chunkPoints(width, (int) Math.min(FilePass.CHUNK_BYTES, Math.max(1, most)));
    GlobalBytes memory =
        device.allocate(
            () ->
                stream.allocateBytes(
                    device.memory(), KMeansStep.bytes(width, centres.count(), chunk)));
    KMeansStep step = new KMeansStep(memory, width, centres.count(), chunk);
    return new Lloyd(stream, step, points.through(device, chunk), sharing);
  }

  /** What the first task tells the others. */
  private record Word(String id, int iteration) {
    static final Word NONE = new Word("-", 0);

    static Word of(String text) {
      int space = text.lastIndexOf(' ');
      return new Word(text.substring(0, space), Integer.parseInt(text.substring(space + 1)));
    }

    @Override
    public String toString() {
      return id + " " + iteration;
    }
  }
}
