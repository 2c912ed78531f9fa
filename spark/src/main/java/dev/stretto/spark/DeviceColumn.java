package dev.stretto.spark;

import java.io.Serializable;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/**
 * A column as it lies on the device.
 *
 * @param name as Spark has it
 * @param kind of its numbers
 * @param length of each vector; 0 for single numbers
 */
record DeviceColumn(String name, ColumnKind kind, int length) implements Serializable {
  boolean isVector() {
    return length > 0;
  }

  /** {@return how many bytes a row has in it} */
  int rowBytes() {
    return kind.bytes() * Math.max(1, length);
  }

  /** {@return the column as Spark has it; without nulls} */
  StructField field() {
    DataType type = isVector() ? DataTypes.createArrayType(kind.type(), false) : kind.type();
    return DataTypes.createStructField(name, type, false);
  }

  /** {@return whether a column of Spark's has such values, nulls apart} */
  boolean takes(DataType type) {
    return isVector()
        ? type instanceof ArrayType array && array.elementType().equals(kind.type())
        : type.equals(kind.type());
  }

  @Override
  public String toString() {
    return name + " " + field().dataType().simpleString();
  }
}
