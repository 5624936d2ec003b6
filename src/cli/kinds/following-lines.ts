import { plural } from '../../contract/schema/wording.ts'
import { type Line, styled } from '../io/text.ts'

/** `1 vAtom follows`, `2 vAtoms follow`: a draft. */
export const followText = (count: number): string => `${plural(count, 'vAtom')} ${count === 1 ? 'follows' : 'follow'}`

/** How many vAtoms follow a draft, below what changes in it; nothing for none. */
export function followingLines(count = 0): Line[] {
  if (count === 0) return []
  const them = count === 1 ? 'it' : 'them'
  return [
    styled`      ${followText(count)}; what actions changed in ${them} stays, unless the file changes that very value`,
  ]
}
