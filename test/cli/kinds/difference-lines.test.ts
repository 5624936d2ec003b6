import { expect, test } from 'vitest'
import { template } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

/** What a plan says of a changed description. */
async function planned(before: string, after: string) {
  const { file, json, vatom } = await publisher()
  const described = (text: string) => template().replace('title:', `description: '${text}'\n    title:`)
  file('shop/a.yaml', described(before))
  await json('apply', 'shop', '--yes')
  file('shop/a.yaml', described(after))
  const { out } = await vatom('plan', 'shop')
  return out.split('\n').filter((line) => line.includes('description'))
}

const long = 'x'.repeat(300)

test('of a long text the first and the last difference are shown', async () => {
  const [first, last, ...more] = await planned(`Aaa ${long} good.example`, `Aab ${long} evil.example`)
  expect(first).toMatch(/description: "Aaa x+… -> "Aab x+…$/)
  expect(last).toMatch(
    /description, further on: …x+ good\.example" -> …x+ evil\.example"; what differs between is shown by --json$/,
  )
  expect(more).toEqual([])
})

test('a value of the length of an address is shown as a whole, and once', async () => {
  const address = `http://127.0.0.1:4100/assets/${'3311170d-'.repeat(4)}/icon.png`
  expect(await planned('https://example.com/icon.png', address)).toEqual([
    expect.stringMatching(/description: "https:\/\/example\.com\/icon\.png" -> "http:\S+icon\.png"$/),
  ])
})

test('what is seen in one place is shown once', async () => {
  expect(await planned(`${long}a`, `${long}b`)).toEqual([expect.stringMatching(/description: …x+a" -> …x+b"$/)])
  expect(await planned('one', 'two')).toEqual([expect.stringMatching(/description: "one" -> "two"$/)])
})
