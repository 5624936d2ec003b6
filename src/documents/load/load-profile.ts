import { ProfileDocument } from '../../contract/api/user.ts'
import { sections } from '../../contract/schema/spec-sections.ts'
import { type LoadedOne, loadOne } from './load-one.ts'
import type { ReadOptions } from './read.ts'

export interface LoadProfileOptions extends ReadOptions {
  readonly cwd: string
}

/** Changes of a profile from a file. Spec 4.2. */
export const loadProfile = (input: string, { cwd, readStdin, signal }: LoadProfileOptions): Promise<LoadedOne> =>
  loadOne(input, { cwd, readStdin, signal, schema: ProfileDocument(), noun: 'profile', spec: sections.profile([]) })
