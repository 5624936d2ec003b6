type Words = [number, number, number, number]

const start: Readonly<Words> = [1779033703, 3144134277, 1013904242, 2773480762]

/**
 * A hash of 32 hexadecimal digits (cyrb128). It does not resist attackers, but loading node:crypto would take longer than
 * checking a file.
 */
export function contentHash(...parts: readonly (string | Uint8Array)[]): string {
  const words: Words = [...start]
  for (const part of parts) mixBytes(words, typeof part === 'string' ? Buffer.from(part) : part)
  return finished(words)
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('')
}

function mixBytes(words: Words, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const whole = bytes.length & ~3
  for (let at = 0; at < whole; at += 4) mix(words, view.getUint32(at, true))
  for (let at = whole; at < bytes.length; at++) mix(words, view.getUint8(at))
  mix(words, bytes.length)
}

function mix(words: Words, word: number): void {
  words[0] = words[1] ^ Math.imul(words[0] ^ word, 597399067)
  words[1] = words[2] ^ Math.imul(words[1] ^ word, 2869860233)
  words[2] = words[3] ^ Math.imul(words[2] ^ word, 951274213)
  words[3] = words[0] ^ Math.imul(words[3] ^ word, 2716044179)
}

function finished([a, b, c, d]: Readonly<Words>): Words {
  const first = Math.imul(c ^ (a >>> 18), 597399067)
  const second = Math.imul(d ^ (b >>> 22), 2869860233)
  const third = Math.imul(first ^ (c >>> 17), 951274213)
  const fourth = Math.imul(second ^ (d >>> 19), 2716044179)
  return [first ^ second ^ third ^ fourth, second ^ first, third ^ first, fourth ^ first]
}
