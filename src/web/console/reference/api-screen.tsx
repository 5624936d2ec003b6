import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { plural } from '../../../contract/schema/wording.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { FilterBox } from '../shell/filter-box.tsx'
import { Loaded, useLoading } from '../shell/loaded.tsx'
import { Empty } from '../shell/problem.tsx'
import { linkTo, route } from '../shell/route.ts'
import { OperationPage } from './operation-page.tsx'
import { documentPath, type ListedOperation, loadReference, type Reference } from './reference.ts'

/** The operations of the service by resource, and one of them. */
export function ApiScreen() {
  const loading = useLoading(loadReference)
  return <Loaded loading={loading}>{(reference) => <Shown reference={reference} />}</Loaded>
}

function Shown({ reference: { operations, root } }: { readonly reference: Reference }) {
  const [, name] = route.value.words
  const chosen = operations.find(({ id }) => id === name)
  const pageSide = useRef<HTMLDivElement>(null)
  useEffect(() => {
    pageSide.current?.scrollTo(0, 0)
    // Tab goes on in the operation, and not through all that follow in the list.
    if (name !== undefined && document.activeElement?.closest('.operations')) pageSide.current?.focus()
  }, [name])
  return (
    <div class={chosen ? 'reference open' : 'reference'}>
      <OperationList operations={operations} chosen={chosen} />
      <div class="page-side" ref={pageSide} tabIndex={-1}>
        {chosen ? <OperationPage key={chosen.id} operation={chosen} root={root} /> : <Introduction />}
      </div>
    </div>
  )
}

interface ListProps {
  readonly operations: readonly ListedOperation[]
  readonly chosen: ListedOperation | undefined
}

function OperationList({ operations, chosen }: ListProps) {
  const filter = useSignal('')
  const list = useRef<HTMLElement>(null)
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [chosen])
  const words = filter.value.toLowerCase().split(/\s+/)
  const shown = operations.filter((one) => words.every((word) => textOf(one).includes(word)))
  const resources = [...new Set(shown.map(({ resource }) => resource))]
  return (
    <nav class="operations" aria-label="Operations" ref={list}>
      <h2>API</h2>
      <FilterBox
        label="Filter: name, path or what it does"
        value={filter.value}
        set={(text) => {
          filter.value = text
        }}
      />
      <p class="count" role="status">
        {plural(shown.length, 'operation')}
      </p>
      {resources.map((resource) => (
        <section key={resource} aria-label={resource}>
          <h3>{resource}</h3>
          <ul>
            {shown
              .filter((one) => one.resource === resource)
              .map(({ id, method, summary }) => (
                <li key={id}>
                  <a href={linkTo('api', id)} aria-current={chosen?.id === id ? 'page' : undefined}>
                    <span class="method">{method}</span> {summary}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

const textOf = ({ id, method, path, summary }: ListedOperation) => `${id} ${method} ${path} ${summary}`.toLowerCase()

const Introduction = () => (
  <Empty title="The API of this service">
    <p>Choose an operation: it shows what it takes and answers, and sends it as a user of your choice.</p>
    <p>For other tools, the same as an OpenAPI document:</p>
    <pre>{documentAddress()}</pre>
    <div class="tools">
      <CopyButton label="Copy the address" text={documentAddress} />
      <a href={documentPath} download="openapi.json">
        Download it
      </a>
    </div>
  </Empty>
)

const documentAddress = () => `${location.origin}${documentPath}`
