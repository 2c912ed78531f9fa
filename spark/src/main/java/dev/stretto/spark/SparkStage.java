package dev.stretto.spark;

import dev.stretto.flow.Stage;
import java.io.Serializable;

/**
 * What a flow does with each chunk on the device, as a function that Spark sends to executors. A
 * lambda must not capture what cannot be serialized; constants and tables that are large belong
 * into a broadcast variable.
 */
@FunctionalInterface
public interface SparkStage extends Stage, Serializable {}
