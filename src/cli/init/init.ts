import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import { folderFrom, pointsOutside, realPathOf } from '../../file-system.ts'
import { regularText } from '../../regular-file.ts'
import { catalogAround } from '../catalog/catalog-around.ts'
import { projectFile } from '../catalog/project-file.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { operandWord, styled } from '../io/text.ts'
import { editorSchemas } from '../kinds/editor.ts'
import { writeAll } from '../kinds/rewriting.ts'
import { type Answers, answersFrom } from './questions.ts'

export type InitOptions = Partial<Answers>

/** Writes a starter catalog. Files that all templates of a folder share are written only where they are missing. */
export async function init(dir: string, options: InitOptions, context: Context): Promise<void> {
  const { host, output } = context
  const folder = resolve(host.cwd, dir)
  checkFolder(dir, folder)
  const answers = await answersFrom(dir, options, context)
  const { documents, readme } = (await import('./starter-catalog.ts')).starterCatalog(answers)
  const exists = (name: string) => existsSync(join(folder, name))
  const found = Object.keys(documents).filter(exists)
  const [taken] = found
  if (taken !== undefined && !isUnfinished(found, documents, folder)) throw fileExists(join(dir, taken))

  const around = await catalogAround(folder, context)
  const project = around?.isRead ? {} : projectFile(folder)
  const shared = { ...(await editorSchemas()), ...project, 'README.md': readme }
  const existing = Object.keys(shared).filter(exists)
  const unusable = existing.find((name) => !statSync(join(folder, name)).isFile())
  if (unusable !== undefined) throw noFile(join(dir, unusable))
  const within = realPathOf(folder)
  const written = Object.entries({ ...documents, ...shared })
    .filter(([name]) => !existing.includes(name) && !found.includes(name))
    .map(([name, after]) => ({ file: join(dir, name), after, before: undefined, within }))
  const outside = written.find(({ file }) => pointsOutside(resolve(host.cwd, file), folder))
  if (outside)
    throw new Failure('file', exit.refused, `${outside.file} is outside of the folder because of a link`, {
      hint: 'remove the link, or choose another folder',
    })
  await writeAll(written, context)

  const files = written.map(({ file }) => file)
  const wrote = context.dryRun ? 'Would write' : 'Wrote'
  output.result({ dir, name: answers.name, files, kept: existing.map((name) => join(dir, name)) }, () =>
    files.map((file) => styled`${wrote} ${file}`),
  )
  if (around?.isRead)
    output.note(
      styled`${dir} is a part of the catalog in ${folderFrom(host.cwd, around.catalog)}: it gets no ${projectFileName} of its own`,
    )
  if (context.dryRun) return
  if (existing.includes('README.md'))
    output.note(styled`${join(dir, 'README.md')} was there, and stays as it is: it may not name ${answers.name}`)
  const operand = operandWord(dir)
  output.note(styled`Next: ${output.hint(`vatom plan ${operand}`)}`)
  output.note(styled`To see its vAtoms as viewers draw them: vatom preview ${operand}`)
}

const noFile = (file: string) =>
  new Failure('file', exit.refused, `${file} has the name of a file to write, and is none; nothing was written`, {
    hint: 'move it away, or choose another folder',
  })

/** Throws for what is there and no folder. */
function checkFolder(dir: string, folder: string): void {
  if (!existsSync(folder) || statSync(folder).isDirectory()) return
  throw new Failure('file', exit.refused, `${dir} is not a folder`, { hint: 'choose another folder' })
}

/** Whether a run that was killed wrote these documents: they are as it writes them, and others are missing. */
const isUnfinished = (found: readonly string[], documents: Readonly<Record<string, string>>, folder: string) =>
  found.length < Object.keys(documents).length &&
  found.every((name) => regularText(join(folder, name)) === documents[name])

export const fileExists = (file: string, hint = 'choose another folder, or another --name'): Failure =>
  new Failure('file_exists', exit.refused, `${file} exists already; nothing was written`, { hint })
