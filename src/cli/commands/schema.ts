import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import type { JsonSchema } from '../../contract/derived/components.ts'
import { type SchemaKind, schemaKinds } from '../../contract/values.ts'
import { isWithin, pointsOutside } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { styled } from '../io/text.ts'

interface SchemaOptions {
  readonly out?: string
}

export const command = (context: Context): Command =>
  new Command('schema')
    .description(
      'Print the JSON Schema of a kind of document, for editors and other tools; or the whole API as an OpenAPI document.',
    )
    .addArgument(new Argument('<kind>', 'the kind of document, or api').choices([...schemaKinds, 'api']))
    .option('--out <file>', 'write the schema to a file; an earlier schema there is replaced')
    .addHelpText(
      'after',
      `
Examples:
  vatom schema template
  vatom schema face --out face.schema.json
  vatom schema api --out openapi.json

An editor with YAML support checks a file as you type if its first line is
  # yaml-language-server: $schema=face.schema.json`,
    )
    .action((kind: SchemaKind | 'api', options: SchemaOptions) => schema(kind, options, context))

async function schema(kind: SchemaKind | 'api', { out }: SchemaOptions, { host, output }: Context): Promise<void> {
  const document = kind === 'api' ? await apiDocument() : await documentOf(kind)
  if (out === undefined) return output.document(document)
  const { beginsLike, holdsText, notReplaced, writeText, writing } = await import('../io/text-files.ts')
  const path = resolve(host.cwd, out)
  if (isWithin(host.cwd, path) && pointsOutside(path, host.cwd))
    throw new Failure('file_unwritable', exit.refused, `${out} is outside this folder: a link leads out of it`, {
      hint: 'choose another file',
    })
  if (writing(out, () => holdsText(path)) && !beginsLike(path, schemaStart))
    throw notReplaced(
      out,
      'a schema',
      `choose another file: --out ${kind === 'api' ? 'openapi' : `${kind}.schema`}.json`,
    )
  writeText(host.cwd, out, `${JSON.stringify(document, null, 2)}\n`)
  output.report({ kind, file: out }, () => [
    kind === 'api' ? styled`Wrote the OpenAPI document to ${out}` : styled`Wrote the ${kind} schema to ${out}`,
  ])
}

/** How a JSON Schema begins, or the OpenAPI document; documents may have a `$schema` of their own. */
const schemaStart = /^\s*\{\s*"(?:\$schema"\s*:\s*"https?:\/\/json-schema\.org\/|openapi")/

const documentOf = async (kind: SchemaKind): Promise<JsonSchema> =>
  (await import('../../contract/derived/json-schema.ts')).jsonSchemaFor(kind)

const apiDocument = async (): Promise<JsonSchema> => (await import('../../contract/derived/openapi.ts')).openApi()
