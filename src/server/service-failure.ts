import type { ServiceFailureCode } from '../contract/service-failures.ts'

/** A failure of a service as a whole; `code` is stable, `hint` says what to do. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure'

  constructor(
    readonly code: ServiceFailureCode,
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}
