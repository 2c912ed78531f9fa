/**
 * How often what was found, and at which place of the program. Knows nothing of devices. Not
 * exported.
 */
@NullMarked
package dev.stretto.diagnosis.tally;

import org.jspecify.annotations.NullMarked;
