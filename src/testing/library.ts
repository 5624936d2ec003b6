import * as z from 'zod/v4'

export { connect, ServiceError, SessionError, UnexpectedAnswerError, UnreachableError } from '../client/library.ts'
export { ServiceFailure } from '../server/service-failure.ts'
export { CatalogError } from './catalog.ts'
export { startService } from './start-service.ts'

// Functions that are compiled for a schema take longer to compile than a test with few requests gains by them.
z.config({ jitless: true })
