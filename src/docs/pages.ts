/** A page is Markdown that says what its first line, a heading, names. */
type Load = () => Promise<{ readonly default: string }>

/** The pages of the manual, in the order in which `vatom help` lists them. Each is loaded when it is read. */
export const pages = {
  catalog: () => import('./catalog.md'),
  contexts: () => import('./contexts.md'),
  pipelines: () => import('./pipelines.md'),
  service: () => import('./service.md'),
  containers: () => import('./containers.md'),
  browser: () => import('./browser.md'),
  testing: () => import('./testing.md'),
  libraries: () => import('./libraries.md'),
  clients: () => import('./clients.md'),
  users: () => import('./users.md'),
  rules: () => import('./rules.md'),
  faces: () => import('./faces.md'),
  reactors: () => import('./reactors.md'),
  operations: () => import('./operations.md'),
  specification: () => import('./specification.md'),
  limits: () => import('./limits.md'),
  robustness: () => import('./robustness.md'),
  environment: () => import('./environment.md'),
  'exit-codes': () => import('./exit-codes.md'),
  options: () => import('./options.md'),
  formatting: () => import('./formatting.md'),
  contributing: () => import('../../.github/CONTRIBUTING.md'),
  changelog: () => import('./changelog.md'),
} as const satisfies Readonly<Record<string, Load>>
export type PageName = keyof typeof pages
