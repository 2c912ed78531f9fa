package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.fault.CopyRule;

/**
 * Something that a kernel gets wrong.
 *
 * @param line where
 * @param rule which rule it breaks
 * @param message what is wrong, with the other line, and what to do
 */
public record Lint(Line line, CopyRule rule, String message) {}
