package dev.stretto.examples.kmeans.spark;

import dev.stretto.examples.kmeans.Centres;
import java.io.Serializable;

/**
 * What a job is to do.
 *
 * @param width the coordinates of a point
 * @param iterations how many there are at most
 * @param tolerance no centre moves farther in the last iteration
 * @param tasks how many there are, each with a GPU or a part of one
 * @param checkpoints the folder for states; empty for none
 * @param every so many iterations a state is kept
 */
public record KMeansSettings(
    int width, int iterations, double tolerance, int tasks, String checkpoints, int every)
    implements Serializable {
  /**
   * @throws IllegalArgumentException if a number is less than it can be
   */
  public KMeansSettings {
    if (width < 1 || width > Centres.MOST_WIDTH) {
      throw new IllegalArgumentException(
          "points of %d coordinates: they may have 1 to %d".formatted(width, Centres.MOST_WIDTH));
    }
    if (iterations < 0 || tasks < 1 || every < 1 || !(tolerance >= 0)) {
      throw new IllegalArgumentException(
          ("%d iterations, tolerance %s, %d tasks, a checkpoint every %d iterations: at least 0, 0,"
                  + " 1 and 1")
              .formatted(iterations, tolerance, tasks, every));
    }
  }
}
