export { connect, ServiceError, SessionError, UnexpectedAnswerError, UnreachableError } from '../client/library.ts'
export { CatalogError } from './catalog.ts'
export { startService } from './start-service.ts'
