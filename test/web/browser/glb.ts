/** The sides of a box from -1 to 1. */
const sides: readonly { readonly normal: readonly number[]; readonly colour: readonly number[] }[] = [
  { normal: [0, 0, 1], colour: [0.9, 0.2, 0.2, 1] },
  { normal: [0, 0, -1], colour: [0.2, 0.7, 0.3, 1] },
  { normal: [1, 0, 0], colour: [0.2, 0.3, 0.9, 1] },
  { normal: [-1, 0, 0], colour: [0.9, 0.8, 0.1, 1] },
  { normal: [0, 1, 0], colour: [0.1, 0.8, 0.8, 1] },
  { normal: [0, -1, 0], colour: [0.8, 0.2, 0.8, 1] },
]

/** The four corners of a side, counter-clockwise. */
function cornersOf([x = 0, y = 0, z = 0]: readonly number[]): number[][] {
  const u = [y, z, x]
  const v = [y * (u[2] ?? 0) - z * (u[1] ?? 0), z * (u[0] ?? 0) - x * (u[2] ?? 0), x * (u[1] ?? 0) - y * (u[0] ?? 0)]
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([a = 0, b = 0]) => [x, y, z].map((n, axis) => n + a * (u[axis] ?? 0) + b * (v[axis] ?? 0)))
}

const floats = (numbers: readonly number[]) => Buffer.from(new Float32Array(numbers).buffer)
const padded = (bytes: Buffer, filler: string) =>
  Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)])

/** A binary glTF file: a box whose sides have a colour each, with the animations Turn and Tip of 0.2 seconds. */
export function boxGlb(extensionsRequired: readonly string[] = []): Buffer {
  const positions = sides.flatMap(({ normal }) => cornersOf(normal).flat())
  const colours = sides.flatMap(({ colour }) => Array(4).fill(colour).flat())
  const indices = sides.flatMap((_, side) => [0, 1, 2, 0, 2, 3].map((corner) => side * 4 + corner))
  const half = Math.SQRT1_2
  const parts = [
    floats(positions),
    floats(colours),
    Buffer.from(new Uint16Array(indices).buffer),
    floats([0, 0.2]),
    floats([0, 0, 0, 1, 0, half, 0, half]),
    floats([0, 0, 0, 1, half, 0, 0, half]),
  ]
  const offsets = parts.map((_, index) => parts.slice(0, index).reduce((sum, { length }) => sum + length, 0))
  const accessor = (bufferView: number, componentType: number, count: number, type: string, more: object = {}) => ({
    bufferView,
    componentType,
    count,
    type,
    ...more,
  })
  const turning = (name: string, output: number) => ({
    name,
    samplers: [{ input: 3, output }],
    channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }],
  })
  const description = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    // Tilted, so that three sides are seen.
    nodes: [{ children: [1], rotation: [0.25, -0.35, 0, 0.9] }, { mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, COLOR_0: 1 }, indices: 2, material: 0 }] }],
    materials: [{ extensions: { KHR_materials_unlit: {} }, pbrMetallicRoughness: {} }],
    extensionsUsed: ['KHR_materials_unlit', ...extensionsRequired],
    extensionsRequired,
    animations: [turning('Turn', 4), turning('Tip', 5)],
    accessors: [
      accessor(0, 5126, 24, 'VEC3', { min: [-1, -1, -1], max: [1, 1, 1] }),
      accessor(1, 5126, 24, 'VEC4'),
      accessor(2, 5123, indices.length, 'SCALAR'),
      accessor(3, 5126, 2, 'SCALAR', { min: [0], max: [0.2] }),
      accessor(4, 5126, 2, 'VEC4'),
      accessor(5, 5126, 2, 'VEC4'),
    ],
    bufferViews: parts.map(({ length }, index) => ({ buffer: 0, byteOffset: offsets[index], byteLength: length })),
    buffers: [{ byteLength: parts.reduce((sum, { length }) => sum + length, 0) }],
  }
  const json = padded(Buffer.from(JSON.stringify(description)), ' ')
  const binary = padded(Buffer.concat(parts), '\0')
  const header = Buffer.alloc(12)
  header.write('glTF')
  header.writeUInt32LE(2, 4)
  header.writeUInt32LE(12 + 8 + json.length + 8 + binary.length, 8)
  return Buffer.concat([header, partHeader(json, 'JSON'), json, partHeader(binary, 'BIN\0'), binary])
}

function partHeader({ length }: Buffer, type: string): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32LE(length, 0)
  header.write(type, 4, 'latin1')
  return header
}
