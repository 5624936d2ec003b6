import type { Generated } from 'kysely'
import type { actions } from './actions.ts'
import type { ledger } from './chain-writes.ts'
import type { codes, codeTries, outbox } from './codes.ts'
import type { events } from './events.ts'
import type { faces } from './faces.ts'
import type { messages, threads } from './messages.ts'
import type { sessions } from './sessions.ts'
import type { NewRowOf } from './table.ts'
import type { recordChanges } from './template-records.ts'
import type { templates } from './templates.ts'
import type { users, userTokens } from './users.ts'
import type { variations } from './variations.ts'
import type { vatoms } from './vatoms/vatoms.ts'

type Numbered<Row> = Row & { readonly seq: Generated<number> }

/** The tables that statements beyond one table, or beyond equality, are built of. */
export interface Tables {
  users: NewRowOf<typeof users>
  user_tokens: NewRowOf<typeof userTokens>
  codes: NewRowOf<typeof codes>
  code_tries: NewRowOf<typeof codeTries>
  sessions: NewRowOf<typeof sessions>
  templates: NewRowOf<typeof templates>
  variations: NewRowOf<typeof variations>
  faces: Numbered<NewRowOf<typeof faces>>
  actions: Numbered<NewRowOf<typeof actions>>
  record_changes: NewRowOf<typeof recordChanges>
  vatoms: Numbered<NewRowOf<typeof vatoms>>
  ledger: Numbered<NewRowOf<typeof ledger>>
  events: Numbered<NewRowOf<typeof events>>
  messages: Numbered<NewRowOf<typeof messages>>
  threads: NewRowOf<typeof threads>
  outbox: Numbered<NewRowOf<typeof outbox>>
}
