import { expect, test } from 'vitest'
import { offeringDryRuns } from '../../src/client/dry-run.ts'

test.each([
  ['true', true],
  ['offered', true],
  ['', false],
  ['false', false],
  ['a/1', false],
  [undefined, false],
])('an answer with Vatom-Dry-Run: %s offers dry runs: %s', async (value, offers) => {
  const headers: Record<string, string> = value === undefined ? {} : { 'vatom-dry-run': value }
  const { isOffered } = offeringDryRuns(async () => ({ status: 200, headers, body: '{}' }), 'local')
  expect(await isOffered()).toBe(offers)
})
