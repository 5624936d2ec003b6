import { kindOf } from '../kinds/kinds.ts'
import { shellWord } from '../shell-word.ts'
import type { KindName } from '../values.ts'

/** A record that a document names. */
interface Named {
  readonly kind: KindName
  readonly name: string
}

/** The template that is named, or of which the action or variation is; undefined where the name of a variation does not tell. */
function templateIn({ kind, name }: Named): string | undefined {
  if (kind !== 'variation') return kindOf(kind).templateOf({ [kindOf(kind).nameKey]: name })
  const [template, ...others] = [...name.matchAll(/::v\d+(?=::)/g)].map((one) =>
    name.slice(0, one.index + one[0].length),
  )
  return others.length === 0 ? template : undefined
}

/** How to add it to the catalog. Without its template, what another catalog owns is left out. */
export function pullHint(reference: Named): string {
  const template = templateIn(reference)
  const command = `vatom pull --template ${template === undefined ? 'NAME' : shellWord(template)}`
  return `if the service has it, and no other catalog here, add it in the folder of the catalog: ${command}${template === undefined ? ', with the name of its template' : ''}`
}
