import {
  type Entries,
  isText,
  type NativeFace,
  nativeFaceOf,
  object,
  resource,
  type Setting,
  type Settings,
} from '../kinds/native-face.ts'
import { at, isObject, listAt, type Path, printPath } from '../schema/path.ts'
import { didYouMean, nameList } from '../schema/suggest.ts'
import type { Finding } from './rule.ts'

/** Where `config` does not hold what the native face reads, as it reads it; other faces' settings are their own. */
export function faceConfig(face: unknown): readonly Finding[] {
  const native = nativeFaceOf(face)
  const config = at(face, 'config')
  if (!native || !isObject(config)) return []
  return [...unread(config, native.settings, ['config']), ...entriesIn(face, native).flatMap(entryFindings)]
}

interface Entry {
  readonly entry: unknown
  readonly path: Path
  readonly entries: Entries
}

/** Entries of the list that a native face reads, each with its place. */
function entriesIn(face: unknown, { entries }: NativeFace): Entry[] {
  if (!entries) return []
  const { key } = entries
  return listAt(face, 'config', key).map((entry, index) => ({ entry, path: ['config', key, index], entries }))
}

function entryFindings({ entry, path, entries }: Entry): Finding[] {
  if (!isObject(entry)) return [{ path, message: `${printPath(path)} ${object.must(entry)}` }]
  const lacking = entries.lacks(entry)
  const found = unread(entry, entries.settings, path)
  return lacking === undefined ? found : [{ path, message: `${printPath(path)} ${lacking}` }, ...found]
}

/** Fields nobody reads, and fields with a value nobody understands. */
function unread(holder: Record<string, unknown>, settings: Settings, path: Path): Finding[] {
  const names = Object.keys(settings)
  return Object.entries(holder).flatMap(([key, value]): Finding[] => {
    const place = [...path, key]
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
    if (setting === undefined) {
      const hint = () => didYouMean(key, names) ?? `it reads ${nameList(names)}`
      return [{ path: place, part: 'key', message: `this face does not read ${printPath(place)}`, hint }]
    }
    const message = setting.must(value)
    if (message === undefined) return []
    const hint = () => didYouMean(value, listAt(setting.schema, 'enum').map(String))
    return [{ path: place, message, hint, ...asNumber(value, setting), ...asTruth(setting) }]
  })
}

/** A number that is written as a string, where the number is right. */
function asNumber(value: unknown, { must }: Setting): Pick<Finding, 'fix'> {
  if (!isText(value) || !/^-?\d+(\.\d+)?$/.test(value) || must(Number(value)) !== undefined) return {}
  return { fix: { value: Number(value) } }
}

/** A setting that takes a boolean wants one. */
const asTruth = ({ must }: Setting): Pick<Finding, 'wanted'> =>
  must(true) === undefined ? { wanted: ['boolean'] } : {}

/** Names of resources in `config`, each with its place; a name with `${…}` is made only as the face is shown. */
export function faceConfigResources(face: unknown): { readonly path: Path; readonly name: string }[] {
  const native = nativeFaceOf(face)
  if (!native) return []
  const own = Object.keys(native.settings).filter((key) => native.settings[key] === resource)
  const places: Path[] = [
    ...own.map((key) => ['config', key]),
    ...entriesIn(face, native).map(({ path, entries }) => [...path, ...entries.resource]),
  ]
  return places.flatMap((path) => {
    const name = at(face, ...path)
    return isText(name) && !name.includes('${') ? [{ path, name }] : []
  })
}
