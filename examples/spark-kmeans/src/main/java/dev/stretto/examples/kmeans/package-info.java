/** k-means over files that are larger than a GPU's memory. Nothing here knows Spark. */
@NullMarked
package dev.stretto.examples.kmeans;

import org.jspecify.annotations.NullMarked;
