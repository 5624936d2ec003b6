import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileMessage, isFileError, isGone, makeFolder, roomRemedy } from '../../file-system.ts'
import { ownPath } from '../../own-path.ts'
import { regularText } from '../../regular-file.ts'
import { writeOwn } from '../../whole-file.ts'
import { exit, Failure } from '../failure/failure.ts'
import { quoted } from '../io/text.ts'
import type { Config, Credentials } from './saved.ts'

/** A file of ours. */
export interface Store<T> {
  read(): Promise<T>
  /** Changes the stored value; other processes wait until it is done, or a signal ends their wait before they change anything. */
  update(change: (value: T) => T, signal?: AbortSignal): Promise<void>
}

export const configStore = (dir: string): Store<Config> =>
  fileStore(dir, 'config', { contexts: {} }, async (value) => (await import('./saved.ts')).Config.parse(value))

/** Where a value need not be stored, a file that cannot be written stays as it is. Throws any other error. */
export function unlessUnusable(error: unknown): void {
  if (!(error instanceof Failure && error.code === unusableCode)) throw error
}

/** Secrets are stored in a file of their own. */
export const credentialStore = (dir: string): Store<Credentials> =>
  fileStore(dir, 'credentials', {}, async (value) => (await import('./saved.ts')).Credentials.parse(value))

/** Throws where a change could not be stored, or a signal ends the wait for others, before what it is to record is done. */
export const checkWritable = <T>(store: Store<T>, signal: AbortSignal): Promise<void> =>
  store.update((value) => value, signal)

/** Deletes the tokens of a context. */
export const deleteTokens = (credentials: Store<Credentials>, context: string): Promise<void> =>
  credentials.update(({ [context]: _, ...others }) => others)

/** The code of the failure for a file that cannot be read or written. */
const unusableCode = 'config_unusable'

/** What hints say about a file. */
interface FileHints {
  /** What to do once a damaged file is deleted. */
  readonly afterDeletion: string
  /** The variable that names another folder for it. */
  readonly variable: string
}

const configHints: FileHints = { afterDeletion: 'sign in again', variable: 'VATOM_CONFIG_DIR' }

type Hinted = FileHints & { readonly path: string }

/** A value in a JSON file of a folder, which is private to its owner. */
export function fileStore<T extends object>(
  dir: string,
  name: string,
  empty: T,
  parse: (value: unknown) => Promise<T>,
  hints = configHints,
): Store<T> {
  const file = { ...hints, path: join(dir, `${name}.json`) }
  const read = async () => {
    const text = readIfThere(file)
    return text === undefined ? empty : parseFile(file, text, parse)
  }
  return {
    read,
    update: async (change, signal) => {
      makeOwnFolder({ ...hints, path: dir })
      const { locked } = await import('./lock.ts')
      try {
        await locked(`${file.path}.lock`, async (confirm) => store(file, change(await read()), confirm), { signal })
      } catch (cause) {
        throw isFileError(cause) ? unusable(file, 'written', cause) : cause
      }
    },
  }
}

/** A new folder is private to its owner; an existing folder is not changed. */
function makeOwnFolder(folder: Hinted): void {
  try {
    makeFolder(ownPath(folder.path), 0o700)
  } catch (cause) {
    throw unusable(folder, 'made', cause)
  }
}

async function parseFile<T>(file: Hinted, text: string, parse: (value: unknown) => Promise<T>): Promise<T> {
  try {
    return await parse(JSON.parse(text))
  } catch (cause) {
    // A syntax error quotes the text, which may hold a token.
    const isText = cause instanceof SyntaxError
    const reason = isText ? 'it is not JSON' : 'its content is not what vatom writes'
    throw damaged(file, reason, `repair it in an editor, or delete it and ${file.afterDeletion}`, {
      ...(!isText && { cause }),
    })
  }
}

const damaged = ({ path }: Hinted, reason: string, remedy: string, options: ErrorOptions = {}) =>
  new Failure('config_corrupt', exit.refused, `${path} is damaged: ${reason}`, {
    hint: `${remedy}: rm ${quoted(path)}`,
    ...options,
  })

function readIfThere(file: Hinted): string | undefined {
  try {
    const text = regularText(ownPath(file.path))
    if (text !== undefined) return text
  } catch (cause) {
    if (isGone(cause)) return undefined
    throw unusable(file, 'read', cause)
  }
  throw damaged(file, 'it is no regular file', `delete it and ${file.afterDeletion}`)
}

/** Writes a file atomically, private to its owner. Only writing needs conf, so it is loaded here. */
async function store({ path }: Hinted, value: object, confirm: () => void): Promise<void> {
  const { default: Conf } = await import('conf')
  const text = JSON.stringify(value, undefined, '\t')
  const write = (fresh: string) => {
    const draft = new Conf({
      cwd: dirname(fresh),
      configName: basename(fresh),
      fileExtension: '',
      projectName: 'vatom',
      projectSuffix: '',
      configFileMode: 0o600,
      serialize: () => text,
    })
    draft.store = { ...value }
  }
  confirm()
  removeUnfinished(path)
  // Of a text for which the disk has no room, conf writes a part and says nothing.
  writeOwn(path, text, { mode: 0o600, flush: true, write, check: confirm })
}

/** Removes the temporary files that killed processes of earlier versions left: while a file is locked, no other process writes it. */
function removeUnfinished(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(`${basename(path)}.tmp-`)) rmSync(join(dirname(path), name), { force: true })
}

const unusable = ({ path, variable }: Hinted, done: string, cause: unknown) =>
  new Failure(unusableCode, exit.refused, `${path} cannot be ${done}: ${fileMessage(cause)}`, {
    hint: `${roomRemedy(cause) ?? 'correct its permissions'}, or choose another folder with ${variable}`,
    cause,
  })
