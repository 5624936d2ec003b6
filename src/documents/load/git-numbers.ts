/** A number of 7 bits a byte, the lowest first. */
export function numberAt(bytes: Buffer, from: number): { value: number; end: number } {
  let [value, end, unit] = [0, from, 1]
  for (let more = true; more; unit *= 128) {
    const byte = bytes.readUInt8(end++)
    value += (byte & 0x7f) * unit
    more = byte >= 0x80
  }
  return { value, end }
}

/** A number of 7 bits a byte, the highest first, each but the last one higher by one. */
export function distanceAt(bytes: Buffer, from: number): { value: number; end: number } {
  let end = from
  let byte = bytes.readUInt8(end++)
  let value = byte & 0x7f
  while (byte & 0x80) {
    byte = bytes.readUInt8(end++)
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end }
}
