import { word } from '../schema/issues.ts'
import { at, isObject } from '../schema/path.ts'
import { didYouMean, soleSuggestion } from '../schema/suggest.ts'
import { platformScheme } from '../values.ts'
import type { Finding } from './rule.ts'

/** By which only users with a verified token may run an action, whatever carries it out. Spec 2.1. */
const activatedOnly = 'activated_users_only'
/** What is true or false in a `config`. */
const switches = [activatedOnly, 'auto_create_non_existing_recipient']
const texts = ['auto_create_landing_page', 'auto_create_mode']

/** What is kept with an action and has no effect. */
export function idleSettings(document: unknown): readonly Finding[] {
  return idle.flatMap(({ path, isSet, message }) => (isSet(at(document, ...path)) ? [{ path, message }] : []))
}

const alone = 'where vatom serve carries the action out'
const idle: readonly (Finding & { readonly isSet: (value: unknown) => boolean })[] = [
  {
    path: ['rollback'],
    isSet: (value) => value === true,
    message: 'rollback has no effect: the platform does not implement it yet',
  },
  {
    path: ['policy', 'rule'],
    isSet: (value) => typeof value === 'string' && value !== '',
    message: `policy.rule has no effect ${alone}: what pre and post name is always run`,
  },
  {
    path: ['action_notification', 'custom'],
    isSet: (value) => isObject(value) && Object.keys(value).length > 0,
    message: `action_notification.custom has no effect ${alone}: only the words are told`,
  },
]

/** Settings in a `config` that are spelt or typed as nothing reads them; what a publisher's own handler reads is its own. */
export function configKeys(document: unknown): readonly Finding[] {
  const config = at(document, 'config')
  if (!isObject(config)) return []
  const reactor = at(document, 'reactor')
  const isOwn = typeof reactor === 'string' && !reactor.startsWith(platformScheme)
  const known = isOwn ? [activatedOnly] : [...switches, ...texts]
  return Object.entries(config).flatMap(([key, value]) =>
    known.includes(key) ? noSwitch(key, value) : misspelt(key, known, config),
  )
}

function noSwitch(key: string, value: unknown): readonly Finding[] {
  if (!switches.includes(key) || typeof value === 'boolean') return []
  return [{ path: ['config', key], message: `${key} has no effect: it must be true or false, not ${word(value)}` }]
}

function misspelt(key: string, known: readonly string[], config: object): readonly Finding[] {
  const hint = didYouMean(key, known)
  if (hint === undefined) return []
  const meant = soleSuggestion(key, known)
  const isFree = meant !== undefined && !Object.hasOwn(config, meant)
  const message = `config has no setting ${word(key)} that is known`
  return [{ path: ['config', key], message, hint, ...(isFree && { fix: { key: meant } }) }]
}
