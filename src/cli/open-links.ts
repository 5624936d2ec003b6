import type { Context } from './context.ts'
import { isTerminal } from './host.ts'

/** Whether a person sees what is opened in a browser. */
export const opensBrowser = ({ host, output }: Context): boolean =>
  isTerminal(host.stderr) && !output.json && !host.env.CI
