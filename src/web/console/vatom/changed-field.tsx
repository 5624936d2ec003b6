import type { Change } from './leaves.ts'

/** A field of a record, with its value before and after a change. */
export const ChangedField = ({ path, before, after }: Change) => (
  <>
    <code>{path.replace('vAtom::vAtomType.', '')}</code> {before !== undefined && <del>{before}</del>}{' '}
    {after !== undefined && <ins>{after}</ins>}
  </>
)
