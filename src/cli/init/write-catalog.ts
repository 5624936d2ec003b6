import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { styled } from '../io/text.ts'
import { editorSchemas } from '../kinds/editor.ts'
import { writeAll } from '../kinds/rewriting.ts'
import { type Answers, answersFrom } from './answers.ts'

export type InitOptions = Partial<Answers>

/** Writes a catalog's files; those that all objects of a catalog share are left as they are where they are there. */
export async function init(dir: string, options: InitOptions, context: Context): Promise<void> {
  const { host, output } = context
  const answers = await answersFrom(dir, options, context)
  const { documents, readme } = await (await import('./starter-catalog.ts')).catalog(answers)
  const there = (name: string) => existsSync(resolve(host.cwd, dir, name))
  const taken = Object.keys(documents).find(there)
  if (taken !== undefined) throw isThere(join(dir, taken))

  const shared = { ...(await editorSchemas()), 'README.md': readme }
  const kept = Object.keys(shared).filter(there)
  const missing = Object.entries(shared).filter(([name]) => !kept.includes(name))
  const fresh = [...Object.entries(documents), ...missing].map(([name, after]) => ({ file: join(dir, name), after }))
  await writeAll(
    fresh.map((one) => ({ ...one, before: undefined })),
    context,
  )

  const files = fresh.map(({ file }) => file)
  const wrote = context.dryRun ? 'Would write' : 'Wrote'
  output.result({ dir, name: answers.name, files, kept: kept.map((name) => join(dir, name)) }, () =>
    files.map((file) => styled`${wrote} ${file}`),
  )
  output.note(styled`Next: vatom plan ${dir}`)
}

const isThere = (file: string) =>
  new Failure('file_exists', exit.refused, `${file} is there already; nothing was written`, {
    hint: 'choose another folder, or another --name',
  })
