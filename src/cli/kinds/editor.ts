import { type KindName, kinds } from '../../contract/values.ts'

/** The folder of a catalog for what editors read. */
export const editorFolder = '.vatom'

const fileOf = (kind: KindName) => `${editorFolder}/${kind}.schema.json`

/** How the line begins by which an editor finds the schema of a document. */
export const editorMark = '# yaml-language-server:'

/** The line by which an editor finds the schema of the document below it, in a folder so many levels below the catalog's. */
export const editorLine = (kind: KindName, levels = 0): string =>
  `${editorMark} $schema=${'../'.repeat(levels)}${fileOf(kind)}`

/** The JSON Schema of each kind, by the file where the first lines of documents look for it. */
export async function editorSchemas(): Promise<Record<string, string>> {
  const { jsonSchemasFor } = await import('../../contract/derived/json-schema.ts')
  const files = jsonSchemasFor(kinds).map(([kind, schema]) => [fileOf(kind), `${JSON.stringify(schema, null, 2)}\n`])
  return Object.fromEntries(files)
}
