import { formats } from '../../../documents/report/formats.ts'
import { defined } from '../../io/wrap.ts'
import type { Page } from './index.ts'

const facts: readonly { readonly name: string; readonly meaning: string }[] = [
  { name: 'stdout', meaning: 'the result, and nothing else' },
  { name: 'stderr', meaning: 'everything else: notes, warnings, problems, progress, questions' },
  { name: 'tables', meaning: 'aligned under a head on a terminal; elsewhere tab-separated and without a head' },
  { name: '--json', meaning: 'exactly one JSON document on stdout, on success and on failure alike' },
  { name: '  documents', meaning: '{results: [{file, kind, name, status, message, problems}], summary}' },
  { name: '  lists', meaning: 'an array of every page' },
  { name: '  one call', meaning: 'the payload of the service' },
  { name: '  failures', meaning: '{error: {code, message, hint, issues}}, beside results where there are any' },
  {
    name: '--dry-run',
    meaning:
      'dry_run: true at the top; a row that would change is unchanged, with what it would come to in would, and what would be sent in request; {would, message, request} where there are no rows; it is of commands that write to a service or into your files, so that login and context add, use and remove, which change what vatom itself keeps, have none',
  },
  { name: '--format', meaning: `how problems are printed: ${formats.join(', ')}; stderr has them as text, too` },
  { name: '--fields', meaning: 'of list: what to print of each record, as YAML' },
  { name: '--quiet', meaning: 'leaves notes out; warnings and failures stay' },
  { name: '--no-color', meaning: 'no colours; without a terminal there are none anyway' },
  { name: '--no-pager', meaning: 'long lists are printed without stopping; without a terminal they are anyway' },
  { name: '--no-input', meaning: 'never asks; without a terminal nothing is asked anyway' },
]

/** What is printed where, and in which form. */
export const formatting: Page = {
  data: facts.map(({ name, meaning }) => ({ name: name.trim(), meaning })),
  lines: ({ columns }) => [
    'What is printed, and where:',
    '',
    ...facts.flatMap(({ name, meaning }) => defined(name, meaning, 16, columns)),
    '',
    'Fields are only ever added to JSON. Control characters in data are escaped in',
    'all text.',
    '',
    'Examples:',
    '  vatom template list | cut -f1',
    "  vatom template create catalog/ --json | jq '.summary'",
    '  vatom template validate catalog/ --format sarif > vatom.sarif',
  ],
}
