/** The addresses of the console of a local service; all but the page are below `/__vatom/`. */
export const consolePaths = {
  page: '/',
  prefix: '/__vatom/console/',
  /** Scripts and style sheets. */
  scripts: '/__vatom/console/files/',
  /** GET answers a `ConsoleVisit`; POST begins a session with a link or with an access token; DELETE ends it. */
  session: '/__vatom/console/session',
  /** POST answers a link that signs a browser in once. */
  links: '/__vatom/console/links',
  /** POST answers an access token of a user. */
  token: '/__vatom/console/token',
  /** GET answers the `ConsoleRequest`s after a number. */
  requests: '/__vatom/console/requests',
  /** GET answers a `CatalogComparison`, as the `user` of its query plans it; null where the service was started without files. */
  catalog: '/__vatom/console/catalog',
  /**
   * Server-sent events: the number of the latest request, at first and when there are others; `catalog` when the files of
   * the catalog have changed.
   */
  events: '/__vatom/console/events',
} as const

/** The names that the console has as entry points of what runs in browsers. */
export const consoleEntries = { script: 'console', style: 'console-style' } as const

/** What a page learns before anybody is signed in, and with a session. */
export interface ConsoleVisit {
  readonly app_id: string
  readonly session?: ConsoleSession
}

/** What the console knows of the service that it is signed in to. */
export interface ConsoleSession {
  readonly app_id: string
  readonly publisher: { readonly id: string; readonly fqdn: string; readonly email: string }
  readonly data: DataPlace
}

/**
 * Where the data of a service is: in a temporary one, which requests may replace as a whole; in the `local` context, which
 * commands copy and reset; or in a file of its own, which neither does.
 */
export type DataPlace = 'temporary' | 'local' | 'file'

/** A service as one of its publishers calls it. */
export interface ServedAs {
  /** The id of who calls it. */
  readonly user: string
  readonly baseUrl: string
  readonly appId: string
  readonly accessToken: string
}

/** The files that the console compares with its service. */
export interface ConsoleCatalog {
  readonly compare: (service: ServedAs) => Promise<CatalogComparison>
  /** Calls a function whenever the files have changed, until the returned function is called. */
  readonly watch: (changed: () => void) => () => void
}

/** How a service differs from the files of a catalog. */
export interface CatalogComparison {
  readonly paths: readonly string[]
  /** The JSON of `vatom plan`. */
  readonly plan: unknown
}

/** A request as the console shows it. */
export interface ConsoleRequest {
  readonly seq: number
  readonly when: string
  readonly method: string
  /** Path and query, without secrets. */
  readonly path: string
  /** Null where the connection was dropped. */
  readonly status: number | null
  readonly milliseconds: number
  readonly request_id: string
  readonly operation?: string
  readonly injected?: boolean
  readonly dry_run?: boolean
  /** Whether the console itself sent it. */
  readonly console?: boolean
  /** Id of the user who sent it. */
  readonly user?: string
  /** Bodies without secrets. */
  readonly sent?: KeptBody
  /** Instead of a body, those of an upload. */
  readonly parts?: readonly KeptPart[]
  readonly answered?: KeptBody
}

/** A part of an upload, as far as it arrived. */
export interface KeptPart {
  /** The name of the part in its form. */
  readonly field: string
  /** Not there for a part that is no file. */
  readonly file?: string
  /** As its sender says. */
  readonly type: string
  /** Bytes; of a field that is cut, those that were read. */
  readonly size: number
  /** What it says, if it is text. */
  readonly body?: KeptBody
}

/** A body, or what is kept of it. */
export interface KeptBody {
  readonly text: string
  /** Whether secrets were struck out. */
  readonly redacted?: boolean
  /** Whether its end is missing. */
  readonly shortened?: boolean
}
