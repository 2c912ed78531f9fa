/**
 * How processes that share a communicator find each other, and what each knows of the others: one
 * meeting, where all ranks introduce themselves, and then two connections for each pair.
 */
@NullMarked
package dev.stretto.collective.mesh;

import org.jspecify.annotations.NullMarked;
