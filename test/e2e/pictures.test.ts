import { decode } from 'sixel'
import { expect, test } from 'vitest'
import { png } from '../fixtures/files.ts'
import { face, template, variation } from '../fixtures/yaml.ts'
import { newMachine } from '../support/binary.ts'
import { browserPath } from '../support/browser-path.ts'
import { writeFiles } from '../support/folders.ts'
import { serverOf } from '../support/servers.ts'
import { hasTerminal, inBackground, onTerminal } from '../support/terminal.ts'

const [esc, bell] = ['\u001b', '\u0007']
/** What every terminal is asked last, and what terminals answer. */
const asked = `${esc}[c`
const answers = {
  kitty: `${esc}_Gi=31;OK${esc}\\${esc}P>|kitty(0.40.0)${esc}\\${esc}[6;20;10t${esc}[?62;c`,
  iterm2: `${esc}P>|iTerm2 3.5.0${esc}\\${esc}[6;20;10t${esc}[?62;4c`,
  sixel: `${esc}[6;20;10t${esc}[?62;4;22c`,
  none: `${esc}[?62;22c`,
}

/** A machine with a catalog whose icon is a PNG that can be loaded. */
async function withCatalog() {
  const { url } = await serverOf((_, response) => response.writeHead(200, { 'content-length': png.length }).end(png))
  const machine = newMachine()
  writeFiles(machine.home, {
    'shop/coupon.yaml': template().replace('https://example.com/card.png', `${url}/icon.png`),
    'shop/coupon.variation.yaml': variation(),
    'shop/coupon.faces.yaml': face(),
  })
  return machine
}

/** The pieces of pictures in kitty's protocol, put together. */
function kittyPictures(shown: string): Buffer[] {
  const pieces = shown.split(`${esc}_G`).slice(1)
  const pictures: string[] = []
  for (const piece of pieces.map((one) => one.slice(0, one.indexOf(esc)))) {
    const [settings = '', data = ''] = piece.split(';')
    if (/a=q/.test(settings)) continue
    if (/a=T/.test(settings)) pictures.push('')
    expect(data.length).toBeLessThanOrEqual(4096)
    pictures.push(`${pictures.pop()}${data}`)
  }
  return pictures.map((text) => Buffer.from(text, 'base64'))
}

/** The pixels of pictures in sixels. */
const sixelPictures = (shown: string) =>
  shown
    .split(`${esc}P`)
    .slice(1)
    .filter((one) => /^[\d;]*q/.test(one))
    .map((one) => decode(one.slice(one.indexOf('q') + 1, one.indexOf(esc))))

test.skipIf(!hasTerminal())(
  'show draws the icon of a vAtom where the terminal says that it takes pictures',
  async () => {
    const { home, vatom } = await withCatalog()
    expect(await vatom(['apply', 'shop', '--yes'])).toMatchObject({ code: 0 })
    const id = (await vatom(['emit', 'Red', '--quiet'])).out.trim()
    const show = (answer: string, ...options: string[]) =>
      onTerminal(home, `--no-pager show ${id} ${options.join(' ')}`, [[asked, answer]])
    const kitty = await show(answers.kitty)
    expect(kitty).toMatchObject({ code: 0, asked: 1 })
    expect(kittyPictures(kitty.shown)).toEqual([png])
    expect(kitty.shown.indexOf('a=T')).toBeGreaterThan(kitty.shown.indexOf('action_notification'))

    const { shown } = await show(answers.iterm2)
    const [head = '', data = ''] = (shown.split(']1337;File=')[1]?.split(bell)[0] ?? '').split(':')
    expect(head).toContain(`inline=1;size=${png.length};`)
    expect(Buffer.from(data, 'base64')).toEqual(png)

    const withoutPictures = await show(answers.none)
    expect(withoutPictures).toMatchObject({ code: 0, asked: 1 })
    for (const begin of ['a=T', '1337', `${esc}P`]) expect(withoutPictures.shown).not.toContain(begin)
    const unasked = await show(answers.kitty, '--no-picture')
    expect(unasked).toMatchObject({ code: 0, asked: 0 })
    const piped = await vatom(['show', id], { env: { VATOM_PICTURES: 'kitty' } })
    expect(piped).toMatchObject({ code: 0, err: '' })
    expect(piped.out).not.toContain(esc)
  },
)

test.skipIf(!hasTerminal() || browserPath === undefined)(
  'preview --terminal shows the faces of each view mode as sixels',
  async () => {
    const { home } = await withCatalog()
    const { code, shown } = await onTerminal(home, 'preview shop --terminal', [[asked, answers.sixel]])
    expect(shown).not.toContain('error:')
    expect(code).toBe(0)
    expect(shown).toContain('fullscreen: nothing, it has no face')
    const pictures = sixelPictures(shown)
    expect(pictures).toHaveLength(2)
    for (const { width, height, data32 } of pictures) {
      // Whole rows of the terminal, which does not know how many it has, and not wider than it.
      expect(height % 20).toBe(0)
      expect(height).toBeGreaterThan(100)
      expect(width).toBeLessThanOrEqual(800)
      expect(new Set(data32.slice(0, width * height)).size).toBeGreaterThan(3)
    }
  },
  60_000,
)

test.skipIf(!hasTerminal())('a job in the background is not stopped by its question to the terminal', async () => {
  const machine = newMachine()
  writeFiles(machine.home, { 'coupon.yaml': template() })
  const { code, shown } = await inBackground(machine.home, 'preview coupon.yaml --terminal')
  expect(shown).toContain('no terminal that shows pictures')
  expect(shown).not.toContain(asked)
  expect(code).toBe(1)
})
