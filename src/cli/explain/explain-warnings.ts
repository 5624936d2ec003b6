import { warningCatalogue } from '../../contract/api/warnings.ts'
import type { Context } from '../context.ts'
import { styled, wrapped } from '../io/text.ts'
import { cautionCatalogue } from '../kinds/cautions.ts'
import { factLines } from './explain-path.ts'

type Catalogue = Readonly<Record<string, string>>

/** Codes with their meaning, and what one of them amounts to. */
interface Group {
  readonly catalogue: Catalogue
  readonly severity: 'warning' | 'caution'
  readonly consequence: string
}

const groups: readonly Group[] = [
  {
    catalogue: warningCatalogue,
    severity: 'warning',
    consequence: 'the service accepts the request (vatom help operations)',
  },
  { catalogue: cautionCatalogue, severity: 'caution', consequence: 'what is published is final' },
]

/** Prints what a warning of the service, or a caution of a plan, means, by its code; false if there is none. */
export async function explainWarning(code: string, { output }: Context): Promise<boolean> {
  const group = groups.find(({ catalogue }) => Object.hasOwn(catalogue, code))
  const title = group?.catalogue[code]
  if (group === undefined || title === undefined) return false
  const { severity, consequence } = group
  await output.listing({ code, severity, title }, () => [
    styled`${output.paint.bold(code)}`,
    ...wrapped(title, output.columns),
    '',
    ...factLines([['severity', `${severity}: ${consequence}`]], output),
  ])
  return true
}
