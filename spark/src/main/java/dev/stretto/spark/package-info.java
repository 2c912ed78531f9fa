/**
 * The GPUs of Spark's executors. {@link dev.stretto.spark.StrettoPlugin} opens an executor's
 * devices once, and {@link dev.stretto.spark.SparkDevices} gives each task the one that Spark has
 * assigned to it.
 */
@NullMarked
package dev.stretto.spark;

import org.jspecify.annotations.NullMarked;
