import { limits } from '../../../contract/limits.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { local } from '../service/local.ts'
import { Loaded, LoadedHeading, useLoading } from '../shell/loaded.tsx'
import { Empty } from '../shell/problem.tsx'
import { RecordsTable } from '../shell/records-table.tsx'

interface Balance {
  readonly publisher_fqdn: string
  readonly granted: number
  readonly charged: number
  readonly balance: number
}

/** What was written to a chain. */
interface Entry {
  readonly seq: number
  readonly publisher_fqdn: string
  readonly subject: string
  readonly network: string
  readonly entry: string
  readonly field?: string
  readonly value?: unknown
  readonly units: number
  readonly when_written: string
}

/** The pages that are read of the ledger at most. */
const mostPages = 10

async function loadLedger() {
  const balances = await local<Balance[]>('GET', '/__vatom/balance')
  const entries: Entry[] = []
  for (let page = 1; page <= mostPages; page++) {
    const some = await local<Entry[]>('GET', `/__vatom/ledger?limit=${limits.pageMax}&page=${page}`)
    entries.push(...some)
    if (some.length < limits.pageMax) break
  }
  return { balances, entries: entries.reverse() }
}

/** The rows that are shown at once. */
const shownAtOnce = 500

/** What publishers were charged for writes to chains, and what is left to them. */
export function LedgerScreen() {
  const loading = useLoading(loadLedger)
  return (
    <div class="page">
      <LoadedHeading title="Ledger" loading={loading} />
      <Loaded loading={loading}>
        {({ balances, entries }) => (
          <>
            <RecordsTable
              label="Balances"
              records={balances}
              keyOf={({ publisher_fqdn }) => publisher_fqdn}
              columns={[
                ['Publisher', ({ publisher_fqdn }) => publisher_fqdn],
                ['Granted', ({ granted }) => granted.toLocaleString('en')],
                ['Charged', ({ charged }) => charged.toLocaleString('en')],
                ['Left', ({ balance }) => balance.toLocaleString('en')],
              ]}
            />
            {entries.length === 0 ? (
              <Empty title="Nothing was written to a chain yet">
                <p>
                  A template with an eth section writes to one when it is created, and when a value of a field changes.
                </p>
              </Empty>
            ) : (
              <>
                <p class="count">
                  {plural(entries.length, 'write')}
                  {entries.length > shownAtOnce && `, the newest ${shownAtOnce} are shown`}
                </p>
                <RecordsTable
                  label="Writes to chains"
                  records={entries.slice(0, shownAtOnce)}
                  keyOf={({ seq }) => String(seq)}
                  columns={[
                    ['Time', ({ when_written }) => when_written],
                    ['Of', ({ subject }) => subject],
                    ['Network', ({ network }) => network],
                    ['What', ({ entry, field }) => (field === undefined ? entry : `${entry} ${field}`)],
                    ['Value', ({ value }) => (value === undefined ? '' : JSON.stringify(value))],
                    ['Units', ({ units }) => units],
                  ]}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}
