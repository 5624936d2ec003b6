/** The client for browsers, in one module, and the files that it is made from. */
export function clientForBrowsers(root: string): Promise<{
  readonly text: string
  readonly sources: readonly string[]
}>
