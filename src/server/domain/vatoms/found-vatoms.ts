import type { Found } from '../../store/search/found.ts'
import type { ByUser, Moment } from '../caller.ts'
import { eachPart, JsonParts, listParts, mapped } from '../json-text.ts'

/** The faces and actions of templates, as members of a JSON object. */
function* designParts({ store }: Moment, templates: Iterable<string>): Generator<string, void> {
  const names = [...templates]
  yield '"faces":'
  yield* eachPart(ofEach(names, store.faces.eachOfTemplate), asIs)
  yield ',"actions":'
  yield* eachPart(ofEach(names, store.actions.eachOfTemplate), asIs)
}

const asIs = (text: string): string => text

function* ofEach<T>(names: readonly string[], of: (name: string) => Iterable<T>): Generator<T, void> {
  for (const name of names) yield* of(name)
}

/** An object whose list `key` has vAtoms, with the faces and actions of their templates; no record is parsed. */
function* pageParts(
  scope: Moment,
  key: string,
  found: Iterable<readonly Found[]>,
  end: (count: number) => string,
): Generator<string, void> {
  const templates = new Set<string>()
  let count = 0
  const texts = mapped(found, (batch) => {
    count += batch.length
    for (const { template } of batch) templates.add(template)
    return batch.map(({ json }) => json)
  })
  yield `{"${key}":`
  yield* listParts(texts)
  yield ','
  yield* designParts(scope, templates)
  yield `${end(count)}}`
}

/** Given vAtoms with the faces and actions of their templates. */
export const vatomsPage = (scope: ByUser, numbers: readonly number[]): JsonParts =>
  new JsonParts(pageParts(scope, 'vatoms', scope.store.found(numbers, scope.user.id), () => ''))

/** The same as the answer to a search, which has their number. Spec 4.4. */
export const searchPage = (scope: ByUser, numbers: readonly number[]): JsonParts =>
  new JsonParts(pageParts(scope, 'results', scope.store.found(numbers, scope.user.id), (count) => `,"count":${count}`))

/** The answer to a search for a number alone. */
export const countOnly = (count: number) => ({ results: [], faces: [], actions: [], count })
