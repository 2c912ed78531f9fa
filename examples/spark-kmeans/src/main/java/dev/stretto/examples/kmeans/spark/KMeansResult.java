package dev.stretto.examples.kmeans.spark;

import dev.stretto.examples.kmeans.State;

/**
 * What a job has found.
 *
 * @param state after the last iteration
 * @param resumed after which iteration the last attempt of the stage has begun: 0, or that of a
 *     checkpoint
 */
public record KMeansResult(State state, int resumed) {}
