import { Buffer } from 'node:buffer'

/** The modes that git has for a file and a submodule. */
export const modes = { file: 0o100644, submodule: 0o160000 } as const

/** An index of git with entries of these names; in version 4, each is added to the name before it. */
export function gitIndex(version: 2 | 4, names: readonly string[], mode: number = modes.file): Buffer {
  const head = Buffer.from('DIRC\0\0\0\0\0\0\0\0')
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(names.length, 8)
  const entries = names.map((name) => {
    const entry = Buffer.alloc(62)
    entry.writeUInt32BE(mode, 24)
    const written = Buffer.concat([entry, Buffer.from(version === 4 ? `\0${name}\0` : name)])
    return version === 4 ? written : Buffer.concat([written, Buffer.alloc(8 - (written.length % 8))])
  })
  return Buffer.concat([head, ...entries, Buffer.alloc(20)])
}
