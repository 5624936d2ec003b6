import { factsOf } from '../kinds/kinds.ts'
import { at } from '../schema/path.ts'
import { didYouMean, nameList } from '../schema/suggest.ts'
import { boolOps, type SchemaKind, schemaKinds } from '../values.ts'
import type { JsonSchema } from './components.ts'
import { anyName, type FieldNode, schemaTree } from './schema-tree.ts'
import { typeOf, valuesOf } from './schema-variants.ts'

/** A field in a list of fields. */
export interface FieldSummary {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly description: string | null
}

/** What a value must keep to, where its type does not say. */
export interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly min_length?: number
  readonly max_length?: number
  readonly min_items?: number
  readonly max_items?: number
  readonly pattern?: string
}

/** Whether a variation can overwrite what a template says, and what to know about it. Spec 2.5. */
export interface Overwriting {
  readonly allowed: boolean
  readonly note: string
}

/** All that is known of a place in a document. */
export interface Explained {
  readonly kind: SchemaKind
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly description: string | null
  /** Values it may have, or, where `open`, values it may have among others. */
  readonly values: readonly unknown[]
  readonly open: boolean
  /** Values beyond those that the specification lists: other services may refuse them. Left out if there are none. */
  readonly unlisted?: readonly unknown[]
  /** What it is where a document does not say; left out where nothing is filled in. */
  readonly default?: unknown
  readonly limits: Bounds
  /** Of a template's field. */
  readonly variation?: Overwriting
  /** The specification's section; null for a field that it does not list. */
  readonly spec: string | null
  readonly fields: readonly FieldSummary[]
}

/** Why there is nothing to explain. */
export interface NotExplained {
  readonly message: string
  readonly hint?: string
  /** The paths of the fields that can be meant, where there are several. */
  readonly paths?: readonly string[]
}

/** A place as a command can be given it, without brackets, which shells read as patterns. */
const argumentOf = (place: string) => place.replaceAll('[]', '')

/** The same without the steps that all vAtoms share: it leads to the same field. */
const shortPath = (place: string) => argumentOf(place).replace(/\.vatom\.vAtom::vAtomType\./, '.')

/** Everything that can be explained of documents: kinds and fields, also without the steps that all vAtoms share. */
export const explainable = (): string[] =>
  schemaKinds.flatMap((kind) => {
    const places = allFields(schemaTree(kind)).map(({ place }) => place)
    return [kind, ...new Set([...places.map(shortPath), ...places.map(argumentOf)])]
  })

/** Every kind of document with its fields. */
export const explainAll = (): Explained[] => schemaKinds.map((kind) => explained(kind, schemaTree(kind)))

/**
 * What is known of a path: `template.vatom.vAtom::vAtomType.visibility.type`, as a diagnostic prints it, or short, with
 * steps left out: `template.visibility.type`. The kind may be left out where the rest identifies it.
 */
export function explain(path: string): Explained | NotExplained {
  const steps = path
    .replace(/\[[^\]]*\]/g, '')
    .split('.')
    .filter(Boolean)
  const [first = '', ...rest] = steps
  const kind = schemaKinds.find((one) => one === first)
  if (kind !== undefined && rest.length === 0) return explained(kind, schemaTree(kind))
  const searched = kind === undefined ? schemaKinds : [kind]
  const names = kind === undefined ? steps : rest
  const trees = searched.map((one) => ({ kind: one, tree: schemaTree(one) }))
  const found = trees.flatMap((one) => nearest(one.tree, names).map((node) => ({ kind: one.kind, node })))
  const [only, ...others] = found
  if (only === undefined) return unknown(path, names, kind, trees)
  if (others.length === 0) {
    const hint = misspelling(schemaTree(only.kind), only.node, names.at(-1))
    return hint ? { message: `${names.at(-1)} is not a known name in ${path}`, hint } : explained(only.kind, only.node)
  }
  return {
    message: `several fields match ${path}`,
    paths: found.map(({ node: { place } }) => shortPath(place)),
  }
}

/** The fields that steps lead to, steps in between left out: those with the fewest steps. */
function nearest(tree: FieldNode, steps: readonly string[]): FieldNode[] {
  const fields = allFields(tree)
  for (let taken = steps.length; taken > 0; taken--) {
    const head = fields.filter(({ names }) => leadsTo(names, steps.slice(0, taken)))
    const found = head.flatMap((node) => walk(node, steps.slice(taken)))
    const least = Math.min(...found.map(({ names }) => names.length))
    if (found.length > 0) return found.filter(({ names }) => names.length === least)
  }
  return []
}

const allFields = (tree: FieldNode): FieldNode[] => tree.fields.flatMap((field) => [field, ...allFields(field)])

/** Whether steps are among names, in their order, and end as they do. */
function leadsTo(names: readonly string[], steps: readonly string[]): boolean {
  if (names.at(-1) !== steps.at(-1)) return false
  let next = 0
  for (const name of names) if (name === steps[next]) next++
  return next === steps.length
}

/** The field at the end of steps of which none is left out. */
function walk(node: FieldNode, steps: readonly string[]): FieldNode[] {
  const [step, ...rest] = steps
  if (step === undefined) return [node]
  const next = node.fields.filter(({ names }) => names.at(-1) === step || names.at(-1) === anyName)
  const into = next.flatMap((field) => walk(field, rest))
  return into.length === 0 && isFree(node) ? [node] : into
}

/** The hint at a known name beside a field of any name, where that is nearly the same. */
function misspelling(tree: FieldNode, { names }: FieldNode, word: string | undefined): string | undefined {
  if (names.at(-1) !== anyName) return undefined
  const holder = names.slice(0, -1).join('.')
  const beside = allFields(tree).filter((field) => field.names.slice(0, -1).join('.') === holder)
  return didYouMean(
    word,
    beside.map((field) => field.names.at(-1) ?? '').filter((name) => name !== anyName),
  )
}

