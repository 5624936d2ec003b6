import { queriedPage } from '../../domain/paging.ts'
import { sparseList } from '../../domain/sparse-list.ts'
import { templateRecord } from '../../domain/template.ts'
import type { Handler } from '../handlers.ts'

/** A page of the publisher's templates and others' public ones, in the order of their names. Spec 4. */
export const listTemplates: Handler<'listTemplates'> = ({ store, publisher }, { query }) =>
  sparseList(store.templates.page({ publisher, ...queriedPage(query) }).map(templateRecord), query?.fields)
