import { errorAt } from '../../../contract/api/errors.ts'
import { type ChainWrite, chainWrites, isCharged } from '../../../contract/vatom/chain.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import type { LedgerEntry } from '../../store/chain-writes.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { VariationRow } from '../../store/variations.ts'
import type { ByPublisher } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { ethOf } from './template.ts'
import { overridesOf } from './variation.ts'

/** Platform units that a write to a contract on mainnet costs. Spec 2.3. */
export interface Tariff {
  readonly contract: number
  readonly field: number
}

/** What chain writes cost, and the balance that pays for them. */
export interface Pricing {
  readonly tariff: Tariff
  /** Platform units that each publisher was given; what was charged is in the ledger. */
  readonly granted: number
}

/** The `eth` section of a template or variation before and after a change; undefined where it has none. */
export interface ChainChange {
  /** Its name. */
  readonly subject: string
  readonly before: Section | undefined
  readonly after: Section | undefined
}

/** The change of a template; a new one has no `before`. */
export const templateChain = (after: TemplateRow, before?: TemplateRow): ChainChange => ({
  subject: after.name,
  before: before && ethOf(before),
  after: ethOf(after),
})

/** The change of a variation; a new one has no `before`. */
export const variationChain = (after: VariationRow, before?: VariationRow): ChainChange => ({
  subject: after.name,
  before: before && ownSection(before),
  after: ownSection(after),
})

/** Only a variation with an `eth` section of its own has its own contract, which has the resolved fields. Spec 2.5. */
const ownSection = (row: VariationRow): Section | undefined =>
  overridesOf(row).eth && sectionOf(sectionOf(JSON.parse(row.resolved)).eth)

/** Charges a publisher for chain writes. Both are to be called inside the write that makes the changes. */
export interface Charging {
  /** Records the chain writes of a change. */
  readonly record: (change: ChainChange) => void
  /** Throws `chargesUncovered` if the balance does not cover all that were recorded. */
  readonly checkCovered: () => void
}

/** Charges the publisher for chain writes, of many changes one after the other. Spec 2.3. */
export function charging(scope: ByPublisher, { tariff, granted }: Pricing): Charging {
  const { store, publisher } = scope
  let needed = 0
  return {
    record: (change) => {
      for (const entry of entriesOf(scope, tariff, change)) {
        needed += entry.units
        store.ledger.append(entry)
      }
    },
    checkCovered: () => {
      if (needed === 0) return
      const left = balanceOf(store, { granted: granted + needed }, publisher)
      if (needed <= left) return
      const message = `the balance does not cover the chain writes: they need ${needed} units, and ${left} are left`
      throw errorAt('eth', 'chargesUncovered', message)
    },
  }
}

/** Records the chain writes of a change, and charges the publisher for them. Throws `chargesUncovered`. */
export function chargeWrites(scope: ByPublisher, pricing: Pricing, change: ChainChange): void {
  const { record, checkCovered } = charging(scope, pricing)
  record(change)
  checkCovered()
}

/** Platform units that a publisher can still spend. */
export const balanceOf = (
  store: ByPublisher['store'],
  { granted }: Pick<Pricing, 'granted'>,
  publisher: string,
): number => Math.max(granted - store.ledger.charged(publisher), 0)

function entriesOf(scope: ByPublisher, tariff: Tariff, { subject, before, after }: ChainChange): LedgerEntry[] {
  if (!after) return []
  const contract = {
    publisher_fqdn: scope.publisher,
    subject,
    network: String(after.network),
    symbol: String(after.symbol),
    when_written: timestamp(scope.now),
  }
  const unitsOf = ({ entry }: ChainWrite) => (isCharged(after) ? tariff[entry] : 0)
  return chainWrites(before, after).map((write) => ({ ...contract, ...columnsOf(write), units: unitsOf(write) }))
}

const columnsOf = (write: ChainWrite): Pick<LedgerEntry, 'entry' | 'field' | 'type' | 'value'> =>
  write.entry === 'contract'
    ? { ...write, field: null, type: null, value: null }
    : { ...write, value: JSON.stringify(write.value) }
