import { type Command, Option } from 'commander'
import type { Client } from '../../../client/client.ts'
import type { Payload } from '../../../contract/api/table.ts'
import { limits } from '../../../contract/limits.ts'
import { usage } from '../../failure/failure.ts'
import { numberFrom } from '../../io/option-values.ts'
import type { Output } from '../../io/output.ts'
import { endless, ListSize } from '../../service/list-size.ts'

/** How much of the activity is shown. */
export interface ActivityOptions {
  readonly limit?: number
  readonly cursor?: string
  readonly all?: boolean
}

const usual = 100

export const addActivityOptions = (command: Command, noun: string): Command =>
  command
    .addOption(
      new Option('--limit <n>', `${noun} per page (default: ${usual}; at most ${limits.pageMax})`).argParser(
        numberFrom(1, limits.pageMax),
      ),
    )
    .option('--cursor <cursor>', 'show what is older, from the cursor of an earlier page')
    .option('--all', 'show every page')

/** What an answer says of its page: the entries, and the cursor of the next one. */
interface Page<E> {
  readonly entries: readonly E[]
  readonly cursor: string
}

/** Activity that is read page by page. */
export interface ActivityReading<E> {
  readonly ask: (paging: { readonly count: number; readonly cursor?: string }) => Promise<Page<E>>
  readonly keyOf: (entry: E) => unknown
}

/** A page of the activity, or all of it; `next` is the cursor of what is older, null if there is nothing. */
export async function readActivity<E>(
  reading: ActivityReading<E>,
  { limit = usual, cursor, all }: ActivityOptions,
): Promise<{ readonly entries: readonly E[]; readonly next: string | null }> {
  if (all && cursor !== undefined) throw usage('--all and --cursor exclude each other', 'give one of them')
  if (all) return { entries: await everyEntry(reading), next: null }
  const { ask } = reading
  const page = await ask({ count: limit, ...(cursor !== undefined && { cursor }) })
  const isFull = page.entries.length >= Math.min(limit, usual)
  const isFollowed = isFull && (await ask({ count: 1, cursor: page.cursor })).entries.length > 0
  return { entries: page.entries, next: isFollowed ? page.cursor : null }
}

/** The entries of all pages, each once. The last page has nothing new, as where a service ignores cursors, or the cursor that was sent. */
async function everyEntry<E>({ ask, keyOf }: ActivityReading<E>): Promise<E[]> {
  const found = new Map<unknown, E>()
  const size = new ListSize()
  for (let cursor: string | undefined; ; ) {
    const page = await ask({ count: limits.pageMax, ...(cursor !== undefined && { cursor }) })
    const fresh = page.entries.filter((entry) => !found.has(keyOf(entry)))
    size.add(fresh)
    for (const entry of fresh) found.set(keyOf(entry), entry)
    if (fresh.length === 0 || page.cursor === cursor) return [...found.values()]
    if (found.size > limits.listed) throw endless(`${limits.listed} records`)
    cursor = page.cursor
  }
}

/** Reads the caller's threads. */
export const threadPages = (client: Client): ActivityReading<Payload<'myThreads'>['threads'][number]> => ({
  ask: async (body) => {
    const { threads, cursor } = await client.myThreads({ body })
    return { entries: threads, cursor }
  },
  keyOf: ({ name }) => name,
})

/** When something happened: on a terminal to the minute. */
export const whenText = (instant: string, { isTTY }: Pick<Output, 'isTTY'>): string =>
  isTTY ? instant.slice(0, 16).replace('T', ' ') : instant
