import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { at } from '../../../contract/schema/path.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { type CatalogFile, saysTheSame } from './catalog-files.ts'

/** A file of a catalog where it is to be, and what becomes of what is there. */
export interface Place extends CatalogFile {
  /** As people name it. */
  readonly file: string
  /** The text that is there. */
  readonly before: string | undefined
  readonly status: 'created' | 'updated' | 'unchanged'
}

interface Where {
  readonly dir: string
  readonly cwd: string
  readonly publisher: string
}

/** Holds a file against what is in its place. */
export function placed(file: CatalogFile, { dir, cwd, publisher }: Where): Place {
  const named = join(dir, file.name)
  const before = textAt(named, { dir, cwd })
  const status = before === undefined ? 'created' : saysTheSame(before, file, publisher) ? 'unchanged' : 'updated'
  return { ...file, file: named, before, status }
}

/** The text of a file below a folder, without its byte order mark; undefined where there is none. */
export function textAt(file: string, { dir, cwd }: Pick<Where, 'dir' | 'cwd'>): string | undefined {
  const path = resolve(cwd, file)
  try {
    if (leadsOut(path, resolve(cwd, dir))) throw new Error('a link leads out of the folder')
    if (!statSync(path).isFile()) throw new Error('it is no file')
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    if (at(cause, 'code') === 'ENOENT') return undefined
    throw new Failure('file', exit.refused, `${file} cannot be read: ${at(cause, 'message')}`, {
      hint: 'choose another folder',
      cause,
    })
  }
}

/** Whether a link makes a path, or as much of it as is there, lie outside a folder. */
function leadsOut(path: string, folder: string): boolean {
  if (!existsSync(folder)) return false
  const real = realpathSync(existsSync(path) ? path : existsSync(dirname(path)) ? dirname(path) : folder)
  const way = relative(realpathSync(folder), real)
  return way.startsWith('..') || isAbsolute(way)
}
