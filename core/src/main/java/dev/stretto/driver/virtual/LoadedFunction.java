package dev.stretto.driver.virtual;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.KernelTwin;

/**
 * A kernel of a loaded module.
 *
 * @param module the module's handle
 * @param entry its name
 * @param properties what the image says of it
 * @param twin what runs in its place
 */
record LoadedFunction(long module, String entry, FunctionProperties properties, KernelTwin twin) {}
