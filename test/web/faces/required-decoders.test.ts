import { expect, test } from 'vitest'
import { missingDecoders } from '../../../src/web/faces/required-decoders.ts'
import { boxGlb } from '../browser/glb.ts'

const bytes = (file: Uint8Array): ArrayBuffer => new Uint8Array(file).buffer
const textBytes = (text: string) => bytes(new TextEncoder().encode(text))

test('the decoders that a model needs and that are not here', () => {
  expect(missingDecoders(bytes(boxGlb(['KHR_draco_mesh_compression', 'KHR_materials_unlit'])))).toEqual([
    'KHR_draco_mesh_compression',
  ])
  expect(missingDecoders(bytes(boxGlb()))).toEqual([])
  expect(missingDecoders(textBytes('{"extensionsRequired": ["KHR_texture_basisu"]}'))).toEqual(['KHR_texture_basisu'])
})

test.each(['', 'glTF', 'no model', '[]', '{"extensionsRequired": 1}'])('%j needs none', (text) =>
  expect(missingDecoders(textBytes(text))).toEqual([]),
)
