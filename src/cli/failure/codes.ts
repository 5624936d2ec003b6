import { type ErrorName, errorNames } from '../../contract/api/errors.ts'
import { isServiceFailureCode, type ServiceFailureCode } from '../../contract/service-failures.ts'
import { commandFailures } from './command-failures.ts'

type CommandFailureCode = keyof typeof commandFailures

type StatusCode = `http_${number}`
export const isStatusCode = (code: string): code is StatusCode => /^http_\d{3}$/.test(code)

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name
export type ErrorCode = SnakeCase<ErrorName>

/** Every code that a failure can have. */
export type FailureCode = CommandFailureCode | ServiceFailureCode | ErrorCode | StatusCode

/** The error catalogue's names in the form scripts see: `name_taken` for `nameTaken`. */
export const snakeCase = <Name extends ErrorName>(name: Name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>

const isCommandFailureCode = (code: string): code is CommandFailureCode => Object.hasOwn(commandFailures, code)
const isErrorCode = (code: string): code is ErrorCode => errorNames.some((name) => snakeCase(name) === code)

/** Whether a failure can have a code that was read, such as from the file of a plan. */
export const isFailureCode = (code: string): code is FailureCode =>
  isCommandFailureCode(code) || isServiceFailureCode(code) || isErrorCode(code) || isStatusCode(code)
