/**
 * Tests of programs that use devices. {@link dev.stretto.junit.DeviceTest} runs a test method under
 * many schedules and with driver calls that fail; {@link dev.stretto.junit.DeviceAssertions} asks
 * for overlap and for allocations.
 */
@NullMarked
package dev.stretto.junit;

import org.jspecify.annotations.NullMarked;
