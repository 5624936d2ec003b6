import { portOf } from '../../../contract/schema/parsed-url.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'

/** Notes at which port the addresses of the `local` context's assets answer. */
export async function notePort({ target, dirs, output }: Context): Promise<void> {
  if ((await target()).kind !== 'local') return
  const { localService, servingLocal } = await import('../../service/running.ts')
  const running = servingLocal(dirs)
  const port = portOf(new URL((running ?? localService).baseUrl))
  output.note(
    running
      ? styled`the addresses answer while vatom serve runs at port ${port}`
      : styled`no vatom serve runs: the addresses are those of one at port ${port}, and answer while it runs there`,
  )
}
