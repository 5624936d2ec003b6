import type { Contents, HeldData } from '../../contract/api/snapshot.ts'
import { copyOfFile } from '../../contract/lasting-data.ts'
import type { Snapshots } from '../../server/snapshots/snapshots.ts'
import type { Context } from '../context.ts'
import { Would } from '../dry-run/would.ts'
import { usage } from '../failure/failure.ts'

/** The data of the service that a run uses, as a whole: of the local context, or of the temporary service of `serve`. */
export interface OwnData {
  /** As messages name the service. */
  readonly place: string
  contents(): Promise<HeldData>
  /** The copies of its database that upgrades made. */
  upgradeCopies(): Promise<readonly string[]>
  /** Deletes all data and those copies, and answers how much. Throws `dataChanged` if the data is not of the expected version. */
  reset(expected?: string): Promise<Contents>
  snapshots(): Promise<Snapshots>
}

/**
 * Does work with all data of the service that the run uses. Throws a usage error for a service whose data is not to be
 * replaced as a whole; `what` needs that, in the plural.
 */
export async function withOwnData<T>(what: string, context: Context, work: (data: OwnData) => Promise<T>): Promise<T> {
  const local = (await context.service()).kind === 'local'
  const { data, close } = local ? await dataOfLocal(context) : await dataOfTemporary(what, context)
  try {
    return await work(context.dryRun ? withoutReset(data) : data)
  } finally {
    await close()
  }
}

async function dataOfLocal(context: Context) {
  const [{ openLocal }, { snapshotFolder }] = await Promise.all([import('./connect.ts'), import('../dirs.ts')])
  const service = await openLocal(context)
  const data: OwnData = {
    place: 'the local context',
    contents: async () => service.contents(),
    upgradeCopies: service.upgradeCopies,
    reset: service.reset,
    snapshots: () => service.snapshots(snapshotFolder(context.dirs)),
  }
  return { data, close: service.close }
}

async function dataOfTemporary(what: string, context: Context) {
  const { raw, place } = await context.connect()
  const { natureOf, temporaryData } = await import('./temporary.ts')
  const nature = await natureOf(raw)
  if (nature === 'temporary')
    return { data: temporaryData(raw, `the temporary service ${place}`), close: async () => {} }
  throw usage(
    `${what} only for the data of the local context, or of a temporary service of vatom serve --memory or vatom serve -- COMMAND, but this command uses ${place}; nothing was done`,
    (await servesLocal(context)) ? `${place} serves the data of the local context: add --context local` : hints[nature],
  )
}

/** What to do where the data is not to be replaced as a whole. */
const hints = {
  lasting: `where it is a vatom serve --db FILE, ${copyOfFile}; to see which service a command uses: vatom whoami`,
  another: 'see which service a command uses: vatom whoami',
}

/** Whether the service that the run uses is a `vatom serve` of the local context's data. */
async function servesLocal({ target, dirs }: Context): Promise<boolean> {
  const chosen = await target()
  const { servings } = await import('./running.ts')
  return chosen.kind === 'network' && servings(dirs).some(({ baseUrl }) => baseUrl === chosen.baseUrl)
}

const withoutReset = (data: OwnData): OwnData => ({
  ...data,
  reset: async () => {
    throw new Would('empty it', 'deleted')
  },
})
