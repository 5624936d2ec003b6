import type { JsonSchema } from '../../../contract/derived/components.ts'
import { audienceOf } from '../service/api.ts'
import { Facts } from '../shell/facts.tsx'
import { namePage } from '../shell/page-title.ts'
import { linkTo } from '../shell/route.ts'
import type { ListedOperation, PossibleAnswer } from './reference.ts'
import { SchemaFields } from './schema-fields.tsx'
import { TryIt } from './try-it.tsx'

interface OperationPageProps {
  readonly operation: ListedOperation
  readonly root: JsonSchema
}

/** An operation: who may call it, what it takes and answers, and a form that sends it. */
export function OperationPage({ operation, root }: OperationPageProps) {
  const { id, method, path, summary, details, spec, body, answers } = operation
  namePage(id)
  return (
    <article class="page operation" aria-label={id}>
      <nav aria-label="Path" class="path-line">
        <a href={linkTo('api')}>API</a>
        <span aria-current="page">{id}</span>
      </nav>
      <div class="tools heading">
        <h2>{summary}</h2>
      </div>
      <p class="address">
        <span class="method">{method}</span> <code>{path}</code>
      </p>
      <Facts
        facts={[
          ['for', audienceOf(id)],
          ['specification', spec === undefined ? 'does not name it' : `section ${spec}`],
        ]}
      />
      <TryIt operation={operation} root={root} />
      {body && (
        <section aria-label="Body">
          <h3>Body</h3>
          <SchemaFields schema={body} root={root} />
        </section>
      )}
      <section aria-label="Answers">
        <h3>Answers</h3>
        {answers.map((answer) => (
          <AnswerDetails key={answer.status} answer={answer} root={root} />
        ))}
      </section>
      {details.length > 0 && (
        <section aria-label="Details">
          <h3>Details</h3>
          <p class="muted">What this service does where the specification does not say.</p>
          <ul class="details">
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}

const AnswerDetails = ({ answer, root }: { readonly answer: PossibleAnswer; readonly root: JsonSchema }) => {
  const { status, description, errors, schema } = answer
  return (
    <details class="fields">
      <summary>
        <span class={status === '200' ? 'status' : 'status refused'}>{status}</span>{' '}
        {errors.length > 0 ? errors.map(({ title }) => title).join('; ') : description}
      </summary>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ code, title }) => (
            <li key={title}>
              <code>{code}</code> {title}
            </li>
          ))}
        </ul>
      )}
      <SchemaFields schema={schema} root={root} />
    </details>
  )
}
