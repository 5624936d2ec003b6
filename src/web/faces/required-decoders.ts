import { listAt } from '../../contract/schema/path.ts'

/** Extensions of glTF whose decoders are not part of the viewer. */
const missing: readonly unknown[] = ['KHR_draco_mesh_compression', 'KHR_texture_basisu', 'EXT_meshopt_compression']

/** Length of the header of a binary glTF file, and of that of its first part, in bytes. */
const headerLength = 12
const partHeaderLength = 8
/** "glTF", as a little-endian number. */
const magic = 0x46546c67

/** The extensions that a glTF file, binary or not, cannot be shown without, and that have no decoder here. */
export function missingDecoders(file: ArrayBuffer): readonly string[] {
  const required = listAt(descriptionIn(file), 'extensionsRequired')
  return required.filter((name) => typeof name === 'string' && missing.includes(name)).map(String)
}

function descriptionIn(file: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(descriptionBytes(file)))
  } catch {
    return undefined
  }
}

function descriptionBytes(file: ArrayBuffer): ArrayBuffer {
  const view = new DataView(file)
  if (file.byteLength < headerLength + partHeaderLength || view.getUint32(0, true) !== magic) return file
  const start = headerLength + partHeaderLength
  return file.slice(start, start + view.getUint32(headerLength, true))
}
