import { limits } from '../../contract/limits.ts'
import type { Page } from '../store/table.ts'

/** 100 records by default; 0 and above 1000 mean 1000; pages 0 and 1 are the first. Spec 8. */
export function pageOf(limit: number = limits.page, page = 1): Page {
  const size = limit === 0 ? limits.pageMax : Math.min(limit, limits.pageMax)
  return { limit: size, offset: Math.min((Math.max(page, 1) - 1) * size, Number.MAX_SAFE_INTEGER) }
}

interface PageQuery {
  readonly limit?: string | undefined
  readonly page?: string | undefined
}

/** The page that a query string asks for. */
export const queriedPage = ({ limit, page }: PageQuery = {}): Page => pageOf(queriedNumber(limit), queriedNumber(page))

/** A whole number of a query string. */
export const queriedNumber = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)
