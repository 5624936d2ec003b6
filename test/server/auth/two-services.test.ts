import { expect, test, vi } from 'vitest'
import { Turns } from '../../../src/server/store/turns.ts'
import { gate } from '../../support/action-handler.ts'
import { newDatabase } from '../../support/folders.ts'
import { testService } from '../../support/service.ts'

/** Has the next password be checked, which ends only once it is let go. */
function slowCheck() {
  const [begun, go] = [gate(), gate()]
  const { take } = Turns.prototype
  const spy = vi.spyOn(Turns.prototype, 'take').mockImplementation(async function (this: Turns, ...given) {
    const [, waiter] = given
    const found = await take.apply(this, given)
    if (!waiter?.line?.includes('sign in')) return found
    spy.mockRestore()
    begun.open()
    await go.opened
    return found
  })
  return { begun: begun.opened, go: go.open }
}

const bob = ['bob@example.com', 'secret'] as const
const seeded = ['publisher@local.vatom', 'vatom-local'] as const
const eachAccount = test.each([
  ['a user', bob],
  ['the seeded publisher', seeded],
] as const)

/** Two services on one database, in which is a user, and a login for an address at each. */
async function twoServices(address: string) {
  const db = newDatabase()
  const services = [await testService({ db }), await testService({ db })] as const
  await services[0].register(bob[0])
  const logins = services.map(
    ({ send }) =>
      (password: string) =>
        send('POST', '/v1/user/login', { body: { token: address, token_type: 'email', auth_data: { password } } }),
  )
  const [here, there] = logins
  if (!here || !there) throw new Error('two services')
  return { here, there }
}

eachAccount(
  'of many wrong passwords at once for %s, two services on one database check five, as one does',
  async (_, account) => {
    const [address, right] = account
    const { here, there } = await twoServices(address)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? here : there)(`wrong ${index}`)),
    )
    const codes = answers.map(({ body }) => body.error)
    expect(codes.filter((code) => code === 2032)).toHaveLength(5)
    expect(codes.filter((code) => code === 2051)).toHaveLength(25)
    for (const login of [here, there]) expect((await login(right)).body.error).toBe(2051)
  },
)

eachAccount(
  'a right password of %s that is being checked while another service locks the account is refused',
  async (_, account) => {
    const [address, password] = account
    const { here, there } = await twoServices(address)
    const check = slowCheck()
    const right = there(password)
    await check.begun
    for (let index = 0; index < 5; index++) expect((await here(`wrong ${index}`)).body.error).toBe(2032)
    check.go()
    const answer = await right
    expect(answer).toMatchObject({ status: 403, body: { error: 2051 } })
    expect(answer.text).not.toContain('access_token')
  },
)

eachAccount('a login of %s at one service clears what another one counted', async (_, [address, right]) => {
  const { here, there } = await twoServices(address)
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 4; index++) expect((await here(`wrong ${index}`)).body.error).toBe(2032)
    expect((await there(right)).status).toBe(200)
  }
})
