import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { plural } from '../../contract/schema/wording.ts'
import { findDocuments } from '../../documents/load/inputs.ts'
import type { Loaded } from '../../documents/load/loaded.ts'
import { isMissing } from '../../documents/load/missing-files.ts'
import { existingPart, folderFrom } from '../../file-system.ts'
import { catalogPaths } from '../catalog/catalog-paths.ts'
import type { Context } from '../context.ts'
import { exit, Failure, notBuilt, usage } from '../failure/failure.ts'
import { untilEnded } from '../interruption.ts'
import { shellLine, shellWord, styled } from '../io/text.ts'
import { invalidFailure, withoutErrors } from '../kinds/load-checked.ts'
import { problemLines } from '../kinds/problems.ts'
import { opensBrowser } from '../open-links.ts'
import type { PictureTerminal } from '../pictures/terminal.ts'
import { pipelineVariable } from '../pipeline.ts'
import { watchCatalog } from './catalog.ts'
import { pageIn, servePreview } from './server.ts'

export interface PreviewOptions {
  readonly port: number
  readonly open: boolean
  readonly out?: string
  readonly changed?: string
  readonly terminal?: boolean
  readonly allowPrivateAddresses?: boolean
}

/** Serves a page that draws documents, until Ctrl-C. */
export async function preview(given: readonly string[], options: PreviewOptions, context: Context): Promise<void> {
  const paths = await catalogPaths(given, 'vatom preview', context)
  if (paths.includes('-')) throw usage('preview reads no standard input', 'name a folder or file: vatom preview PATH')
  const { host, output } = context
  const { out, changed, allowPrivateAddresses: allowsPrivate = false } = options
  if (changed !== undefined && out === undefined && !options.terminal)
    throw usage(
      '--changed takes --out or --terminal',
      `name a folder: vatom preview PATH --out FOLDER --changed ${shellWord(changed)}`,
    )
  if (allowsPrivate && out === undefined)
    throw usage('--allow-private-addresses takes --out', 'the page in a browser loads all addresses, without the flag')
  const variable = pipelineVariable(context.host.env)
  const isServed = out === undefined && !options.terminal
  if (isServed && options.open && variable !== undefined)
    throw usage(
      `preview shows a page until Ctrl-C, and nobody sees it in a pipeline (${variable} is set)`,
      `to write pictures: ${shellLine('vatom preview', paths)} --out FOLDER; to serve the page all the same: --no-open`,
    )
  if (out !== undefined && options.terminal) throw usage('--out and --terminal exclude each other')
  if (out !== undefined) checkFolder(out, host.cwd)
  const terminal = options.terminal ? await terminalOf(context) : undefined
  const planned = changed === undefined ? undefined : await (await import('./changed.ts')).plannedIn(changed, context)
  const isChanged = planned?.isChanged
  const found = await findDocuments(paths, host)
  const failure = found.files.length === 0 ? await invalidFailure(found) : undefined
  if (failure) throw failure
  const watched = watchCatalog(paths, planned?.publisher, context)
  const page = pageIn(host.pages)
  if (page === undefined) throw notBuilt('preview')
  const { subjects, problems } = await watched.read()
  const loaded = watched.loaded()
  // Pictures of a part of the documents would look like all.
  if ((out !== undefined || terminal) && loaded) {
    planned?.checkIsOf(loaded.documents)
    await withoutErrors(loaded, context, planned?.otherPublisher)
    await warnOfMissing(loaded, context)
  }
  const server = await servePreview(watched, page, options.port)
  try {
    const url = server.newLink()
    if (out !== undefined) {
      const { writePictures } = await import('./pictures.ts')
      return await writePictures(url, { subjects, isChanged, folder: out, allowsPrivate }, context)
    }
    if (terminal) {
      const { showPictures } = await import('./show-pictures.ts')
      return await showPictures(url, { subjects, isChanged, terminal }, context)
    }
    const what = `${subjects.length} to see${problems.length > 0 ? `, ${plural(problems.length, 'problem')}` : ''}`
    output.event({ url }, styled`Preview (${what}): ${url}\nThe link can be used once. Ctrl-C stops the preview`)
    if (options.open && opensBrowser(context)) host.openBrowser(url)
    await untilEnded(host)
  } finally {
    server.close()
  }
}

/** Throws where a file has the place of a folder for pictures, or of one around it. */
function checkFolder(out: string, cwd: string): void {
  const existing = existingPart(resolve(cwd, out))
  if (statSync(existing).isDirectory()) return
  const shown = existing === resolve(cwd, out) ? out : folderFrom(cwd, existing)
  throw usage(`${shown} is a file, and --out writes pictures into a folder`, 'name a folder: --out pictures')
}

/** Warns of files that resources name and that do not exist: a picture may show them in another state only. */
async function warnOfMissing({ problems, sources }: Loaded, { host, output }: Context): Promise<void> {
  const missing = problems.filter((problem) => isMissing(problem, host.cwd))
  if (missing.length > 0) output.complain(await problemLines({ problems: missing, sources }, output))
}

/** The terminal that pictures are shown on; throws where there is none. */
async function terminalOf({ host, output }: Context): Promise<PictureTerminal> {
  const { pictureTerminal, patience } = await import('../pictures/terminal.ts')
  const found = output.json ? undefined : await pictureTerminal(host, patience.all)
  if (found) return found
  throw new Failure('no_pictures', exit.refused, 'Standard output is no terminal that shows pictures', {
    hint: 'write them to files: vatom preview PATH --out FOLDER; or name its protocol: VATOM_PICTURES=kitty, iterm2 or sixel',
  })
}
