import { textOf } from '../kinds/minimal.ts'
import { carriedOutBy, standardAction } from '../kinds/standard-actions.ts'
import { mostUnknown } from '../schema/issues.ts'
import { at, isObject } from '../schema/path.ts'
import { addressHint, certainMeaning, didYouMean } from '../schema/suggest.ts'
import { describe, plural, word } from '../schema/wording.ts'
import {
  actionInfix,
  activatedOnly,
  knownReactors,
  localReactors,
  oldPlatformScheme,
  platformReactors,
  platformScheme,
  reactorMeant,
} from '../values.ts'
import { type Finding, nothing, type Rule } from './rule.ts'

const ofActions = { spec: '4', kinds: ['action'] } as const

const isOneOf = (names: readonly string[], name: string) => names.includes(name)

/** Settings of a `config` that the platform's reactors read, as JSON Schemas. */
export const actionSettings: Readonly<Record<string, { readonly type: string; readonly description: string }>> = {
  [activatedOnly]: { type: 'boolean', description: 'Only users with a verified token may run the action.' },
  auto_create_non_existing_recipient: {
    type: 'boolean',
    description: 'A recipient who is not a user becomes a guest.',
  },
  auto_create_landing_page: {
    type: 'string',
    description: 'Stored for the platform: it has no effect in vatom serve.',
  },
  auto_create_mode: {
    type: 'string',
    description: 'Stored for the platform, such as claim: it has no effect in vatom serve.',
  },
}

/** Milliseconds that hardly any action is meant to be shorter than. */
const usualTimeout = 100

/** Settings that are stored with an action and have no effect. */
const idle: readonly (Finding & { readonly isSet: (value: unknown) => boolean })[] = [
  {
    path: ['rollback'],
    isSet: (value) => value === true,
    message: 'rollback has no effect: the platform does not implement it yet',
  },
  {
    path: ['policy', 'rule'],
    isSet: (value) => typeof value === 'string' && value !== '',
    message: 'policy.rule has no effect in vatom serve: the actions of pre and post always run',
  },
  {
    path: ['action_notification', 'custom'],
    isSet: (value) => isObject(value) && Object.keys(value).length > 0,
    message: 'action_notification.custom has no effect in vatom serve: only the text is sent',
  },
]

function noSwitch(key: string, value: unknown): readonly Finding[] {
  if (actionSettings[key]?.type !== 'boolean' || typeof value === 'boolean') return []
  const meant =
    value === 'true' || value === 'false' ? { hint: `write ${value}`, fix: { value: value === 'true' } } : {}
  return [
    {
      path: ['config', key],
      message: `${key} has no effect: it must be true or false, not ${describe(value)}`,
      ...meant,
    },
  ]
}

function misspelt(key: string, known: readonly string[], config: object): readonly Finding[] {
  const hint = didYouMean(key, known)
  if (hint === undefined) return []
  const meant = certainMeaning(key, known)
  const isFree = meant !== undefined && !Object.hasOwn(config, meant)
  const message = `${word(key)} is not a known setting of config`
  return [{ path: ['config', key], part: 'key', message, hint, ...(isFree && { fix: { key: meant } }) }]
}

/** How an action may be named that has no name of one: of the template in it, if it begins with one. */
function exampleOf(name: string): string {
  const { template = '$publisher::Coupon::v1', action = 'Transfer' } =
    /^(?<template>[^:]+::[^:]+::v\d+)(?:::(?:Action|(?<action>[^:]+)))?$/.exec(name)?.groups ?? {}
  return `${template}${actionInfix}${action}`
}

