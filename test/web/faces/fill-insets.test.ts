import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fill, Side } from '../../../src/web/faces/drawing.ts'
import { fillInsets } from '../../../src/web/faces/fill-insets.ts'

const square = { width: 200, height: 200 }
const wide = { width: 400, height: 200 }
const fill = (from: Side, fraction: number, more: Partial<Fill> = {}): Fill => ({
  from,
  fraction,
  start: 0,
  end: 0,
  within: 'picture',
  ...more,
})
const none = { top: 0, right: 0, bottom: 0, left: 0 }

describe('what is hidden', () => {
  test.each<[Fill, object]>([
    [fill('bottom', 0.25), { top: 150 }],
    [fill('top', 0.25), { bottom: 150 }],
    [fill('left', 0.25), { right: 150 }],
    [fill('right', 0.25), { left: 150 }],
    [fill('bottom', 0), { top: 200 }],
    [fill('bottom', 1), {}],
  ])('of a square image: %o', (given, hidden) =>
    expect(fillInsets(given, square, square)).toEqual({ ...none, ...hidden }),
  )
  test('of a wide image in a square: web fills the area, the others the image in it', () => {
    expect(fillInsets(fill('top', 0.5, { within: 'picture' }), wide, square)).toEqual({ ...none, bottom: 100 })
    expect(fillInsets(fill('top', 0.1, { within: 'picture' }), wide, square)).toEqual({ ...none, bottom: 140 })
    expect(fillInsets(fill('top', 0.1, { within: 'element' }), wide, square)).toEqual({ ...none, bottom: 180 })
  })
  test('paddings are pixels of the image', () => {
    const padded = { start: 40, end: 80 }
    expect(fillInsets(fill('left', 0, padded), wide, square)).toEqual({ ...none, right: 180 })
    expect(fillInsets(fill('left', 1, padded), wide, square)).toEqual({ ...none, right: 40 })
    expect(fillInsets(fill('left', 0.5, { ...padded, within: 'element' }), wide, square)).toEqual({
      ...none,
      right: 110,
    })
  })
  test('a whole percent is not lost to rounding', () => {
    const padded = fill('bottom', 0.4, { within: 'element', start: 20, end: 20 })
    expect(fillInsets(padded, { width: 300, height: 200 }, square)).toEqual({ ...none, top: 116 })
  })
  test('web fills whole percents', () =>
    expect(fillInsets(fill('left', 0.339, { within: 'element' }), square, square)).toEqual({ ...none, right: 134 }))
  test('is never less than nothing or more than the area', () =>
    fc.assert(
      fc.property(
        fc.record({
          from: fc.constantFrom<Side>('top', 'right', 'bottom', 'left'),
          fraction: fc.double({ min: 0, max: 1, noNaN: true }),
          start: fc.integer({ min: -500, max: 500 }),
          end: fc.integer({ min: -500, max: 500 }),
          within: fc.constantFrom<Fill['within']>('element', 'picture'),
        }),
        (given) => {
          for (const inset of Object.values(fillInsets(given, wide, square))) {
            expect(inset).toBeGreaterThanOrEqual(0)
            expect(inset).toBeLessThanOrEqual(200)
          }
        },
      ),
    ))
})
