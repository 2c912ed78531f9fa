/**
 * What a {@link dev.stretto.Diagnosis} finds: calls that blocked the host, work that was serial and
 * need not have been, each with its rule, its place in the program, and what to write instead.
 */
@NullMarked
package dev.stretto.diagnosis;

import org.jspecify.annotations.NullMarked;
