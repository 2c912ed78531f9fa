/**
 * The system properties of Stretto. {@link dev.stretto.settings.Settings} has them all; nothing
 * else in the library reads a property of that prefix. Not exported: programs set them by name.
 */
@NullMarked
package dev.stretto.settings;

import org.jspecify.annotations.NullMarked;
