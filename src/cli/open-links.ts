import type { Context } from './context.ts'
import { isTerminal } from './host.ts'
import { pipelineVariable } from './pipeline.ts'

/** Whether a person sees what is opened in a browser. */
export const opensBrowser = ({ host, output }: Context): boolean =>
  isTerminal(host.stderr) && !output.json && !pipelineVariable(host.env)
