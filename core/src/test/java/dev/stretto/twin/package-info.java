/**
 * The twins of the programs in {@code bench/cpp/semantics.cu}: what CUDA promises, through
 * Stretto's API. {@code bench/semantics.sh} compares the two on a GPU; {@link
 * dev.stretto.twin.TwinsTest} compares what these print on virtual devices with what was noted
 * there.
 */
package dev.stretto.twin;
