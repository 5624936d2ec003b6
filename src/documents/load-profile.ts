import { ProfileDocument } from '../contract/user.ts'
import { type LoadedOne, loadOne } from './load-one.ts'

export interface LoadProfileOptions {
  readonly cwd: string
  readonly readStdin: () => Promise<Uint8Array>
}

/** Changes of a profile from a file. Spec 4.2. */
export const loadProfile = (input: string, { cwd, readStdin }: LoadProfileOptions): Promise<LoadedOne> =>
  loadOne(input, { cwd, readStdin, schema: ProfileDocument, noun: 'profile', spec: '4.2' })
