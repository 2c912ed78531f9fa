/**
 * The ground under a device: how operations reach the driver in order, how completion is told, how
 * bytes of ordinary memory are staged through pinned buffers, and how memory outlives its last use.
 * Not exported.
 */
@NullMarked
package dev.stretto.route;

import org.jspecify.annotations.NullMarked;
