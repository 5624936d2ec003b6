import type { Host } from '../../src/cli/host.ts'
import { Capture, input } from './streams.ts'

export const testClock = () => new Date('2026-03-01T12:00:00Z')

/** A machine with nothing on it, where no time passes; a test replaces what it looks at. */
export const hostWith = ({ stderr = new Capture(), ...parts }: Partial<Host> = {}): Host => ({
  stdin: input(),
  stdout: new Capture(),
  stderr,
  openLog: () => stderr,
  env: {},
  cwd: '/',
  home: '/nowhere',
  build: undefined,
  pages: undefined,
  now: testClock,
  sleep: async () => {},
  monotonic: () => performance.now(),
  random: () => 0.5,
  signal: new AbortController().signal,
  termination: () => new AbortController().signal,
  reported: () => {},
  isInBackground: () => false,
  suspend: async () => {},
  endWithParent: async () => {},
  runProgram: () => Promise.reject(new Error('no program')),
  openBrowser: () => {},
  openService: () => Promise.reject(new Error('no service')),
  ...parts,
})
