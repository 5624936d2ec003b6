import { describe } from 'vitest'
import { cases } from '../../support/issues.ts'

describe('emit', () => {
  cases('4', 'emission', [
    ['num', 1, 'ok'],
    ['num', 10_000, 'ok'],
    ['num', 0, 'range', /at least 1/],
    ['num', 10_001, 'range', /at most 10000/],
    ['num', -1, 'range'],
    ['num', 1.5, 'type', /a whole number, not 1.5/],
    ['num', '1', 'type'],
    ['num', undefined, 'required'],
    ['template_variation', undefined, 'required'],
    ['template_variation', '', 'length'],
    ['count', 1, 'unknown-field'],
  ])
})
