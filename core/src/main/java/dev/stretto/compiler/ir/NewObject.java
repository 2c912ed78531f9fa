package dev.stretto.compiler.ir;

/**
 * The class of a new object.
 *
 * @param name its internal name
 * @param immutable whether all its fields are final
 */
public record NewObject(String name, boolean immutable) implements Attribute {}
