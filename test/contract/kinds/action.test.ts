import { describe, expect, test } from 'vitest'
import { ActionName, ActionRecord } from '../../../src/contract/kinds/action-schemas.ts'
import { limits } from '../../../src/contract/limits.ts'
import { platformReactors } from '../../../src/contract/values.ts'
import { meta } from '../../fixtures/records.ts'
import { bodies } from '../../fixtures/samples.ts'
import { type Case, cases, issuesOf, put } from '../../support/issues.ts'

const flags = ['wait', 'rollback', 'abort_on_pre_error', 'abort_on_main_error', 'abort_on_post_error', 'guest_user']
const accepted = (place: string, values: readonly unknown[]) => values.map((value): Case => [place, value, 'ok'])
const name = (value: string, outcome: string, words?: RegExp): Case =>
  words ? ['name', value, outcome, words] : ['name', value, outcome]

describe('action', () => {
  cases('4', 'action', [
    ['name', undefined, 'required', /name is required/],
    ['reactor', undefined, 'required', /reactor is required/],
    name('acme::Coupon::v1::Action::Transfer', 'ok'),
    name('acme::Coupon::Action::My Action', 'ok'),
    name('$publisher::Coupon::v1::Action::Transfer', 'ok'),
    name('acme::Action::Transfer', 'ok'),
    name(
      '$publisher::Badge::v1::Transfer',
      'action-name',
      /not the name of an action.*<template>::Action::<Name>, such as \$publisher::Badge::v1::Action::Transfer\)/,
    ),
    name('acme::Badge::v1::Action', 'action-name', /such as acme::Badge::v1::Action::Transfer\)/),
    name('Transfer', 'action-name', /such as \$publisher::Coupon::v1::Action::Transfer\)/),
    name('acme::Coupon::v1::Action::', 'action-name'),
    name('acme::Coupon::v1::Action::A::Action::B', 'action-name'),
    name('acme::Coupon::v1::Action::A::B', 'action-name'),
    name('acme::Coupon::v1::Action::A:B', 'action-name'),
    name('::Action::Transfer', 'action-name'),
    name('acme::Coupon::v1::ACTION::Transfer', 'action-name', /\(write acme::Coupon::v1::Action::Transfer\)/),
    name('acme::Coupon::v1::action::Transfer', 'action-name', /\(write acme::Coupon::v1::Action::Transfer\)/),
    name(
      'other::Coupon::v1::Action::Transfer',
      'publisher-name',
      /must begin with acme::.*write \$publisher::Coupon::v1::Act.*: it stands for acme::Coupon::v1::Act/,
    ),
    name('Transfer', 'action-name'),
    name('', 'length', /must not be empty/),
    name(`acme::Coupon::Action::${'x'.repeat(234)}`, 'ok'),
    name(`acme::Coupon::Action::${'x'.repeat(235)}`, 'length', /at most 256/),
    name('acme::Coupon::Action::a\nb', 'format', /control characters/),
    ['name', 1, 'type'],
    ...accepted('reactor', platformReactors),
    ...accepted('reactor', ['acme://stamp', 'local.vatom://a/b?c#d', 'x+y-1.z://a', 'https://acme.example/stamp']),
    ['reactor', '', 'format', /must look like blockv:\/\/v1\/Transfer/],
    ['reactor', 'Transfer', 'format'],
    ['reactor', 'blockv://', 'format'],
    ['reactor', 'blockv:///Transfer', 'format'],
    ['reactor', 'blockv:/v1/Transfer', 'format'],
    ['reactor', 'Blockv://v1/Transfer', 'format', /scheme of your own in lower case/],
    ['reactor', 'acme://two words', 'format'],
    ['reactor', '1x://a', 'format'],
    ['reactor', `acme://${'x'.repeat(250)}`, 'length'],
    ['reactor', 1, 'type'],
    ...flags.flatMap((flag): Case[] => [
      [flag, true, 'ok'],
      [flag, false, 'ok'],
      [flag, 'yes', 'type', /true or false, not the string "yes"/],
      [flag, null, 'type'],
    ]),
    ['timeout', 1, 'ok'],
    ['timeout', limits.actionTimeout, 'ok'],
    ['timeout', 0, 'range', /at least 1/],
    ['timeout', limits.actionTimeout + 1, 'range', /at most 60000/],
    ['timeout', 0.5, 'type', /a whole number/],
    ['timeout', '10000', 'type'],
    ['state_impact', [], 'ok'],
    ['state_impact', ['this.owner'], 'ok'],
    ['state_impact', 'this.owner', 'type', /must be a list/],
    ['state_impact', [1], 'type @ state_impact.0'],
    ['state_impact', Array(1001).fill('x'), 'length', /at most 1000 entries/],
    ['policy', {}, 'ok'],
    ['policy', { pre: ['acme::A::Action::X'], rule: '', post: [] }, 'ok'],
    ['policy.pre', [''], 'length @ policy.pre.0'],
    ['policy.post', [1], 'type @ policy.post.0'],
    ['policy.rule', 1, 'type'],
    ['policy.before', [], 'unknown-field', /known fields: pre, rule, post/],
    ['params', { input: ['this.id', 'new.owner.id|new.owner.email'], output: ['vAtomic::v1::Error'] }, 'ok'],
    ['params.input', 'this.id', 'type'],
    ['params.output', [2], 'type @ params.output.0'],
    ['params.inputs', [], 'unknown-field', /did you mean input/],
    ['config', {}, 'ok'],
    ['config', { auto_create_mode: 'claim' }, 'ok'],
    ['config', [], 'type'],
    ['limit_per_user', 0, 'ok'],
    ['limit_per_user', 5, 'ok'],
    ['limit_per_user', -1, 'range', /at least 0/],
    ['limit_per_user', 1.5, 'type'],
    ['action_notification', {}, 'ok'],
    ['action_notification', { on: true, msg: 'You received a vAtom', custom: {} }, 'ok'],
    ['action_notification.on', 'true', 'type'],
    ['action_notification.msg', 1, 'type'],
    ['action_notification.custom', [], 'type'],
    ['action_notification.text', 'x', 'unknown-field'],
    [
      'template',
      'acme::Coupon::v1',
      'unknown-field',
      /cannot be set here.*the name of the action begins with the template/,
    ],
    ['properties', {}, 'unknown-field', /vatom action get NAME --yaml prints the document of that/],
    ['meta', {}, 'unknown-field', /the service sets it/],
    ['reacter', 'x', 'unknown-field', /did you mean reactor/],
  ])

  const warned = (reactor: string) =>
    issuesOf('action', { ...bodies.action(), name: 'acme::Coupon::v1::Action::Do', reactor }).map(
      ({ rule, severity, path, message, hint }) => ({
        told: `${path.join()} ${severity} ${rule}`,
        words: `${message} (${hint})`,
      }),
    )
  test.each([
    ['blockv://v1/Transfr', /no.* reactor blockv:\/\/v1\/Transfr \(did you mean blockv:\/\/v1\/Transfer\?\)/],
    ['blockv://v1/transfer', /\(write blockv:\/\/v1\/Transfer\)/],
    ['blockv://v1/PickUp', /\(write blockv:\/\/v1\/Pickup\)/],
    ['blockv://Redeem', /\(write blockv:\/\/v1\/Redeem\)/],
    ['blockv://custom/privateproperty', /\(did you mean blockv:\/\/custom\/privateproperties\?\)/],
    [
      'blockv://v1/Foo',
      /\(known ones: blockv:\/\/v1\/Transfer, .*blockv:\/\/custom\/privateproperties, blockv:\/\/v1\/Open, .*Discover\)/,
    ],
    ['blokv://v1/Transfer', /\(did you mean blockv:\/\/v1\/Transfer\?\)/],
    ['blockv://v2/Transfer', /\(did you mean blockv:\/\/v1\/Transfer\?\)/],
    ['vatomic://v1/Transfer', /\(write blockv:\/\/v1\/Transfer\)/],
    ['vatomic://v1/Foo', /known ones/],
    [
      'blockv://v1/Open',
      /^only the local service \(vatom serve\) is known to carry out blockv:\/\/v1\/Open \(undefined\)$/,
    ],
    ['vatomic://v1/Open', /\(write blockv:\/\/v1\/Open\)/],
    ['blockv://v1/Ope', /\(did you mean blockv:\/\/v1\/Open\?\)/],
    ['blockv://v1/Activate', /only the local service \(vatom serve\) is known to carry out blockv:\/\/v1\/Activate/],
    ['blockv://v1/Dispense', /only the local service/],
    ['blockv://v1/Discover', /only the local service/],
  ])('a reactor %s is accepted with a warning', (reactor, words) => {
    const [warning, ...more] = warned(reactor)
    expect(more).toEqual([])
    expect(warning?.told).toBe('reactor warning action-reactor')
    expect(warning?.words).toMatch(words)
  })
  test.each([...platformReactors, 'acme://v1/Transfr', 'blockvx://v1/Foo', 'https://blockv://v1'])(
    'a reactor %s is not warned about',
    (reactor) => expect(warned(reactor)).toEqual([]),
  )
})

test('a stored action has a name, meta and a reactor', () => {
  const record = { name: 'acme::A::Action::X', meta, properties: { reactor: 'blockv://v1/Drop', more: 1 } }
  expect(ActionRecord().safeParse({ ...record, more: 1 }).success).toBe(true)
  for (const place of ['name', 'meta', 'meta.created_by', 'meta.when_modified', 'properties', 'properties.reactor'])
    expect([place, ActionRecord().safeParse(put(record, place, undefined)).success]).toEqual([place, false])
  expect(ActionName().safeParse({ name: 'x' }).success).toBe(true)
  expect(ActionName().safeParse({}).success).toBe(false)
})
