import { plural, thousands } from '../../../contract/schema/wording.ts'
import { local } from '../service/local.ts'
import { Loaded, LoadedHeading, useLoading } from '../shell/loaded.tsx'
import { PagedTable, pageSize } from '../shell/paged-table.tsx'
import { Empty } from '../shell/problem.tsx'
import { type Column, RecordsTable } from '../shell/records-table.tsx'
import { timeText } from '../shell/time-text.ts'
import { useNarrow } from '../shell/use-narrow.ts'
import { type BalanceLine, BalancePlot } from './balance-plot.tsx'

interface Balance {
  readonly publisher_fqdn: string
  readonly granted: number
  readonly charged: number
  readonly balance: number
}

/** What was written to a chain. */
interface Entry {
  readonly publisher_fqdn: string
  readonly subject: string
  readonly network: string
  readonly entry: string
  readonly field?: string
  readonly value?: unknown
  readonly units: number
  readonly when_written: string
}

/** What publishers were charged, of a ledger with so many writes. */
interface Ledger {
  readonly balances: readonly Balance[]
  readonly lines: readonly BalanceLine[]
  readonly writes: number
  /** When it was loaded: later writes are not shown. */
  readonly moment: number
}

async function loadLedger(): Promise<Ledger> {
  const [balances, lines] = await Promise.all([
    local<Balance[]>('GET', '/__vatom/balance'),
    local<BalanceLine[]>('GET', '/__vatom/balance/history'),
  ])
  const writes = lines.reduce((sum, line) => sum + line.writes, 0)
  return { balances, lines, writes, moment: performance.now() }
}

const loadEntries = (page: number) => local<Entry[]>('GET', `/__vatom/ledger?limit=${pageSize}&page=${page}`)

/** What publishers were charged for writes to chains, and what is left to them, also over time. */
export function LedgerScreen() {
  const loading = useLoading(loadLedger)
  return (
    <div class="page">
      <LoadedHeading title="Ledger" loading={loading} />
      <Loaded loading={loading}>{(ledger) => <Shown ledger={ledger} />}</Loaded>
    </div>
  )
}

const Shown = ({ ledger: { balances, lines, writes, moment } }: { readonly ledger: Ledger }) => {
  const isNarrow = useNarrow()
  return (
    <>
      <RecordsTable
        label="Balances"
        records={balances}
        keyOf={({ publisher_fqdn }) => publisher_fqdn}
        columns={[
          ['Publisher', ({ publisher_fqdn }) => publisher_fqdn],
          ['Granted', ({ granted }) => thousands(granted), 'amount'],
          ['Charged', ({ charged }) => thousands(charged), 'amount'],
          ['Left', ({ balance }) => thousands(balance), 'amount'],
        ]}
      />
      {lines.map((line) => (
        <BalancePlot key={line.publisher_fqdn} line={line} />
      ))}
      {writes === 0 ? (
        <Empty title="Nothing was written to a chain yet">
          <p>A template with an eth section writes to one when it is created, and when a value of a field changes.</p>
        </Empty>
      ) : (
        <>
          <p class="count">{plural(writes, 'write')}, the newest first</p>
          <PagedTable
            key={moment}
            label="Writes to chains"
            layout="ledger-rows"
            total={writes}
            load={loadEntries}
            isReversed
            columns={lines.length > 1 ? [...columns, ofPublisher] : columns}
            rowHeight={isNarrow.value ? 84 : 36}
          />
        </>
      )}
    </>
  )
}

const columns: readonly Column<Entry>[] = [
  ['Time in UTC', ({ when_written }) => timeText(when_written)],
  ['Of', ({ subject }) => subject],
  ['Network', ({ network }) => network],
  ['What', ({ entry, field }) => (field === undefined ? entry : `${entry} ${field}`)],
  ['Value', ({ value }) => (value === undefined ? '' : JSON.stringify(value))],
  ['Units', ({ units }) => units],
]

const ofPublisher: Column<Entry> = ['Publisher', ({ publisher_fqdn }) => publisher_fqdn]
