import { pageOf } from '../../http/paging.ts'
import { select, selection } from '../../http/selection.ts'
import { templateText } from '../../records/template.ts'
import type { Handler } from '../handlers.ts'

/** A page of the publisher's templates and others' public ones, in the order of their names. Spec 4. */
export const listTemplates: Handler<'listTemplates'> = ({ store, publisher }, { query }) => {
  const fields = selection(query?.fields ?? 'name')
  const { limit, offset } = pageOf(whole(query?.limit), whole(query?.page))
  return store.templates.page({ publisher, limit, offset }).map((row) => select(JSON.parse(templateText(row)), fields))
}

const whole = (text: string | undefined) => (text === undefined ? undefined : Number(text))
