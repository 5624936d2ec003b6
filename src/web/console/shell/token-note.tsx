import { limits } from '../../../contract/limits.ts'
import { nameOf, usePeople } from '../service/people.ts'

/** Whom a command to copy acts as, and that it is to be kept from others meanwhile. */
export function TokenNote({ user }: { readonly user: string }) {
  usePeople()
  return (
    <p class="muted">
      What is copied acts as {nameOf(user)}: it has an access token of theirs, valid for{' '}
      {limits.accessTokenSeconds / 60} minutes. Until then, whoever has it can act as they do.
    </p>
  )
}
