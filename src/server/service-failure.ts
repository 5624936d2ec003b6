/** Reasons why a service cannot be opened, listen, or be copied or restored. */
export type FailureCode =
  | 'email_taken'
  | 'email_invalid'
  | 'publisher_invalid'
  | 'port_taken'
  | 'address_unusable'
  | 'default_password_exposed'
  | 'snapshot_unknown'
  | 'snapshot_exists'
  | 'snapshot_unusable'

/** A failure of a service as a whole; `code` is stable, `hint` says what to do. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure'

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}
