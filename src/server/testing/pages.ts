import * as z from 'zod/v4'
import { paging } from '../../contract/api/paging.ts'
import { queriedPage } from '../domain/paging.ts'
import { isDomainName } from '../domain/users/user.ts'
import type { LedgerRow } from '../store/chain-writes.ts'
import type { OutboxRow } from '../store/codes.ts'
import { validated } from '../valid-input.ts'
import type { Asked } from './controls.ts'

const LedgerQuery = z.strictObject({
  publisher: z.string().refine(isDomainName, { error: 'must be a domain name in lower case' }).optional(),
  ...paging(),
})

/** A page of what was written to chains, oldest first, of one publisher or of all. Throws `invalid`. Spec 2.3. */
export function ledgerPage({ service: { store }, query }: Asked): object[] {
  const { publisher, ...asked } = validated(LedgerQuery, query, { spec: '2.3', errors: ['invalid'] })
  const page = queriedPage(asked)
  const rows = publisher === undefined ? store.ledger.page(page) : store.ledger.publisherPage({ publisher, ...page })
  return rows.map(entryRecord)
}

/** An entry as it is answered: only a field has a name, a type and a value. */
const entryRecord = ({
  seq,
  when_written,
  publisher_fqdn,
  subject,
  network,
  symbol,
  entry,
  units,
  ...row
}: LedgerRow) => ({
  seq,
  when_written,
  publisher_fqdn,
  subject,
  network,
  symbol,
  entry,
  ...(row.value !== null && { field: row.field, type: row.type, value: JSON.parse(row.value) }),
  units,
})

/** What each publisher has, was charged, and has left, in platform units. Spec 2.3. */
export const balances = ({ service: { store, granted } }: Asked): object[] =>
  store.users.publishers().map((publisher) => {
    const charged = store.ledger.charged(publisher)
    return { publisher_fqdn: publisher, granted, charged, balance: granted - charged }
  })

const NewestQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .optional(),
})

/** How many of the newest a query asks for. Throws `invalid`. */
const newest = (query: unknown): number =>
  queriedPage({ limit: '0', ...validated(NewestQuery, query, { spec: '', errors: ['invalid'] }) }).limit

/** The newest messages to users, oldest first. Throws `invalid`. */
export const outboxPage = ({ service: { store }, query }: Asked): object[] =>
  store.outbox.newest(newest(query)).map(messageRecord)

/** The newest requests, oldest first. Throws `invalid`. */
export const journalPage = ({ service: { testing }, query }: Asked): object[] => testing.journal.newest(newest(query))

const messageRecord = ({ recipient, token_type, kind, code, when_sent }: OutboxRow) => ({
  to: recipient,
  token_type,
  kind,
  code,
  when: when_sent,
})
