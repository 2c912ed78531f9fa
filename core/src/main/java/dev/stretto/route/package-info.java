/**
 * The machinery below a device: it hands operations to the driver in order, reports completions,
 * stages ordinary memory through pinned buffers, and keeps memory alive until after its last use.
 * Not exported.
 */
@NullMarked
package dev.stretto.route;

import org.jspecify.annotations.NullMarked;
