import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { gate } from './action-handler.ts'

type Found = (error: unknown, address?: string | LookupAddress[], family?: number) => void

/** Answers look-ups of names as long as the test takes, with what `addressOf` finds. Returns the names that were asked for. */
export function nameServer(addressOf: (name: string) => Promise<string>) {
  const asked: string[] = []
  const find = async (name: string) => {
    if (isIP(name)) return [{ address: name, family: isIP(name) }]
    asked.push(name)
    return [{ address: await addressOf(name), family: 4 }]
  }
  const lookup = (name: string, ...rest: [LookupOptions, Found] | [Found]) => {
    const [options, callback] = rest.length === 1 ? [{}, rest[0]] : rest
    find(name).then((found) => {
      if ('all' in options && options.all) callback(null, found)
      else callback(null, found[0]?.address, found[0]?.family)
    }, callback)
  }
  const spies = [
    vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup),
    vi.spyOn(dns.promises, 'lookup').mockImplementation(find as unknown as typeof dns.promises.lookup),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return asked
}

/** A name server that answers another machine's address for every name, as those of some providers do. */
export const answeringAll = () => nameServer(async () => '192.0.2.1')

/** A name server that answers this machine's address; for names below `silent.example` only once `answerAll` is called. */
export function silentForSome() {
  const { opened, open } = gate()
  onTestFinished(open)
  const looked = nameServer(async (name) => {
    if (name.endsWith('.silent.example')) await opened
    return '127.0.0.1'
  })
  return { looked, answerAll: open }
}
