import type { KindName } from '../../src/contract/values.ts'
import { validateFiles } from '../../src/documents/cache/cached-validation.ts'
import type { ValidateOptions } from '../../src/documents/cache/incremental.ts'
import { type LoadOptions, loadDocuments } from '../../src/documents/load/load.ts'
import type { Loaded, Problem } from '../../src/documents/load/loaded.ts'
import { plain } from '../../src/documents/report/render.ts'
import { renderText } from '../../src/documents/report/text.ts'
import { type Files, folderWith } from './folders.ts'

export const options = (cwd: string, noun: KindName = 'template'): LoadOptions & { noun: KindName } => ({
  cwd,
  noun,
  publisher: 'acme.com',
  readStdin: async () => new Uint8Array(),
})

/** Loads the documents of files that are written first; without inputs, all of these by name. */
export const loadFiles = (files: Files, noun?: KindName, inputs = Object.keys(files)): Promise<Loaded> =>
  loadDocuments(inputs, options(folderWith(files), noun))

/** Loads one YAML text. */
export const loadText = (text: string | Uint8Array, noun?: KindName): Promise<Loaded> =>
  loadFiles({ 'a.yaml': text }, noun)

export const validate = (cwd: string, inputs: readonly string[], more: Partial<ValidateOptions> = {}) =>
  validateFiles(inputs, { ...options(cwd), ...more })

/** Problems as they are shown, without colour, 80 columns wide. */
export const shown = ({ problems, sources }: Pick<Loaded, 'problems' | 'sources'>, width = 80): string =>
  renderText(problems, { paint: plain, width, sources })

/** `rule line:column` of each problem. */
export const places = (problems: readonly Problem[]): string[] =>
  problems.map(({ rule, line, column }) => (line === undefined ? rule : `${rule} ${line}:${column}`))
