import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { editorSchemas } from '../../documents/editor.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { writeText } from '../../output/files.ts'
import { styled } from '../../output/text.ts'
import { type Answers, answersFrom } from './answers.ts'

export type InitOptions = Partial<Answers>

/** Writes a catalog's files; those that all objects of a catalog share are left as they are where they are there. */
export async function init(dir: string, options: InitOptions, context: Context): Promise<void> {
  const { host, output } = context
  const answers = await answersFrom(dir, options, context)
  const { documents, readme } = await (await import('./catalog.ts')).catalog(answers)
  const there = (name: string) => existsSync(resolve(host.cwd, dir, name))
  const taken = Object.keys(documents).find(there)
  if (taken !== undefined) throw isThere(join(dir, taken))

  const shared = { ...(await editorSchemas()), 'README.md': readme }
  const kept = Object.keys(shared).filter(there)
  const missing = Object.entries(shared).filter(([name]) => !kept.includes(name))
  for (const [name, text] of [...Object.entries(documents), ...missing])
    writeText(host.cwd, join(dir, name), text, 'wx')

  const files = [...Object.keys(documents), ...missing.map(([name]) => name)].map((name) => join(dir, name))
  output.result({ dir, name: answers.name, files, kept: kept.map((name) => join(dir, name)) }, () =>
    files.map((file) => styled`Wrote ${file}`),
  )
  output.note(styled`Next: vatom template validate ${dir}`)
}

const isThere = (file: string) =>
  new Failure('file_exists', exit.refused, `${file} is there already; nothing was written`, {
    hint: 'choose another folder, or another --name',
  })
