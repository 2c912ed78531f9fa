package dev.stretto.examples.kmeans.spark;

import dev.stretto.examples.kmeans.FilePass;
import dev.stretto.examples.kmeans.Pass;
import dev.stretto.examples.kmeans.PointFiles;
import dev.stretto.spark.TaskDevice;
import java.io.Serializable;
import org.apache.spark.util.SerializableConfiguration;

/**
 * A task's share of files.
 *
 * @param files all of them
 * @param rank of the task
 * @param size how many tasks there are
 * @param hadoop how to read files that are not this machine's
 */
record FilePoints(PointFiles files, int rank, int size, SerializableConfiguration hadoop)
    implements TaskPoints, Serializable {
  /** So many chunks are on their way: some are read, one copied, one computed, one spare. */
  static final int DEPTH = 6;

  @Override
  public Pass through(TaskDevice device, int chunkPoints) {
    return new FilePass(
        device.device(),
        files.share(rank, size),
        new HadoopFiles(hadoop.value())::open,
        files.width(),
        chunkPoints * files.pointBytes(),
        DEPTH,
        1);
  }
}
