/** k-means as a job of Spark: a barrier stage whose tasks share their sums on the GPUs. */
@NullMarked
package dev.stretto.examples.kmeans.spark;

import org.jspecify.annotations.NullMarked;
