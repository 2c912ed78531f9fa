package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Line;
import dev.stretto.fault.CopyRule;

/**
 * A mistake that a kernel makes.
 *
 * @param line the line of the mistake
 * @param rule the rule that it breaks
 * @param message what is wrong, the other line involved, and what to do
 */
public record Lint(Line line, CopyRule rule, String message) {}
