const { crc32 } = require('node:zlib')

const length = 4

/** What a file of compiled code holds: the code with a checksum behind it, for V8 runs damaged code without a check. */
exports.withChecksum = function withChecksum(code) {
  const checksum = Buffer.alloc(length)
  checksum.writeUInt32LE(crc32(code))
  return Buffer.concat([code, checksum])
}

/** The code in the content of a file; undefined where the file is damaged. */
exports.undamaged = function undamaged(content) {
  const end = content.length - length
  if (end <= 0) return undefined
  const code = content.subarray(0, end)
  return crc32(code) === content.readUInt32LE(end) ? code : undefined
}
