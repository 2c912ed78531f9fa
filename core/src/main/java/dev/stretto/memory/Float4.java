// Generated from tools/families/Vector.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

/**
 * Four floats that lie next to each other and are moved in one access of 16 bytes. What CUDA C++
 * calls {@code float4}.
 *
 * @param x the first, at the lowest index
 * @param y the second
 * @param z the third
 * @param w the fourth
 */
public record Float4(float x, float y, float z, float w) {}
