/** What a build makes for browsers. */
export interface BrowserBundle {
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly entries: Readonly<Record<string, string>>
  readonly sources: readonly string[]
}

export function bundleForBrowsers(root: string, entries?: Readonly<Record<string, string>>): Promise<BrowserBundle>
