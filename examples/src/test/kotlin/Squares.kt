import dev.stretto.Device
import dev.stretto.Grid
import dev.stretto.kernel.Kernel
import dev.stretto.kernel.KernelMethod
import dev.stretto.kernel.ThreadBlock
import dev.stretto.memory.GlobalInts

@Kernel
private fun squares(block: ThreadBlock, x: GlobalInts) {
  val i = block.globalIndexX()
  if (i < x.length()) {
    x.set(i, (i * i).toInt())
  }
}

fun main() {
  val numbers = IntArray(8)
  Device.open("virtual").use { device ->
    device.stream().use { stream ->
      device.allocateInts(8).use { x ->
        stream.launch(Grid.covering(8, 256), KernelMethod.Of1(::squares), x)
        stream.copy(x, numbers).await()
      }
    }
  }
  println(numbers.joinToString())
}
