import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { decodingLimits } from '../../../adapters/media/decoding/limits.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { blackPng, firstPixel, inColours, near, openDecoding, picture, program, svg } from './support/decoding.ts'
import { samples } from './support/samples.ts'

let decoder: ReturnType<typeof openDecoding>
beforeAll(() => {
  decoder = openDecoding({ program })
})
afterAll(() => decoder.close())

describe('an image that does not move', () => {
  it.each([
    ['PNG', () => picture().png().toBuffer()],
    ['JPEG', () => picture().jpeg().toBuffer()],
    ['WebP', () => picture().webp().toBuffer()],
    ['GIF', () => picture().gif().toBuffer()],
    ['AVIF', () => picture(64, 64).avif().toBuffer()],
    ['HEIC', () => Promise.resolve(samples.heic)],
    ['JXL', () => Promise.resolve(samples.jxl)],
    ['SVG', () => Promise.resolve(svg('<rect width="20" height="10" fill="red"/>'))],
  ])('is read as %s, by its content alone', async (_, made) => {
    const decoded = await decoder.decode(await made())
    expect(decoded).toMatchObject({ animated: false, moving: null })
    expect(near(await firstPixel(decoded?.still ?? Buffer.alloc(0)), [255, 0, 0])).toBe(true)
  })

  it('has the dimensions that it is stored with', async () => {
    expect(await decoder.decode(await picture(30, 20).png().toBuffer())).toMatchObject({ width: 30, height: 20 })
    // As a phone takes it.
    expect(await decoder.decode(samples.largeHeic)).toMatchObject({ width: 4096, height: 2731 })
    const large = await picture(decodingLimits.stored_side_max * 2, 100)
      .png()
      .toBuffer()
    expect(await decoder.decode(large)).toMatchObject({ width: decodingLimits.stored_side_max, height: 50 })
  })

  it('keeps nothing of what it carried besides its pixels, and stands upright', async () => {
    const taken = await picture(30, 20)
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'planted' } })
      .jpeg()
      .toBuffer()
    expect(taken.includes('planted')).toBe(true)
    const decoded = await decoder.decode(taken)
    expect(decoded).toMatchObject({ width: 20, height: 30 })
    expect(Buffer.from(decoded?.still ?? []).includes('planted')).toBe(false)
  })
})

describe('an image that moves', () => {
  it.each([
    ['GIF', () => inColours(3).gif().toBuffer(), 3],
    ['WebP', () => inColours(3).webp().toBuffer(), 3],
    ['APNG', () => Promise.resolve(samples.apng), 2],
  ])('is read with all of its frames as %s', async (_, made, frames) => {
    const decoded = await decoder.decode(await made())
    expect(decoded?.animated).toBe(true)
    const moving = decoded?.moving ?? Buffer.alloc(0)
    expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(frames)
    expect((await sharp(decoded?.still).metadata()).pages).toBeUndefined()
  })

  it('shows the frames of an APNG one after another', async () => {
    const moving = (await decoder.decode(samples.apng))?.moving ?? Buffer.alloc(0)
    expect(near(await firstPixel(moving, 0), [255, 0, 0])).toBe(true)
    expect(near(await firstPixel(moving, 1), [0, 0, 255])).toBe(true)
  })

  it('is refused as an AVIF', async () => {
    expect(await decoder.decode(samples.movingAvif)).toBeUndefined()
  })

  it('is refused as an AVIF that names a still image before its frames', async () => {
    const hidden = Buffer.from(samples.movingAvif)
    hidden.write('avif', 8, 'latin1')
    expect(await decoder.decode(hidden)).toBeUndefined()
  })

  it('stands still as a JXL, of which the first frame alone can be read, and is known as one that moves', async () => {
    const decoded = await decoder.decode(samples.movingJxl)
    expect(decoded).toMatchObject({ animated: true, isStill: false, moving: null, width: 16, height: 12 })
  })

  it.each([
    ['a PNG', () => picture().png().toBuffer(), true],
    ['a GIF of one frame', () => picture().gif().toBuffer(), false],
    ['an APNG of one frame', async () => withFrames(samples.apng, 1), false],
  ])('is told from one of a format that is made for moving: %s', async (_, made, isStill) => {
    expect(await decoder.decode(await made())).toMatchObject({ animated: false, isStill })
  })
})

/** An animated PNG that claims to have this many frames. */
function withFrames(apng: Buffer, count: number): Buffer {
  const lying = Buffer.from(apng)
  const at = lying.indexOf('acTL', 0, 'latin1')
  lying.writeUInt32BE(count, at + 4)
  lying.writeUInt32BE(crc32(lying.subarray(at, at + 12)), at + 12)
  return lying
}

/** An animated PNG whose second frame has a later number. */
function outOfOrder(apng: Buffer): Buffer {
  const mixed = Buffer.from(apng)
  const at = mixed.lastIndexOf('fcTL', undefined, 'latin1')
  mixed.writeUInt32BE(mixed.readUInt32BE(at + 4) + 1, at + 4)
  mixed.writeUInt32BE(crc32(mixed.subarray(at, at + 30)), at + 30)
  return mixed
}

