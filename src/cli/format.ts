import { Option } from 'commander'
import { formats } from '../documents/render.ts'

export type { Format } from '../documents/render.ts'

export const formatOption = (): Option =>
  new Option('--format <format>', 'how to print problems').choices(formats).default('text')
