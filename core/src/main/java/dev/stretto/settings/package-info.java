/**
 * The system properties of Stretto. {@link dev.stretto.settings.Settings} lists them all; nothing
 * else in the library reads a property with this prefix. Not exported: programs set the properties
 * by name.
 */
@NullMarked
package dev.stretto.settings;

import org.jspecify.annotations.NullMarked;
