import type { Kind } from '../../contract/kinds/kind.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import type { Output } from '../io/output.ts'
import { styled } from '../io/text.ts'

/** The places of all names in a selection: `name` and `properties`, `unpublished` for `name,properties(unpublished)`. */
function selected(fields: string): string[][] {
  const found: string[][] = []
  const outer: string[] = []
  for (const token of fields.match(/[(),]|[^(),]+/g) ?? []) {
    if (token === '(') outer.push(found.at(-1)?.at(-1) ?? '')
    else if (token === ')') outer.pop()
    else if (token !== ',') found.push([...outer, token.trim()])
  }
  return found
}

/**
 * The fields to ask for, and what is shown of a record: the name is always asked for, as it is what identifies a record.
 */
export function selection(fields: string): { fields: string; shown: (record: Section) => Section } {
  if (selected(fields).some(([first, ...inner]) => first === 'name' && inner.length === 0))
    return { fields, shown: (record) => record }
  return { fields: `name,${fields}`, shown: ({ name: _, ...rest }) => rest }
}

/** Warns of names in a selection that records of a kind do not have: a service leaves them out. */
export async function warnOfUnknownFields(kind: Kind, fields: string, output: Output): Promise<void> {
  const [{ kindSchemas }, { fieldsAt }, { didYouMean, nameList }] = await Promise.all([
    import('../../contract/kinds/schemas.ts'),
    import('../../contract/schema/fields.ts'),
    import('../../contract/schema/suggest.ts'),
  ])
  const record = kindSchemas[kind.name].record()
  for (const path of selected(fields)) {
    const outer = path.slice(0, -1)
    const name = path.at(-1) ?? ''
    const known = fieldsAt(record, outer)
    if (known.length === 0 || known.includes(name)) continue
    const inner = fieldsAt(record, ['properties']).includes(name) ? `write properties(${name})` : undefined
    const hint = inner ?? didYouMean(name, known) ?? `there are ${nameList(known)}`
    const place = outer.length > 0 ? ` in ${outer.join('.')}` : ''
    output.warn(styled`--fields: ${kind.name}s have no field ${name}${place}; ${hint}`)
  }
}