/** Whether a value may be anything, and so has no fields of its own. */
const isFree = ({ names, variants }: FieldNode) =>
  names.at(-1) === anyName && variants.every((variant) => variant.type === undefined)

type Tree = { readonly kind: SchemaKind; readonly tree: FieldNode }

function unknown(
  path: string,
  steps: readonly string[],
  kind: SchemaKind | undefined,
  trees: readonly Tree[],
): NotExplained {
  const fields = trees.flatMap(({ tree }) => allFields(tree))
  const missed = steps.find((_, index) =>
    trees.every(({ tree }) => nearest(tree, steps.slice(0, index + 1)).length === 0),
  )
  const names = [...(kind === undefined ? schemaKinds : []), ...fields.flatMap((field) => field.names)]
  const known = [...new Set(names)].filter((name) => name !== anyName)
  const top =
    kind === undefined ? schemaKinds : trees.flatMap(({ tree }) => tree.fields.map(({ names: [name = ''] }) => name))
  return {
    message: kind === undefined ? `No document has a field ${path}` : `A ${kind} has no field ${missed ?? path}`,
    hint:
      didYouMean(missed, known) ??
      (kind === undefined
        ? `kinds: ${nameList(top)}; rules: vatom help rules; errors and warnings of the service: vatom help operations; codes of errors: vatom explain --codes`
        : `its fields: ${nameList(top)}`),
  }
}

function explained(kind: SchemaKind, node: FieldNode): Explained {
  const given = defaultOf(kind, node)
  const beyond = node.variants.filter((variant) => !isListed(variant))
  const unlisted = valuesOf(beyond).values
  const variation = kind === 'template' ? overwriting(node) : undefined
  return {
    kind,
    path: node.place,
    type: typeOf(node.variants),
    required: node.required,
    description: node.description ?? null,
    ...valuesOf(node.variants.filter(isListed)),
    ...(unlisted.length > 0 && { unlisted }),
    ...(given !== undefined && { default: given }),
    limits: Object.assign({}, ...node.variants.map(boundsOf)),
    ...(variation && { variation }),
    spec: beyond.length === node.variants.length ? null : factsOf(kind).specAt(node.names),
    fields: [...node.fields].sort((a, b) => Number(b.required) - Number(a.required)).map(summaryOf),
  }
}

/** Whether the specification lists this way of being. */
const isListed = (variant: JsonSchema) => variant['x-unlisted'] !== true

const summaryOf = (node: FieldNode): FieldSummary => ({
  name: node.names.at(-1) ?? '',
  path: node.place,
  type: typeOf(node.variants),
  required: node.required,
  description: node.description ?? null,
})

const boundNames = {
  minimum: 'minimum',
  maximum: 'maximum',
  minLength: 'min_length',
  maxLength: 'max_length',
  minItems: 'min_items',
  maxItems: 'max_items',
} as const satisfies Record<string, keyof Bounds>

/** The bounds of a number that JavaScript sets are none of ours. */
function boundsOf(schema: JsonSchema): Bounds {
  const bounds = Object.entries(boundNames).flatMap(([keyword, name]) => {
    const bound = schema[keyword]
    return typeof bound === 'number' && Math.abs(bound) !== Number.MAX_SAFE_INTEGER ? [[name, bound]] : []
  })
  const { pattern, format, examples } = schema
  const isText = typeof pattern === 'string' && format === undefined && examples === undefined
  return { ...Object.fromEntries(bounds), ...(isText && { pattern }) }
}

/** Fields of entries of lists, and what they are where an entry does not say. */
const entryDefaults: Readonly<Record<string, unknown>> = { bool_op: boolOps[0], count: 1 }

function defaultOf(kind: SchemaKind, { names, place, required }: FieldNode): unknown {
  if (required) return undefined
  const name = names.at(-1) ?? ''
  if (place.includes('[].')) return Object.hasOwn(entryDefaults, name) ? entryDefaults[name] : undefined
  return at(factsOf(kind).defaults, ...names)
}

/** Sections of a template that a variation is laid over. */
const overlaid = ['vatom', 'eth', 'eos']
/** What a variation may repeat and cannot change: it must be as the template says. */
const agreed: readonly RegExp[] = [
  /\.root_type$/,
  /\.resources\[\]\.resourceType$/,
  /^template\.e(th|os)\.fields\.<name>\.type$/,
]
/** The name of an entry. */
const entryName = /\.(states|resources)\[\]\.name$/

/** Whether a variation has the field too, and may say something else there. Spec 2.5. */
function overwriting({ names, place }: FieldNode): Overwriting | undefined {
  const [section = ''] = names
  if (section === '') return undefined
  const there = allFields(schemaTree('variation')).some((field) => field.names.join('.') === names.join('.'))
  if (!overlaid.includes(section))
    return { allowed: false, note: there ? 'it has a field of this name itself' : 'only a template has this field' }
  if (!there) return { allowed: false, note: 'a variation has no such field' }
  if (entryName.test(place)) return { allowed: false, note: 'write the name of the template’s entry to overwrite' }
  if (agreed.some((pattern) => pattern.test(place))) return { allowed: false, note: 'the template fixes the value' }
  if (place.endsWith('.states') || place.endsWith('.resources'))
    return { allowed: true, note: 'only the entries that the template has, one by one' }
  const free = names.includes(anyName) || section === 'private' || names[1] === 'private'
  return { allowed: true, note: free ? 'only if the template defines the field' : '' }
}
