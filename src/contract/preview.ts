/** A face of a template, with its place in the files. */
export interface PreviewFace {
  /** File and line. */
  readonly place: string
  /** The face, as a document. */
  readonly document: Readonly<Record<string, unknown>>
}

/** What a page of the preview draws: a variation, or a template without one. */
export interface PreviewSubject {
  readonly name: string
  readonly kind: 'template' | 'variation'
  readonly template: string
  readonly title: string
  readonly file: string
  /** A new vAtom of it, as a record. */
  readonly vatom: Readonly<Record<string, unknown>>
  /** In order of registration. */
  readonly faces: readonly PreviewFace[]
  /** Variations that its child policy names. */
  readonly children: readonly string[]
  /** Where the page loads resources and faces from that it cannot load themselves, by their own address. */
  readonly addresses: Readonly<Record<string, string>>
  /** What is shown in place of something else, in sentences. */
  readonly notes: readonly string[]
}

/** A problem of the documents. */
export interface PreviewProblem {
  /** File, line and column. */
  readonly place: string
  readonly severity: 'error' | 'warning'
  readonly rule: string
  readonly message: string
  readonly hint?: string
  /** The line of the file. */
  readonly source?: string
}

/** Documents, as a page of the preview draws them. */
export interface PreviewCatalog {
  readonly subjects: readonly PreviewSubject[]
  readonly problems: readonly PreviewProblem[]
  /** Files with errors, of which the last version without is drawn. */
  readonly outdated: readonly string[]
  /** Changes with the files of the documents and of their resources. */
  readonly version: string
}

/** The addresses of a preview. */
export const previewPaths = {
  page: '/',
  /** POST begins a session with a link. */
  session: '/session',
  /** Answers a `PreviewCatalog`. */
  catalog: '/catalog',
  /** Server-sent events: the version of the catalog, at first and whenever it has changed. */
  events: '/events',
  files: '/files/',
  placeholders: '/placeholders/',
  scripts: '/scripts/',
} as const

/** The names that a page of the preview has as an entry point of what runs in browsers. */
export const previewEntries = { script: 'preview', style: 'preview-style' } as const
