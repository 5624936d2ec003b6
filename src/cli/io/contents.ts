import type { Snapshot } from '../../server/snapshots/snapshots.ts'

const nouns = { templates: 'template', variations: 'variation', vatoms: 'vAtom', assets: 'asset' } as const

/** How much a snapshot holds: `2 templates, 1 variation, 100 vAtoms`. */
export function contentsText(snapshot: Snapshot): string {
  const parts = (Object.keys(nouns) as (keyof typeof nouns)[])
    .filter((key) => snapshot[key] > 0)
    .map((key) => `${snapshot[key]} ${nouns[key]}${snapshot[key] === 1 ? '' : 's'}`)
  return parts.join(', ') || 'nothing yet'
}
