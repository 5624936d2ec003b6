import { formats } from '../../contract/values.ts'

/** What is printed where, and in which form. */
export const formatting: readonly { readonly name: string; readonly meaning: string }[] = [
  { name: 'stdout', meaning: 'the result and nothing else' },
  { name: 'stderr', meaning: 'notes, warnings, problems, progress, questions' },
  { name: 'tables', meaning: 'aligned with a header on a terminal; tab-separated without a header elsewhere' },
  { name: '--json', meaning: 'exactly one JSON document on stdout, on success and on failure' },
  { name: '--ndjson', meaning: 'for lists: each record on a line of its own, printed as it comes' },
  { name: '--dry-run', meaning: 'show what a command would do, and change nothing' },
  {
    name: '--format',
    meaning: `how problems are printed: ${formats.join(', ')}; stderr has them as text as well; not beside --json`,
  },
  {
    name: '--fields',
    meaning: 'for `template list` and `variation list`: the fields to print of each record, as YAML',
  },
  { name: '--quiet', meaning: 'no notes; warnings and failures are still printed' },
  { name: '--no-color', meaning: 'no colours; without a terminal there are none anyway' },
  { name: '--no-pager', meaning: 'print long output without a pager; without a terminal there is none anyway' },
  { name: '--no-input', meaning: 'never ask; without a terminal nothing is asked anyway' },
]
