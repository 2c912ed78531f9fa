/**
 * Small kernels, fills and copies beside each other, timed alike on a GPU and on a virtual device.
 */
package dev.stretto.bench.beside;
