import { describe, expect, test } from 'vitest'
import { createPaint } from '../../../src/cli/io/paint.ts'
import { defined, type Line, render, screenLines, styled } from '../../../src/cli/io/text.ts'

const shown = (line: Line, columns: number, isTTY = true) => screenLines([line], { isTTY, columns }).map(render)

describe('a line on a terminal', () => {
  test.each(['+', '~', '-', '!', 'x', '>', '?'])('behind the sign %s of a plan has its text in one column', (sign) => {
    const lines = shown(`  ${sign} action local.vatom::Tea::v1 (shop/tea.yaml)`, 24)
    expect(lines).toEqual([`  ${sign} action`, '    local.vatom::Tea::v1', '    (shop/tea.yaml)'])
  })

  test('is broken between words, with the indent of its beginning', () => {
    expect(shown('one two three', 80)).toEqual(['one two three'])
    expect(shown('one two three', 8)).toEqual(['one two', 'three'])
    expect(shown('  one two three', 9)).toEqual(['  one two', '  three'])
    expect(shown('longer than that', 4)).toEqual(['longer', 'than', 'that'])
  })
  test('of several lines has each of them at a beginning', () =>
    expect(shown(styled`one two\nthree`, 6)).toEqual(['one', 'two', 'three']))
  test('has its commands whole, so that they can be copied', () =>
    expect(shown('hint: sign in: vatom login --base-url URL; then try again', 30)).toEqual([
      'hint: sign in:',
      'vatom login --base-url URL;',
      '      then try again',
    ]))
  test('has all commands that stand alone at one column, also those for which there is room', () =>
    expect(shown('hint: one of: vatom context list, or then: vatom context use NAME; to see more of it', 24)).toEqual([
      'hint: one of:',
      'vatom context list,',
      '      or then:',
      'vatom context use NAME;',
      '      to see more of it',
    ]))
  test('keeps its indent where its commands have room', () =>
    expect(shown('hint: to sign in: vatom login; to see what there is: vatom whoami', 20)).toEqual([
      'hint: to sign in:',
      '      vatom login;',
      '      to see what',
      '      there is:',
      '      vatom whoami',
    ]))
  test.each([
    ['  = hint: one two three', ['  = hint: one', '          two', '          three']],
    ['error: one two three', ['error: one two', '       three']],
    ['error[rule]: one two', ['error[rule]:', '  one two']],
    ['warning: one two three', ['warning: one two', '         three']],
  ])('%s goes on below its text', (line, lines) => expect(shown(line, 16)).toEqual(lines))
  test('is as long as it looks: colours take no room, and what is escaped does', async () => {
    const paint = await createPaint(1)
    expect(shown(styled`${paint.red('error:')} no`, 9)).toHaveLength(1)
    expect(shown('a\u0007b c', 8)).toEqual(['a\\u0007b', 'c'])
  })
  test('is left whole elsewhere', () => expect(shown('one two three', 8, false)).toEqual(['one two three']))
})

test('a term stands beside its meaning, or above it where it is too long', () => {
  expect(defined('term', 'what it means to people', 8, 30)).toEqual(['  term  what it means to', '        people'])
  expect(defined('a longer term', 'its meaning', 8, 30)).toEqual(['  a longer term', '        its meaning'])
  expect(defined('term', '', 8, 30)).toEqual(['  term'])
})
