import { limits } from '../../contract/limits.ts'
import { catalogRules, relatedNotes } from '../../contract/rules/catalog-rules.ts'
import { rules } from '../../contract/rules/document-rules.ts'
import type { RuleNote } from '../../contract/rules/rule.ts'

const error = (name: string, summary: string): RuleNote => ({ name, severity: 'error', summary })
const mendable = (name: string, summary: string): RuleNote => ({ ...error(name, summary), fixes: true })
const warning = (name: string, summary: string): RuleNote => ({ ...error(name, summary), severity: 'warning' })

/** How files are read. */
const reading: readonly RuleNote[] = [
  error('input', 'what is named is there and can be read'),
  error(
    'file-size',
    `a file has at most ${limits.file / 2 ** 20} MiB and ${limits.documents.toLocaleString('en-US')} documents`,
  ),
  error('encoding', 'a file is UTF-8 text'),
  error('empty', 'a file holds a document'),
  error('no-document', 'a file that is named holds a document of the kind that is wanted'),
  error('depth', 'a document does not nest deeper than a service takes'),
  error('json-syntax', 'a .json file is JSON'),
  error('json-number', 'a number is one that JSON can hold'),
  error('yaml-syntax', 'a .yaml file is YAML 1.2'),
  error('yaml-version', 'no document asks for an older YAML'),
  error('yaml-tab', 'no tab indents'),
  mendable('yaml-alias', 'a text that begins with * is quoted, and an alias has its anchor'),
  mendable('yaml-quotes', 'what YAML reads otherwise is quoted'),
  mendable('yaml-boolean', 'true and false are written so: yes, no, on and off are texts'),
  mendable('yaml-number', 'digits that are a text are quoted, and a number is read as it is written'),
  mendable('yaml-comment', 'a text that begins with # is quoted'),
  error('yaml-key', 'a key is a text'),
  error('yaml-duplicate', 'a key stands once'),
  error('yaml-tag', 'a tag says what its value is'),
  error('unsafe-key', 'no key is one that programs trip over, such as __proto__'),
  error('too-many', 'a document has no more problems than are shown'),
]

/** What every field of a document must be. */
const fields: readonly RuleNote[] = [
  error('kind', 'kind: names a kind of document'),
  mendable('unknown-field', 'a document has only fields of its kind'),
  error('required', 'what is required is there'),
  error('type', 'a value is of the type that its field has'),
  mendable('value', 'a value is one of those that its field may have'),
  error('format', 'a text has the form that its field has'),
  error('length', 'a text or a list is not too long or too short'),
  error('range', 'a number is not too small or too large'),
  error('search-field', 'a query names fields that can be searched'),
  error('duplicate-name', 'no two documents of a kind have one name'),
]

/** What is asked of others, where that is wanted. */
const addresses: readonly RuleNote[] = [
  warning('probe', 'with --probe: an address answers, with what its resource or face is, in a size that phones bear'),
]

/** What switches rules off. */
const comments: readonly RuleNote[] = [
  warning('ignore', 'a vatom-ignore comment names warnings that can be switched off'),
  warning('ignore-unused', 'a vatom-ignore comment switches something off'),
]

/** Every rule that documents are held to. */
export const ruleNotes: readonly RuleNote[] = [
  ...reading,
  ...fields,
  ...rules,
  ...relatedNotes,
  ...catalogRules,
  ...addresses,
  ...comments,
]

/** The comment that switches a rule off; undefined for an error, which the service would refuse, and of comments themselves. */
export const switchedOffBy = (note: RuleNote): string | undefined =>
  note.severity === 'error' || comments.includes(note) ? undefined : `# vatom-ignore ${note.name}`
