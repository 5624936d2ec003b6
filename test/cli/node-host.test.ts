import { expect, onTestFinished, test, vi } from 'vitest'
import { processHost } from '../../src/cli/node-host.ts'
import { Capture } from '../support/streams.ts'

const streams = vi.hoisted(() => ({ standardError: vi.fn(), standardOutput: vi.fn() }))
vi.mock('../../src/cli/io/standard-streams.ts', () => streams)

/** What a process says that is interrupted twice, which ends it. */
function saidAtSecond(between: (host: ReturnType<typeof processHost>) => void): string {
  const stderr = new Capture()
  streams.standardError.mockReturnValue(stderr)
  const others = process.listeners('SIGINT')
  const host = processHost(undefined, undefined)
  const [interrupt] = process.listeners('SIGINT').filter((one) => !others.includes(one))
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`)
  })
  onTestFinished(() => {
    exit.mockRestore()
    if (interrupt) process.off('SIGINT', interrupt)
  })
  interrupt?.('SIGINT')
  between(host)
  expect(() => interrupt?.('SIGINT')).toThrow('exit 130')
  return stderr.text
}

test('a second Ctrl-C says that something may have been done', () =>
  expect(saidAtSecond(() => {})).toContain('that may have been done'))

test('a second Ctrl-C after all was reported ends the process without another word', () =>
  expect(saidAtSecond((host) => host.reported())).toBe(''))
