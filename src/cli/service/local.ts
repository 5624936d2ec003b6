import type { Service } from '../../server/service.ts'
import type { Context } from '../context.ts'
import { Would } from '../dry-run/would.ts'
import { usage } from '../failure/failure.ts'
import { localName } from './target.ts'

/** Throws a usage error if the run uses another context than the local one. `what` is in the plural. */
export async function needLocal(what: string, { target }: Pick<Context, 'target'>): Promise<void> {
  const chosen = await target()
  if (chosen.kind === 'local') return
  const place = chosen.name === undefined ? chosen.baseUrl : `the context ${chosen.name}`
  throw usage(
    `${what} only for the service on this machine, but this command uses ${place}`,
    `add --context ${localName}`,
  )
}

/** Does work with the service of the local context, which is open for that long. */
export async function withLocal<T>(context: Context, work: (service: Service) => Promise<T>): Promise<T> {
  const { openLocal } = await import('./connect.ts')
  const service = await openLocal(context)
  try {
    return await work(context.dryRun ? withoutReset(service) : service)
  } finally {
    await service.close()
  }
}

const withoutReset = (service: Service): Service => ({
  ...service,
  reset: async () => {
    throw new Would('empty it', 'deleted')
  },
})
