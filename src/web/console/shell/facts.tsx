import type { ComponentChildren } from 'preact'

/** Short facts with their names; a name may be there several times. */
export const Facts = ({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[]
}) => (
  <dl class="facts">
    {facts.map(([name, value], index) => (
      <div key={`${index} ${name}`}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
