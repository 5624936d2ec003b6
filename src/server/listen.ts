import type { FastifyInstance } from 'fastify'
import type { Environment } from './environment.ts'
import type { Listening, ServiceOptions } from './service.ts'

export async function listenOn(
  _environment: Environment,
  _options: ServiceOptions,
  _address: { readonly host: string; readonly port: number },
  _open: Set<FastifyInstance>,
): Promise<Listening> {
  throw new Error('not yet')
}
