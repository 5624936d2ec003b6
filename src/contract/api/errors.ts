import { shortened } from '../schema/wording.ts'

/**
 * Every error the service answers, once: HTTP status, application code and title.
 * Codes 9000–9099 are ours: no public source names the codes of publisher operations.
 * Spec 7 specifies the statuses 200, 400 and 403.
 */
export const errorCatalogue = {
  appId: { status: 403, code: 2, title: 'The App-Id header is missing or names no known application' },
  unauthorized: { status: 403, code: 401, title: 'Not Authorized: the access token is missing, malformed or expired' },
  refreshToken: { status: 403, code: 2049, title: 'Invalid refresh token' },
  unknownUser: { status: 403, code: 2030, title: 'No user has this token' },
  loginFailed: { status: 403, code: 2032, title: 'Login failed' },
  loginLocked: { status: 403, code: 2051, title: 'Too many failed logins' },
  invalid: { status: 400, code: 516, title: 'The request is not valid' },
  invalidDate: { status: 400, code: 527, title: 'A date is not valid' },
  unknownTokenType: { status: 400, code: 2569, title: 'Unknown token type' },
  invalidEmail: { status: 400, code: 2571, title: 'Not an e-mail address' },
  invalidPhone: { status: 400, code: 2572, title: 'Not a phone number' },
  avatarRefused: { status: 400, code: 2037, title: 'The avatar cannot be accepted' },
  noUserToken: { status: 400, code: 2552, title: 'The user has no token that a message can be sent to' },
  unknownUserToken: { status: 404, code: 2553, title: 'The user has no token with this id' },
  defaultToken: { status: 400, code: 2562, title: 'The default user token cannot be deleted' },
  tokenConfirmed: { status: 400, code: 2566, title: 'The user token is already confirmed' },
  wrongCode: { status: 400, code: 2567, title: 'The verification code is wrong' },
  tokenTaken: { status: 409, code: 521, title: 'The user token is already in use' },
  unknownPath: { status: 404, code: 9000, title: 'No such operation' },
  wrongMethod: { status: 400, code: 9021, title: 'The path has no operation with this method' },
  notOffered: { status: 501, code: 9019, title: 'The operation is known, and this service does not offer it' },
  notPublisher: { status: 403, code: 9001, title: 'The user is not an administrator of a publisher' },
  foreignRecord: { status: 403, code: 9002, title: 'The record belongs to another publisher' },
  foreignName: { status: 400, code: 9003, title: "The name does not begin with the publisher's domain name" },
  nameTaken: { status: 400, code: 9004, title: 'The name is taken' },
  published: { status: 400, code: 9005, title: 'A published record cannot be changed or deleted' },
  missingReference: { status: 400, code: 9006, title: 'The body names something that does not exist' },
  notFound: { status: 404, code: 9007, title: 'No such record' },
  draftLimit: { status: 400, code: 9008, title: 'Too many vAtoms of a draft variation' },
  templateDraft: { status: 400, code: 9010, title: 'The template is still a draft' },
  overlay: { status: 400, code: 9011, title: 'The variation overwrites a value that it may not overwrite' },
  passwordNeeded: {
    status: 400,
    code: 9012,
    title: 'The password cannot be removed: a token of the user signs in with it',
  },
  tooLarge: { status: 413, code: 9013, title: 'The request is too large' },
  hostRefused: { status: 403, code: 9014, title: 'The service does not accept this Host header' },
  otherMachine: { status: 403, code: 9022, title: 'Only requests from this machine are answered' },
  originRefused: { status: 403, code: 9023, title: 'Pages of this origin may not connect' },
  notTemporary: { status: 403, code: 9024, title: 'Only the data of a temporary service is replaced by a request' },
  assumedOff: { status: 501, code: 9015, title: 'The specification does not name this operation' },
  rateLimited: { status: 429, code: 429, title: 'Too many requests' },
  chargesUncovered: { status: 400, code: 9018, title: 'The balance does not cover the chain writes' },
  publisherNeeded: {
    status: 400,
    code: 9020,
    title: 'The publisher that the service was started with cannot be deleted',
  },
  publisherMissing: {
    status: 503,
    code: 9053,
    title: 'The publisher that the service was started with is not in its data',
  },
  unhandledAction: { status: 400, code: 13, title: 'The vAtom has no such action' },
  vatomUnavailable: { status: 400, code: 1708, title: 'The vAtom is not available for this action' },
  alreadyOwned: { status: 400, code: 1605, title: 'The user already owns the vAtom' },
  unknownRecipient: { status: 400, code: 1702, title: 'The recipient is not a user' },
  cloneLimit: { status: 400, code: 1627, title: 'The maximum number of clones is reached' },
  cloneToOneself: { status: 400, code: 1639, title: 'A clone must go to another user' },
  notRedeemable: { status: 400, code: 1630, title: 'The vAtom cannot be redeemed' },
  notMerchant: { status: 400, code: 1631, title: 'Only a merchant can redeem the vAtoms of others' },
  redeemPeriod: { status: 400, code: 1632, title: 'The vAtom cannot be redeemed at this time' },
  alreadyDropped: { status: 400, code: 1644, title: 'The vAtom is already dropped' },
  notDropped: { status: 400, code: 1645, title: 'The vAtom is not dropped, or was already picked up' },
  folderEmpty: { status: 400, code: 1656, title: 'The folder is empty' },
  guestRefused: { status: 403, code: 1006, title: 'Guests cannot run this action' },
  notActivated: { status: 403, code: 1015, title: 'The user must verify a user token first' },
  actionLimit: { status: 400, code: 9040, title: 'The user has reached the limit of runs of this action' },
  handlerRefused: { status: 400, code: 9041, title: 'The action handler refused' },
  handlerFailed: { status: 502, code: 9042, title: 'The action handler failed' },
  vatomChanged: { status: 409, code: 9043, title: 'The vAtom was changed meanwhile' },
  reactorTimeout: { status: 504, code: 1508, title: 'The action handler took too long' },
  unknownVatom: { status: 404, code: 1701, title: 'No such vAtom' },
  foreignVatom: { status: 403, code: 1604, title: 'The vAtom is not yours' },
  foreignThread: { status: 403, code: 9044, title: 'The thread is not yours' },
  dryRunRefused: { status: 400, code: 9045, title: 'No dry run can predict the answer to this request' },
  dryRunLost: { status: 409, code: 9046, title: 'The service no longer stores the earlier requests of this dry run' },
  dryRunFull: { status: 400, code: 9047, title: 'The dry run has too many changes to predict more' },
  replaced: { status: 409, code: 9048, title: 'All data of the service was replaced during the request' },
  dataChanged: { status: 409, code: 9052, title: 'The data of the service has changed meanwhile' },
  otherCatalog: { status: 409, code: 9050, title: 'The record belongs to another catalog' },
  moreVatoms: { status: 409, code: 9051, title: 'More vAtoms would be deleted' },
  busy: { status: 503, code: 9016, title: 'The database is busy' },
  closing: { status: 503, code: 9049, title: 'The service is closing' },
  storage: { status: 503, code: 9017, title: 'The database cannot be read or written' },
  outdated: {
    status: 503,
    code: 9054,
    title: 'Another version of vatom has replaced the one that runs: start it again',
  },
  internal: { status: 500, code: 11, title: 'Internal error' },
} as const satisfies Record<string, { status: number; code: number; title: string }>

