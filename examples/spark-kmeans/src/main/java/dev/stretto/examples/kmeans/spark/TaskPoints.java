package dev.stretto.examples.kmeans.spark;

import dev.stretto.examples.kmeans.Pass;
import dev.stretto.spark.TaskDevice;

/** The points of a task, which it reads in each iteration. */
interface TaskPoints {
  /**
   * {@return what sends them through a device}
   *
   * @param device of the task
   * @param chunkPoints how many points are sent at once
   */
  Pass through(TaskDevice device, int chunkPoints);
}
