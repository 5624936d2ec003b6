import { expect, test } from 'vitest'
import { type Transfer, transferLine } from '../../../src/cli/io/progress.ts'
import { sizeText } from '../../../src/cli/io/text.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [67_108_864, '64 MiB'],
  [3 * 2 ** 50, '3072 TiB'],
])('%i bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))

test.each<[string, Partial<Transfer>, string]>([
  ['nothing yet', { sent: 0 }, 'card.png  ░░░░░░░░░░░░░░░░░░░░  0 %  0 B of 1 MiB'],
  ['half', { sent: 524_288 }, 'card.png  ██████████░░░░░░░░░░  50 %  512 KiB of 1 MiB  2 s left'],
  ['a little', { sent: 10_240 }, 'card.png  ░░░░░░░░░░░░░░░░░░░░  0 %  10 KiB of 1 MiB  4 min left'],
  ['almost all', { sent: 1_048_575 }, 'card.png  ███████████████████░  99 %  1024 KiB of 1 MiB  1 s left'],
  ['all', { sent: 1_048_576 }, 'card.png  ████████████████████  100 %  1 MiB of 1 MiB'],
  ['an empty file', { sent: 0, total: 0 }, 'card.png  ████████████████████  100 %  0 B of 0 B'],
  ['more than there was', { sent: 2_097_152 }, 'card.png  ████████████████████  100 %  2 MiB of 1 MiB'],
  ['a strange name', { name: 'a\u001b\n', sent: 0 }, 'a\\u001b\\n  ░░░░░░░░░░░░░░░░░░░░  0 %  0 B of 1 MiB'],
])('a transfer of %s is shown', (_, transfer, line) =>
  expect(transferLine({ name: 'card.png', sent: 0, total: 1_048_576, elapsed: 2000, ...transfer }, 80)).toBe(line),
)

test.each([20, 40, 55, 60, 80])('a transfer fits %i columns, as far as its numbers do', (columns) => {
  const line = transferLine({ name: 'long'.repeat(30), sent: 524_288, total: 1_048_576, elapsed: 2000 }, columns)
  expect(line.length).toBeLessThanOrEqual(Math.max(columns, 57))
  expect(line).toContain('50 %')
})