export type ErrorName = keyof typeof errorCatalogue
export const errorNames = Object.keys(errorCatalogue) as [ErrorName, ...ErrorName[]]

/** A place in a request body and what is wrong there; `path` as `vatom.vAtom::vAtomType.states[0].name`. */
export interface WireIssue {
  readonly path: string
  readonly message: string
}

/** Characters of a message, whatever of a request it repeats. */
const longestMessage = 2000
const bounded = (text: string) => shortened(text, longestMessage)

/** An expected failure of an operation; the service answers it as {request_id, error, message[, issues]}. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: number
  readonly issues: readonly WireIssue[]

  constructor(
    readonly kind: ErrorName,
    message: string = errorCatalogue[kind].title,
    issues: readonly WireIssue[] = [],
  ) {
    super(bounded(message))
    this.issues = issues.map((issue) => ({ path: bounded(issue.path), message: bounded(issue.message) }))
    this.status = errorCatalogue[kind].status
    this.code = errorCatalogue[kind].code
  }
}

/** An error of one place in a request body, which its message is about. */
export const errorAt = (path: string, kind: ErrorName, message: string): ApiError =>
  new ApiError(kind, message, [{ path, message }])

const known = Object.keys(errorCatalogue) as ErrorName[]

/**
 * The catalogue's name for an answered error: by its application code, else by what the row declares for the status.
 * Undefined for a status that nothing declares.
 */
export function errorNamed(
  status: number,
  code: number | undefined,
  declared: readonly ErrorName[],
): ErrorName | undefined {
  const isMeant = (name: ErrorName) => errorCatalogue[name].code === code && errorCatalogue[name].status === status
  return (
    declared.find(isMeant) ?? known.find(isMeant) ?? declared.find((name) => errorCatalogue[name].status === status)
  )
}
