import { nameOf, people, usePeople } from '../service/people.ts'

interface WhoSeesProps {
  readonly label: string
  readonly user: string
  readonly choose: (id: string) => void
}

/** Chooses the user who looks and acts. */
export function WhoSees({ label, user, choose }: WhoSeesProps) {
  usePeople()
  return (
    <label class="check">
      {label}
      <select value={user} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {!people.value?.some((person) => person.id === user) && <option value={user}>{nameOf(user)}</option>}
        {people.value?.map((person) => (
          <option key={person.id} value={person.id}>
            {nameOf(person.id)}
          </option>
        ))}
      </select>
    </label>
  )
}
