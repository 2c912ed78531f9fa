package dev.stretto.compiler.ir;

/**
 * Why a kernel is refused in which something does not hold.
 *
 * @param reason what it has instead
 * @param advice what to write
 */
public record Requirement(String reason, String advice) {}
