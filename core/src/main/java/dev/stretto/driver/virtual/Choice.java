package dev.stretto.driver.virtual;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened.
 *
 * @param op an operation of which a piece ran, or a task
 * @param within the operation during whose enqueuing it happened, or null if the program waited
 */
public record Choice(OpName op, @Nullable OpName within) {}
