import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodingLimits } from '../../../adapters/media/decoding/limits.ts'
import { blackPng, firstPixel, inColours, near, openDecoding, program, svg } from './support/decoding.ts'
import { samples } from './support/samples.ts'

let decoder: ReturnType<typeof openDecoding>
beforeAll(() => {
  decoder = openDecoding({ program })
})
afterAll(() => decoder.close())

describe('a HEIC of several pictures', () => {
  it('is read as the one that it names as primary, wherever that stands', async () => {
    const shown = async (bytes: Buffer) => firstPixel((await decoder.decode(bytes))?.still ?? Buffer.alloc(0))
    expect(near(await shown(samples.twoHeic), [255, 0, 0])).toBe(true)
    const second = Buffer.from(samples.twoHeic)
    // The box has its version and flags, then the number of the picture.
    const named = second.indexOf('pitm') + 8
    second.writeUInt16BE(second.readUInt16BE(named) + 1, named)
    expect(near(await shown(second), [0, 0, 255])).toBe(true)
  })
})

describe('an SVG as browsers show it', () => {
  const square = '<rect width="20" height="10" fill="red"/>'
  it.each([
    [
      'with a prefix',
      () =>
        Buffer.from(
          `<s:svg xmlns:s="http://www.w3.org/2000/svg" width="20" height="10"><s:rect width="20" height="10" fill="red"/></s:svg>`,
        ),
    ],
    [
      'after a style sheet',
      () => Buffer.concat([Buffer.from('<?xml version="1.0"?><?xml-stylesheet href="a.css"?>'), svg(square)]),
    ],
    ['after a long comment', () => Buffer.concat([Buffer.from(`<!--${' '.repeat(9000)}-->`), svg(square)])],
    [
      'after a document type with entities',
      () => Buffer.concat([Buffer.from(`<!DOCTYPE svg [<!ENTITY a "]>"><!-- ' -->${' '.repeat(2000)}]>`), svg(square)]),
    ],
    [
      'in UTF-16',
      () => Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?>${svg(square).toString()}`, 'utf16le'),
    ],
    ['in UTF-16 of the other order', () => Buffer.from(`\uFEFF${svg(square).toString()}`, 'utf16le').swap16()],
    [
      'of a few units',
      () => svg('<rect width="1" height="1" fill="red"/>', 'width="1em" height="1em" viewBox="0 0 1 1"'),
    ],
  ])('is read %s, and drawn at 512 pixels or more', async (_, made) => {
    const decoded = await decoder.decode(made())
    expect(near(await firstPixel(decoded?.still ?? Buffer.alloc(0)), [255, 0, 0])).toBe(true)
    expect(Math.max(decoded?.width ?? 0, decoded?.height ?? 0)).toBeGreaterThanOrEqual(512)
  })
})

describe('an image beyond the limits', () => {
  it('is told apart from what cannot be read where only its pixels or frames are too many', async () => {
    expect(await decoder.outcome(blackPng(8000))).toBe('too large')
    expect(await decoder.outcome(svg('', 'width="9000" height="9000"'))).toBe('too large')
    const frames = await inColours(decodingLimits.frames_max + 1, 2)
      .gif()
      .toBuffer()
    expect(await decoder.outcome(frames)).toBe('too large')
    expect(await decoder.outcome(Buffer.from('text'))).toBe('unreadable')
  })
})
