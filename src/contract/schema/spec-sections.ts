import type { SchemaKind } from '../values.ts'
import type { Path } from './path.ts'

/** The specification's section that tells of a place in a document. */
export const sections: Readonly<Record<SchemaKind, (path: Path) => string>> = {
  template: ([section]) => (section === 'vatom' ? '2.4' : section === 'eth' ? '2.3' : '2.2'),
  variation: () => '2.5',
  face: () => '4.5',
  action: () => '4',
  discover: () => '4.4',
  profile: () => '4.2',
}
