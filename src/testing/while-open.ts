/** Has functions throw once a service is closed, and those that answer later reject. */
export function whileOpen(ended: AbortSignal) {
  const check = () => {
    if (ended.aborted) throw new Error('the service is closed')
  }
  return {
    now: <T extends object>(members: T): T =>
      wrapped(members, (call, self, given) => {
        check()
        return Reflect.apply(call, self, given)
      }),
    later: <T extends object>(members: T): T =>
      wrapped(members, async (call, self, given) => {
        check()
        return await Reflect.apply(call, self, given)
      }),
  }
}

type Apply = NonNullable<ProxyHandler<() => unknown>['apply']>

function wrapped<T extends object>(members: T, apply: Apply): T {
  for (const [name, member] of Object.entries(members))
    if (typeof member === 'function') Reflect.set(members, name, new Proxy(member, { apply }))
  return members
}
