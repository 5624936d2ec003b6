import { expect, test } from 'vitest'
import { type Warning, warningsIn } from '../../../src/contract/api/warnings.ts'
import { Notices } from '../../../src/server/request/notices.ts'
import { atOnce, type Steps } from '../../../src/server/store/slices.ts'
import { openStore } from '../../../src/server/store/store.ts'

const one = (message: string): Warning => ({ code: 'no-effect', path: '', message })

test.each([0, 3, 1000])(
  'of a write in steps that begins again after %i warnings, only those of its last attempt are said and counted',
  async (before) => {
    const store = await openStore(':memory:')
    const notices = new Notices()
    const warn = (count: number, text: string) => {
      for (let index = 0; index < count; index++) notices.warn(one(`${text} ${index}`))
    }
    warn(before, 'before')
    const attempts = ['given up', 'last']
    const inTwoAttempts = notices.ofLastAttempt(async (_rows, work) => {
      atOnce(work(store))
      return atOnce(work(store))
    })
    await inTwoAttempts(1, function* (): Steps<void> {
      warn(60, attempts.shift() ?? '')
      yield
    })
    await store.close()
    const header = notices.headers()['vatom-warning'] ?? ''
    const warnings = warningsIn(header)
    expect(warnings[0]?.message).toBe(before === 0 ? 'last 0' : 'before 0')
    expect(warnings.at(-1)?.message).toBe(`and ${before + 61 - warnings.length} more`)
    expect(header).not.toContain('given up')
  },
)
