import { Option } from 'commander'
import { formats } from '../../documents/formats.ts'

export type { Format } from '../../documents/formats.ts'

export const formatOption = (): Option =>
  new Option('--format <format>', 'how to print problems').choices(formats).default('text')