describe('the colour of an image', () => {
  it.each([
    [
      'that it mostly is',
      async () => svg('<rect width="20" height="10" fill="#1e90ff"/><rect width="5" height="5"/>'),
      0x1e90ff,
    ],
    ['of what can be seen of it', async () => svg('<rect width="4" height="4" fill="#00ff00"/>'), 0x00ff00],
    ['which is none where nothing can be seen', async () => svg(''), null],
  ])('is the one %s', async (_, made, colour) => {
    const found = (await decoder.decode(await made()))?.colour
    if (typeof found !== 'number' || colour === null) return expect(found).toBe(colour)
    const channels = (value: number) => [value >> 16, (value >> 8) & 255, value & 255]
    expect(near(channels(found), channels(colour))).toBe(true)
  })
})

describe('what only looks like an image, or would cost too much', () => {
  it.each([
    ['nothing', async () => Buffer.alloc(0)],
    ['text', async () => Buffer.from('not an image')],
    ['the first bytes of each format', async () => Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')],
    ['a PNG that is broken off', async () => (await picture(200, 200).png().toBuffer()).subarray(0, 150)],
    ['a HEIC that is broken off', async () => samples.heic.subarray(0, 300)],
    ['a JXL that is broken off', async () => samples.jxl.subarray(0, 20)],
    ['more pixels than one frame may have', async () => svg('', 'width="9000" height="9000"')],
    [
      'more frames than an animation may have',
      () =>
        inColours(decodingLimits.frames_max + 1, 2)
          .gif()
          .toBuffer(),
    ],
    ['an APNG whose frames are out of order', async () => outOfOrder(samples.apng)],
    ['an APNG with fewer frames than it says', async () => withFrames(samples.apng, 3)],
    ['a page that begins as an SVG would', async () => Buffer.from('<html><svg></svg></html>')],
  ])('is not read: %s', async (_, made) => {
    expect(await decoder.decode(await made())).toBeUndefined()
  })

  it('is not read where it takes too long, and others are read after it', async () => {
    const hasty = openDecoding({ program, time_ms_max: 1 })
    expect(await hasty.decode(await picture(4000, 4000).png().toBuffer())).toBeUndefined()
    await hasty.close()
    const wave = (level: number) =>
      `<g id="a${level + 1}"><use xlink:href="#a${level}"/><use xlink:href="#a${level}"/></g>`
    const laughs = Array.from({ length: 30 }, (_, level) => wave(level)).join('')
    const bomb = svg(`<defs><rect id="a0" width="1" height="1"/>${laughs}</defs><use xlink:href="#a30"/>`)
    const [bombed, after] = await Promise.all([decoder.decode(bomb), decoder.decode(await picture().png().toBuffer())])
    expect(bombed).toBeUndefined()
    expect(after).toMatchObject({ width: 16 })
  })

  it('holds up neither files nor passwords with what native code goes on to do', async () => {
    const hasty = openDecoding({ program, time_ms_max: 500 })
    const noise =
      '<filter id="f" x="0" y="0" width="1" height="1"><feTurbulence baseFrequency="0.9" numOctaves="1000"/></filter>'
    const bomb = svg(`${noise}<rect width="4000" height="4000" filter="url(#f)"/>`, 'width="4000" height="4000"')
    // As many as the process has threads for such work.
    for (let time = 0; time < 4; time += 1) expect(await hasty.decode(bomb)).toBeUndefined()
    expect(await readFile(program, 'utf8')).not.toBe('')
    await hasty.close()
  })

  it('is not read where it takes more memory than it may, as a picture within a picture does', async () => {
    const inner = blackPng(12_000)
    expect(await sharp(inner).metadata()).toMatchObject({ format: 'png', width: 12_000, height: 12_000 })
    const outer = svg(`<image width="20" height="10" href="data:image/png;base64,${inner.toString('base64')}"/>`)
    const narrow = openDecoding({ program, memory_MB_max: 400, svgTime_ms_max: decodingLimits.time_ms_max })
    expect(await narrow.decode(outer)).toBeUndefined()
    expect(await narrow.decode(await picture().png().toBuffer())).toMatchObject({ width: 16 })
    await narrow.close()
  })

  it('rejects what waits when it is closed', async () => {
    const closing = openDecoding({ program })
    const waiting = closing.decode(await picture().png().toBuffer()).catch((error: unknown) => error)
    await closing.close()
    expect(await waiting).toBeInstanceOf(Unavailable)
  })
})

describe('an SVG', () => {
  it('shows nothing of files or addresses that it names, and runs nothing', async () => {
    const secret = new URL('../../../package.json', import.meta.url).href
    const content = [
      `<!-- <script>throw 1</script> --><image href="${secret}" width="20" height="10"/>`,
      '<image href="http://127.0.0.1:9/image.png" width="20" height="10"/>',
      '<style>@import url("http://127.0.0.1:9/style.css");</style><script>while (true) {}</script>',
      '<rect width="20" height="10" fill="blue"/>',
    ].join('')
    const decoded = await decoder.decode(svg(content))
    expect(near(await firstPixel(decoded?.still ?? Buffer.alloc(0)), [0, 0, 255])).toBe(true)
  })

  it('takes nothing in from an entity outside of it', async () => {
    const entity = '<!DOCTYPE svg [<!ENTITY outside SYSTEM "file:///etc/hostname">]>'
    const decoded = await decoder.decode(
      Buffer.concat([Buffer.from(entity), svg('<text x="0" y="9" font-size="9">&outside;</text>')]),
    )
    if (decoded === undefined) return
    const { channels } = await sharp(decoded.still).stats()
    expect(channels.every(({ max, min }) => max === min)).toBe(true)
  })
})
