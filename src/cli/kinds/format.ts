import { Option } from 'commander'
import { type Format, formats } from '../../documents/report/formats.ts'
import type { Output } from '../io/output.ts'

export type { Format } from '../../documents/report/formats.ts'

export const formatOption = (): Option =>
  new Option('--format <format>', 'how to print problems').choices(formats).default('text')

/** The format in force: --json goes before --format. */
export const formatOf = (format: Format, { json }: Pick<Output, 'json'>): Format => (json ? 'json' : format)
