import { action } from '../kinds/action.ts'
import { face } from '../kinds/face.ts'
import { template } from '../kinds/template.ts'
import { variation } from '../kinds/variation.ts'
import type { SchemaKind } from '../values.ts'
import type { Path } from './path.ts'

/** The specification's section about a place in a document. */
export const sections: Readonly<Record<SchemaKind, (path: Path) => string>> = {
  template: template.specAt,
  variation: variation.specAt,
  face: face.specAt,
  action: action.specAt,
  discover: () => '4.4',
  profile: () => '4.2',
}