/** Rules of actions, in the order they are reported. */
export const actionRules: readonly Rule[] = [
  {
    name: 'action-name',
    ...ofActions,
    severity: 'error',
    summary: 'an action is named <template>::Action::<Name>',
    fixes: '::Action:: in another case',
    check(document) {
      const name = at(document, 'name')
      if (typeof name !== 'string') return nothing
      const [template, action, ...rest] = name.split(actionInfix)
      if (template && action && rest.length === 0 && !action.includes(':')) return nothing
      const meant = name.replace(/::action::/i, actionInfix)
      const hint =
        meant === name ? `write <template>${actionInfix}<Name>, such as ${exampleOf(name)}` : `write ${meant}`
      const fix = meant !== name && { fix: { value: meant } }
      return [{ path: ['name'], message: `${name} is not the name of an action`, hint, ...fix }]
    },
  },
  {
    name: 'action-reactor',
    ...ofActions,
    severity: 'warning',
    summary: 'a blockv:// reactor is one the platform has',
    fixes: 'another case, the old scheme, a missing version',
    check(document) {
      const reactor = at(document, 'reactor')
      if (typeof reactor !== 'string') return nothing
      if (isOneOf(platformReactors, reactor)) return nothing
      if (isOneOf(localReactors, reactor))
        return [{ path: ['reactor'], message: `only the local service (vatom serve) is known to carry out ${reactor}` }]
      const message = `the platform is not known to have a reactor ${reactor}`
      const meant = reactorMeant(reactor)
      if (meant !== undefined) return [{ path: ['reactor'], message, hint: `write ${meant}`, fix: { value: meant } }]
      const renamed = reactor.replace(oldPlatformScheme, platformScheme)
      if (!renamed.startsWith(platformScheme)) {
        // A scheme of the publisher's own, unless all of it is nearly the name of a reactor.
        const near = certainMeaning(reactor, knownReactors)
        return near === undefined ? nothing : [{ path: ['reactor'], message, hint: `did you mean ${near}?` }]
      }
      return [{ path: ['reactor'], message, hint: addressHint(renamed, knownReactors) }]
    },
  },
  {
    name: 'standard-action',
    ...ofActions,
    severity: 'warning',
    summary: 'an action with the name of a standard action does not have the reactor of another one',
    check(document) {
      const [, called] = textOf(at(document, 'name')).split(actionInfix)
      const named = standardAction(called ?? '')
      const actual = carriedOutBy(at(document, 'reactor'))
      if (!named || !actual || named === actual) return nothing
      const message = `this action has the name of the standard action ${named.name}, and its reactor carries out ${actual.name}`
      return [{ path: ['name'], message, hint: `name it ${actual.name}, or write reactor: ${named.reactor}` }]
    },
  },
  {
    name: 'action-config',
    ...ofActions,
    severity: 'warning',
    summary: "config is spelt as the platform's reactors read it",
    fixes: 'misspelt names, quoted true and false',
    check(document) {
      const config = at(document, 'config')
      if (!isObject(config)) return []
      const reactor = at(document, 'reactor')
      // What else a publisher's own handler reads is not known.
      const isOwn = typeof reactor === 'string' && !reactor.startsWith(platformScheme)
      const known = isOwn ? [activatedOnly] : Object.keys(actionSettings)
      const keys = Object.keys(config)
      const unknown = keys.filter((key) => !known.includes(key))
      return keys.flatMap((key) => {
        if (known.includes(key)) return noSwitch(key, config[key])
        return unknown.length > mostUnknown ? [] : misspelt(key, known, config)
      })
    },
  },
  {
    name: 'action-ignored',
    ...ofActions,
    severity: 'warning',
    summary: 'rollback, policy.rule and action_notification.custom are left out: they have no effect',
    check(document) {
      return idle.flatMap(({ path, isSet, message }) => (isSet(at(document, ...path)) ? [{ path, message }] : []))
    },
  },
  {
    name: 'action-timeout',
    ...ofActions,
    severity: 'warning',
    summary: `a timeout is ${usualTimeout} milliseconds or more: shorter ones are seconds by mistake`,
    check(document) {
      const timeout = at(document, 'timeout')
      if (typeof timeout !== 'number' || !Number.isInteger(timeout) || timeout < 1 || timeout >= usualTimeout)
        return nothing
      const message = `timeout is in milliseconds: most actions take longer than ${timeout}`
      return [{ path: ['timeout'], message, hint: `for ${plural(timeout, 'second')} write ${timeout * 1000}` }]
    },
  },
]
