package dev.stretto.examples.kmeans.spark;

import java.io.Serializable;

/**
 * What a task returns. All tasks end in the same state, so only the first one returns it.
 *
 * @param state the last state of the first task, as bytes; empty of others, and after a refusal
 * @param refusal why the points are refused; empty if they are not
 * @param resumed the iteration after which the task has begun
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TaskOutcome(byte[] state, String refusal, int resumed) implements Serializable {}
