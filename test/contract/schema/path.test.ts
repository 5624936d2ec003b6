import { expect, test } from 'vitest'
import { type Path, printPath, stepsOf } from '../../../src/contract/schema/path.ts'

const value = {
  vatom: { 'vAtom::vAtomType': { states: [{ name: 'a' }] }, private: { 'a.b': { c: 1 }, a: { b: 2 }, 'x[0]': 1 } },
  resources: ['A', 'B'],
  grid: [[1], [2, 3]],
}

test.each<[Path]>([
  [[]],
  [['resources', 1]],
  [['vatom', 'vAtom::vAtomType', 'states', 0, 'name']],
  [['vatom', 'private', 'a.b', 'c']],
  [['vatom', 'private', 'a']],
  [['vatom', 'private', 'a', '']],
  [['vatom', 'private', 'x[0]']],
  [['grid', 1, 0]],
])('%j is found in what it is printed as', (path) => {
  expect(stepsOf(printPath(path), value)).toEqual(path)
})

test.each([
  ['vatom.privat.a', ['vatom', 'privat.a']],
  ['resources[7]', ['resources', 7]],
  ['resources.length', ['resources', 'length']],
  ['toString', ['toString']],
  ['[0]', ['[0]']],
])('%s leads as far as the value goes', (printed, steps) => {
  expect(stepsOf(printed, value)).toEqual(steps)
})
