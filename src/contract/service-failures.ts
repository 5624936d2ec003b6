/** What the code of a failure means, and what to do about it. */
export interface FailureNote {
  readonly title: string
  readonly remedy: string
}

/** Why a service on this machine cannot be opened, listen, or be copied or restored, by the code of the failure. */
export const serviceFailures = {
  address_unusable: {
    title: 'The service cannot listen on the address',
    remedy: 'choose another host or port: vatom serve --host HOST --port PORT',
  },
  db_busy: { title: 'Another process uses the database', remedy: 'try again when that process has finished' },
  db_newer: { title: 'A newer version of vatom wrote the database', remedy: 'upgrade vatom' },
  db_unusable: {
    title: 'The file of the database cannot be used',
    remedy: 'do what the hint says of the file, or name another one: vatom serve --db FILE',
  },
  default_password_exposed: {
    title: 'The service does not listen beyond this machine with the default password',
    remedy: 'set a password of your own: VATOM_SERVE_PASSWORD',
  },
  email_invalid: {
    title: 'The address of the publisher of the service is no e-mail address',
    remedy: 'write one such as publisher@acme.example: vatom serve --email ADDRESS',
  },
  email_taken: {
    title: 'The address of the publisher of the service belongs to another user',
    remedy: 'name another one: vatom serve --email ADDRESS',
  },
  no_temporary_folder: {
    title: 'The folder for temporary files cannot be written',
    remedy: 'make room on its disk, or name another folder with TMPDIR; on Windows with TEMP',
  },
  port_taken: {
    title: 'Another process listens on the port',
    remedy: 'choose another one, or a free one: vatom serve --port 0',
  },
  publisher_invalid: {
    title: 'The publisher of the service is no domain name in lower case',
    remedy: 'name a domain such as acme.example: vatom serve --publisher DOMAIN',
  },
  snapshot_exists: {
    title: 'A snapshot has this name already',
    remedy: 'replace it: vatom snapshot save NAME --force; or choose another name',
  },
  snapshot_unknown: { title: 'No snapshot has this name', remedy: 'list what exists: vatom snapshot list' },
  snapshot_unusable: {
    title: 'A snapshot, or the folder of snapshots, cannot be read or written',
    remedy: 'check its permissions and the free space on its disk, or load another snapshot',
  },
  sqlite_missing: {
    title: 'Neither Node.js nor a package has the SQLite that the service needs',
    remedy: 'install the package that the hint names, or use a newer Node.js',
  },
} as const satisfies Readonly<Record<string, FailureNote>>
export type ServiceFailureCode = keyof typeof serviceFailures

export const isServiceFailureCode = (code: unknown): code is ServiceFailureCode =>
  typeof code === 'string' && Object.hasOwn(serviceFailures, code)
