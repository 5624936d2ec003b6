import type { KindName } from '../../contract/values.ts'
import type { InputFile } from './inputs.ts'
import { type ReadOptions, readInput } from './read.ts'
import { type ReadFile, readFile } from './read-file.ts'

interface ReadFilesOptions extends ReadOptions {
  readonly noun: KindName
  readonly publisher?: string | undefined
}

/** The documents of files, one file after the other. */
export async function readFiles(inputs: readonly InputFile[], options: ReadFilesOptions): Promise<ReadFile[]> {
  const files: ReadFile[] = []
  for (const input of inputs) files.push(readFile(input, await readInput(input, options), options))
  return files
}
