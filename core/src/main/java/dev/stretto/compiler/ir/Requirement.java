package dev.stretto.compiler.ir;

/**
 * A condition that must be known to hold when a kernel is compiled.
 *
 * @param reason the reason for refusing the kernel if it does not hold
 * @param unknown the reason if that is not known
 * @param advice what to write instead
 */
public record Requirement(String reason, String unknown, String advice) implements Attribute {
  /** Creates a requirement whose reason names the state that must not occur. */
  public Requirement(String reason, String advice) {
    this(reason, "it must be known here, and is not, that this is not " + reason, advice);
  }
}
