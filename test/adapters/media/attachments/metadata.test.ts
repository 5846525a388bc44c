import { randomBytes } from 'node:crypto'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { openDecoder } from '../../../../adapters/media/decoding/decoder.ts'
import { spoolIn } from '../../../../adapters/media/attachments/spool.ts'
import { withoutMetadata } from '../../../../adapters/media/attachments/strip-metadata.ts'
import { program } from '../support/decoding.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const secret = 'Guglielmo-was-here'
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="${secret}"/></rdf:RDF></x:xmpmeta>`

/** A picture of noise with positions, names and XMP, that has to be turned to be shown. */
function taken(orientation: number) {
  const raw = randomBytes(40 * 30 * 3)
  return sharp(raw, { raw: { width: 40, height: 30, channels: 3 } })
    .withExif({
      IFD0: { Artist: secret, Copyright: secret },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withXmp(xmp)
    .withMetadata({ orientation })
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function stripped(bytes: Buffer, size = 1000): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of withoutMetadata(inPieces(bytes, size))) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).raw().toBuffer()

describe.each([
  ['jpeg', (orientation: number) => taken(orientation).jpeg().toBuffer()],
  ['progressive jpeg', (orientation: number) => taken(orientation).jpeg({ progressive: true }).toBuffer()],
  ['png', (orientation: number) => taken(orientation).png().toBuffer()],
  ['webp', (orientation: number) => taken(orientation).webp().toBuffer()],
] as const)('a %s', (_, make) => {
  it.each([1, 3, 6])('loses what was written about it, and keeps its pixels and its turn %d', async (orientation) => {
    const original = await make(orientation)
    expect((await sharp(original).metadata()).exif).toBeDefined()
    expect(original.includes(secret)).toBe(true)
    for (const size of [1, 7, 1000, 1_000_000]) {
      const kept = await stripped(original, size)
      expect(kept.includes(secret)).toBe(false)
      expect(kept.includes('GPS')).toBe(false)
      const said = await sharp(kept).metadata()
      expect(said.orientation ?? 1).toBe(orientation)
      expect(said.exif?.length ?? 0).toBeLessThan(500)
      expect((await pixels(kept)).equals(await pixels(original))).toBe(true)
    }
  })
})

it('what follows the end of a picture goes too', async () => {
  for (const make of [taken(1).jpeg(), taken(1).png(), taken(1).webp()]) {
    const bytes = Buffer.concat([await make.toBuffer(), Buffer.from(secret)])
    expect((await stripped(bytes)).includes(secret)).toBe(false)
  }
})

it('comments and texts go', async () => {
  const jpeg = await sharp(randomBytes(300), { raw: { width: 10, height: 10, channels: 3 } })
    .jpeg()
    .toBuffer()
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, secret.length + 2]), Buffer.from(secret)])
  const noted = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
  expect((await stripped(noted)).equals(jpeg)).toBe(true)
  const png = await sharp(randomBytes(300), { raw: { width: 10, height: 10, channels: 3 } })
    .png()
    .toBuffer()
  const text = Buffer.from(`tEXtTitle\0${secret}`)
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(text.length - 4)
  sum.writeUInt32BE(crc32(text))
  const titled = Buffer.concat([png.subarray(0, 33), length, text, sum, png.subarray(33)])
  expect((await sharp(titled).metadata()).comments).toBeDefined()
  expect((await stripped(titled)).equals(await stripped(png))).toBe(true)
})

it('a file that is no such picture stays as it is, whatever it is cut into', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), async (array, size) => {
      const bytes = Buffer.concat([Buffer.from('%'), array])
      expect((await stripped(bytes, size)).equals(bytes)).toBe(true)
    }),
  )
})

it('a broken picture ends somewhere, and never holds what was written about it', async () => {
  const [jpeg, png, webp] = await Promise.all([
    taken(6).jpeg().toBuffer(),
    taken(6).png().toBuffer(),
    taken(6).webp().toBuffer(),
  ])
  for (const whole of [jpeg, png, webp])
    for (let length = 12; length < whole.length; length += 97)
      expect((await stripped(whole.subarray(0, length), 64)).includes(secret)).toBe(false)
})

describe('what is received', () => {
  const decoder = openDecoder({ program })
  afterAll(() => decoder.close())

  it('is on the disk with its size and hash, and gone once it is discarded', async () => {
    const folder = await temporaryFolder('spool')
    const spool = spoolIn(folder)
    const file = await spool.receive(inPieces(Buffer.from('0123456789'), 3), 10)
    if (file === 'too large') throw new Error('It was too large')
    expect(file).toMatchObject({
      size_bytes: 10,
      hash: '84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882',
    })
    expect((await readFile(file.path)).toString()).toBe('0123456789')
    await spool.discard(file)
    await spool.discard(file)
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('leaves nothing if it is too large, or breaks off', async () => {
    const folder = await temporaryFolder('spool')
    const spool = spoolIn(folder)
    expect(await spool.receive(inPieces(Buffer.alloc(11), 4), 10)).toBe('too large')
    const broken = async function* () {
      yield Buffer.from('0')
      throw new Error('gone')
    }
    await expect(spool.receive(broken(), 10)).rejects.toThrow('gone')
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('goes an hour after the process died that received it', async () => {
    const folder = await temporaryFolder('spool')
    for (const name of ['old', 'new']) await writeFile(path.join(folder, name), 'x')
    const before = new Date(Date.now() - 3_700_000)
    await utimes(path.join(folder, 'old'), before, before)
    await spoolIn(folder).sweep()
    expect(await readdir(folder)).toStrictEqual(['new'])
  })

  it('is looked at if it is a picture', async () => {
    const spool = spoolIn(await temporaryFolder('spool'))
    const look = async (bytes: Buffer) => {
      const file = await spool.receive(inPieces(bytes, 1000), 1_000_000)
      return file === 'too large' ? undefined : decoder.look(file.path, { ip: '192.0.2.1' })
    }
    const turned = await look(await taken(6).jpeg().toBuffer())
    expect(turned).toMatchObject({ width: 30, height: 40, animated: false })
    expect(Buffer.from(turned?.placeholder ?? '', 'base64').length).toBeGreaterThan(10)
    const frames = await sharp(randomBytes(4 * 8 * 3), { raw: { width: 4, height: 8, channels: 3, pageHeight: 4 } })
      .gif({ delay: [100, 100] })
      .toBuffer()
    expect(await look(frames)).toMatchObject({ width: 4, height: 4, animated: true })
    expect(await look(Buffer.from('no picture'))).toBeUndefined()
    expect(await look((await taken(1).jpeg().toBuffer()).subarray(0, 40))).toBeUndefined()
  })
})
