import { nativeFaces, type Settings } from '../kinds/native-face.ts'
import { actionSettings } from '../rules/action-rules.ts'
import { listAt } from '../schema/path.ts'
import type { SchemaKind } from '../values.ts'
import type { JsonSchema } from './components.ts'

/** The schema of a kind with the known settings in its `config`, which may have others. */
export function withSettings(kind: SchemaKind, root: JsonSchema): JsonSchema {
  const { config } = root.properties ?? {}
  const known = kind === 'face' ? faceSettings() : kind === 'action' ? actionSettings : undefined
  if (!config || !known) return root
  return { ...root, properties: { ...root.properties, config: { ...config, properties: known } } }
}

/** What native faces read, each setting with the face that reads it. */
const faceSettings = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(nativeFaces).flatMap(([url, { settings, entries }]) =>
      Object.entries(schemasOf(settings)).map(([key, schema]) => [
        key,
        {
          ...schema,
          ...(entries?.key === key && { items: { type: 'object', properties: schemasOf(entries.settings) } }),
          description: [schema.description, valuesText(schema), `Read by ${url}.`].filter(Boolean).join(' '),
        },
      ]),
    ),
  )

/** The values of a setting that has some alone, for a list of settings. */
const valuesText = (schema: JsonSchema): string | undefined => {
  const values = listAt(schema, 'enum')
  return values.length === 0 ? undefined : `${values.join(', ')}.`
}

const schemasOf = (settings: Settings): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(settings).map(([key, { schema }]) => [key, schema]))
