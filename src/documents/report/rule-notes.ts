import { limits } from '../../contract/limits.ts'
import { catalogRules, relatedNotes } from '../../contract/rules/catalog-rules.ts'
import { rules } from '../../contract/rules/document-rules.ts'
import type { RuleNote } from '../../contract/rules/rule.ts'

const error = (name: string, summary: string): RuleNote => ({ name, severity: 'error', summary })
const mendable = (name: string, summary: string, fixes: true | string = true): RuleNote => ({
  ...error(name, summary),
  fixes,
})
const warning = (name: string, summary: string): RuleNote => ({ ...error(name, summary), severity: 'warning' })

/** Rules about files. */
const reading: readonly RuleNote[] = [
  error('input', 'the given files and folders exist and can be read'),
  error(
    'file-size',
    `a file has at most ${limits.file / 2 ** 20} MiB and ${limits.documents} documents, and a document ${limits.tokens} words and signs`,
  ),
  error('encoding', 'a file is UTF-8 text'),
  error('empty', 'a file contains a document'),
  error('no-document', 'a given file contains a document of the kind that the command takes'),
  error(
    'depth',
    'a document is not nested deeper, and the names of fields in each other are no longer, than a service accepts',
  ),
  error('json-syntax', 'a .json file is JSON'),
  error('json-number', 'a number is one that JSON can hold'),
  error('yaml-syntax', 'a .yaml file is YAML 1.2'),
  error('yaml-version', 'no document declares an older version of YAML'),
  error('yaml-document', 'a line --- is between the documents of a file'),
  error('yaml-tab', 'lines are not indented with tabs'),
  mendable('yaml-space', 'spaces between words of YAML are spaces, not no-break spaces'),
  mendable('yaml-alias', 'a text that begins with * is quoted, and an alias has its anchor', 'a lone *'),
  mendable('yaml-quotes', 'a text that YAML would read as something else is quoted'),
  warning('yaml-curly', 'a text is quoted with plain quotes, not with the curly ones of text editors'),
  mendable('yaml-boolean', 'booleans are written true or false: yes, no, on and off are texts'),
  warning('yaml-word', 'a custom value that is the word yes, no, on or off is quoted, or is true or false'),
  mendable(
    'yaml-number',
    'a text of digits is quoted, and a number is read exactly as it is written',
    'texts of digits',
  ),
  mendable(
    'yaml-comment',
    'a text that begins with # is quoted, and so is one with # behind a space',
    'a text that begins with #',
  ),
  error('yaml-key', 'a key is a text'),
  error('yaml-duplicate', 'no key is repeated'),
  error('yaml-tag', 'a tag fits its value'),
  error('unsafe-key', 'no key is one that is unsafe in programs, such as __proto__'),
  error('too-many', 'a document has no more problems than are shown'),
]

/** What `certainMeaning` recognizes. */
const misspelt = 'another case, and typing mistakes in longer words'

/** Rules about the fields of every document. */
const fields: readonly RuleNote[] = [
  error('kind', 'kind: names a kind of document'),
  mendable('unknown-field', 'a document has only fields of its kind', misspelt),
  error('required', 'every required field is there'),
  error('type', 'a value has the type of its field'),
  mendable('value', 'a value is one that its field allows', misspelt),
  mendable('format', 'a text has the format that its field requires', 'reactors of the platform without their scheme'),
  error('length', 'a text or a list is not too long or too short'),
  error('range', 'a number is not too small or too large'),
  error('search-field', 'a query names fields that can be searched'),
  error('duplicate-name', 'no two documents of a kind have the same name'),
]

/** Checks that send requests to other hosts, only with --probe. */
const addresses: readonly RuleNote[] = [
  warning(
    'probe',
    'with --probe: an address answers with the type of its resource or face, and a size that phones can load',
  ),
]

/** Warnings about folders, what a service has, and the session. */
const surroundings: readonly RuleNote[] = [
  warning(
    'stray-file',
    'a file without documents is of another tool, and nothing that came in the place of documents, as the answer of a failed download; it has at most ' +
      `${limits.searchedFile / 2 ** 20} MiB, so that it can be looked through`,
  ),
  warning('file-name', 'no file has .txt behind .yaml or .json, as some editors save it'),
  warning(
    'checkout',
    'git has left out no part of a given folder: submodules, files of a sparse checkout, or links; no submodule in it is at another commit',
  ),
  warning('catalog-name', 'no two catalogs have the same name'),
  warning('catalog-unnamed', 'a catalog that is given to `--prune` has a name, or was applied on this machine'),
  warning(
    'catalog-publisher',
    'a catalog is applied for the publisher for which this machine applied it before; not counted by `--max-warnings`',
  ),
  { ...warning('stays-published', 'no file calls a draft what is published already, which is final'), spec: '3' },
  { ...warning('face-order', 'apps show a face that is applied, not another one that fits as well'), spec: '4.5' },
  warning('unrecorded-owner', 'the service records which catalog owns what was applied'),
  warning('asset-content', 'an asset has the content that the ending of its name says'),
  warning('ledger-unwritable', '`apply` can record here what it sends; not counted by `--max-warnings`'),
  warning('session-end', 'the session does not end within a week; not counted by `--max-warnings`'),
]

/** Rules about comments that switch rules off. */
const comments: readonly RuleNote[] = [
  warning('ignore', 'a vatom-ignore comment names warnings that can be switched off'),
  warning('ignore-unused', 'a vatom-ignore comment has an effect'),
]

/** Every rule that documents are checked against. */
export const ruleNotes: readonly RuleNote[] = [
  ...reading,
  ...fields,
  ...rules,
  ...relatedNotes,
  ...catalogRules,
  ...addresses,
  ...surroundings,
  ...comments,
]

/** The comment that switches a rule off; undefined for errors, and for warnings that are at no document or about comments. */
export const switchedOffBy = (note: RuleNote): string | undefined =>
  note.severity === 'error' || surroundings.includes(note) || comments.includes(note)
    ? undefined
    : `# vatom-ignore ${note.name}`
