/** What a call of NCCL costs the host through a communicator, beside C++. */
package dev.stretto.bench.nccl;
