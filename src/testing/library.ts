export { connect, ServiceError, SessionError, UnexpectedAnswerError, UnreachableError } from '../client/library.ts'
export { ServiceFailure } from '../server/service-failure.ts'
export { CatalogError } from './catalog.ts'
export { startService } from './start-service.ts'
