import { errorAt } from '../../contract/api/errors.ts'
import {
  JournalListQuery,
  LedgerQuery,
  OutboxQuery,
  UsersCountQuery,
  UsersQuery,
} from '../../contract/api/local-routes.ts'
import { sectionOf } from '../../contract/vatom/complete.ts'
import { eachPart, JsonParts, listParts } from '../domain/json-text.ts'
import { queriedPage } from '../domain/paging.ts'
import type { LedgerRow } from '../store/chain-writes.ts'
import type { Store } from '../store/store.ts'
import type { ListedUser } from '../store/users.ts'
import { validated } from '../valid-input.ts'
import type { JournalQuery } from './journal.ts'
import type { LocalRequest } from './local-request.ts'
import { idOfUser, noUser } from './named-user.ts'

/** A page of what was written to chains, oldest first, of one publisher or of all. Throws `invalid`. Spec 2.3. */
export async function ledgerPage({ service: { store }, query }: LocalRequest): Promise<JsonParts> {
  const { publisher = null, ...rest } = validated(LedgerQuery(), query)
  const page = queriedPage(rest)
  const rows = await store.slices.run(() => store.ledger.page({ publisher, ...page }))
  return new JsonParts(eachPart(rows, (row) => JSON.stringify(entryRecord(row))))
}

/** An entry as it is answered: only the entry of a field has a field, a type and a value. */
const entryRecord = ({ field, type, value, units, ...entry }: LedgerRow) => ({
  ...entry,
  ...(value !== null && { field, type, value: JSON.parse(value) }),
  units,
})

/** What each publisher was granted, was charged, and has left, in platform units. Spec 2.3. */
export const balances = ({ service: { store, granted } }: LocalRequest): object[] =>
  store.users.publishers().map((publisher) => {
    const charged = store.ledger.charged(publisher)
    return { publisher_fqdn: publisher, granted, charged, balance: granted - charged }
  })

/** What is left to each publisher after its writes to chains, as a line of few points. Spec 2.3. */
export const balancesOverTime = async ({ service: { store, granted } }: LocalRequest): Promise<object[]> => {
  const lines = await store.slices.run(() => store.ledger.chargedOverTime())
  return [...lines].map(([publisher, { writes, points }]) => ({
    publisher_fqdn: publisher,
    granted,
    writes,
    points: points.map(({ when, charged }) => ({ when, balance: granted - charged })),
  }))
}

/** A page of users: whom a message reaches, what they may do, and how much they own. Throws `invalid`. */
export async function usersPage({ service: { store }, query }: LocalRequest): Promise<object[]> {
  const { search = '', ...rest } = validated(UsersQuery(), query)
  const page = queriedPage(rest)
  const users =
    search.trim() === '' ? store.users.page(page) : await store.slices.run(() => store.users.searchPage(search, page))
  return users.map((user) => ({
    id: user.id,
    token: user.token ?? '',
    token_type: user.token_type ?? '',
    name: nameOf(user),
    pub_fqdn: user.pub_fqdn,
    is_admin: user.is_admin === 1,
    is_merchant: user.is_merchant === 1,
    activated: user.activated === 1,
    seeded: user.seeded === 1,
    vatoms: user.vatoms,
  }))
}

function nameOf({ properties }: Pick<ListedUser, 'properties'>): string {
  const { first_name, last_name } = sectionOf(JSON.parse(properties))
  return [first_name, last_name].filter(Boolean).join(' ')
}

/** How many users a query asks for there are. Throws `invalid`. */
export async function usersCount({ service: { store }, query }: LocalRequest): Promise<object> {
  const { search = '' } = validated(UsersCountQuery(), query)
  const count =
    search.trim() === '' ? store.users.count() : await store.slices.run(() => store.users.searchCount(search))
  return { count }
}

/** How many vAtoms each variation of a template has, and what became of them. */
export const emissionCounts = ({ service: { store }, id: template }: LocalRequest): JsonParts =>
  new JsonParts(listParts(countsOf(store, template)))

/** In batches of JSON text; an empty one comes whenever some vAtoms were counted. */
function* countsOf({ variations, vatoms }: Store, template: string): Generator<string[], void> {
  for (const { name } of variations.ofTemplate(template)) {
    const sum = { emitted: 0, redeemed: 0, owned: 0, left: 0 }
    const days = new Map<string, { day: string; count: number; redeemed: number; trashed: number }>()
    for (const some of vatoms.counts(name)) {
      for (const { day, count, redeemed, trashed, owned, left } of some) {
        const before = days.get(day) ?? { count: 0, redeemed: 0, trashed: 0 }
        days.set(day, {
          day,
          count: count + before.count,
          redeemed: redeemed + before.redeemed,
          trashed: trashed + before.trashed,
        })
        sum.emitted += count
        sum.redeemed += redeemed
        sum.owned += owned
        sum.left += left
      }
      yield []
    }
    const sorted = [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
    yield [JSON.stringify({ template_variation: name, ...sum, days: sorted })]
  }
}

/** The open WebSockets, and the part of the map that each asked for. */
export const openSockets = ({ service: { testing } }: LocalRequest): object[] =>
  [...testing.sockets].map(({ user, watched }) => ({ user, region: watched ?? null }))

/** How many of the newest a query asks for; all of them by default. Throws `invalid`. */
const newest = (query: { readonly limit?: string | undefined }): number => queriedPage({ limit: '0', ...query }).limit

/** The newest messages to users, or to one address or number, oldest first. Throws `invalid`. */
export function outboxPage({ service: { store }, query }: LocalRequest): object[] {
  const { to: recipient, ...wanted } = validated(OutboxQuery(), query)
  const limit = newest(wanted)
  const messages = recipient === undefined ? store.outbox.newest(limit) : store.outbox.newestOf(recipient, limit)
  return messages.map(({ seq: _, recipient: to, when_sent: when, ...message }) => ({ to, ...message, when }))
}

/** The newest requests that a query asks for, oldest first. Throws `invalid`. */
export const journalPage = ({ service, query }: LocalRequest): JsonParts =>
  new JsonParts(eachPart(service.testing.journal.each(journalQuery(service, query)), (one) => JSON.stringify(one)))

function journalQuery({ store }: LocalRequest['service'], query: unknown): JournalQuery {
  const { status, user, ...wanted } = validated(JournalListQuery(), query)
  return {
    ...wanted,
    ...(status !== undefined && { status: Number(status) }),
    ...(user !== undefined && { user: sender(store, user) }),
    limit: newest(wanted),
  }
}

function sender(store: Store, name: string): string {
  const id = idOfUser(store, name)
  if (id === undefined) throw errorAt('user', 'invalid', `user: ${noUser(name)}`)
  return id
}

/** How many requests a query asks for there are. Throws `invalid`. */
export const journalCount = ({ service, query }: LocalRequest): object => ({
  count: service.testing.journal.newest(journalQuery(service, query)).length,
})
