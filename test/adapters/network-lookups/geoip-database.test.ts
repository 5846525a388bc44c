import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { geoIpDatabase } from '../../../adapters/network-lookups/geoip-database.ts'
import { openNetworkLookups } from '../../../adapters/network-lookups/open-network-lookups.ts'
import { placed, writeMmdbFile } from '../../support/mmdb-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guildhall-mmdb-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const newPath = () => path.join(folder, `${randomUUID()}.mmdb`)

/** Look-ups in a file, with a clock and the errors that were told. */
function lookUps(file: string) {
  const errors: unknown[] = []
  let now_ms = 0
  const location = geoIpDatabase({ path: file, onError: (error) => errors.push(error), now: () => now_ms })
  return { location, errors, wait: (ms: number) => void (now_ms += ms) }
}

describe('the location of an address', () => {
  it('is the city, the region and the country, as far as the file knows them', async () => {
    const file = newPath()
    await writeMmdbFile(file, [
      ['203.0.113.0/24', { ...Object(placed('Germany', 'Bonn')), subdivisions: [{ names: { en: 'Rhineland' } }] }],
      ['198.51.100.0/25', placed('France')],
      ['198.51.100.128/25', { country: { iso_code: 'CH' } }],
      ['192.0.2.0/24', placed('Singapore', 'Singapore')],
    ])
    const { location, errors } = lookUps(file)
    const locationOf = async (address: string) => (await location(address)).location
    expect(await locationOf('203.0.113.77')).toBe('Bonn, Rhineland, Germany')
    expect(await locationOf('::ffff:203.0.113.77')).toBe('Bonn, Rhineland, Germany')
    expect(await locationOf('198.51.100.3')).toBe('France')
    expect(await locationOf('198.51.100.200')).toBe('CH')
    expect(await locationOf('192.0.2.9')).toBe('Singapore')
    expect(await location('10.0.0.1')).toStrictEqual({ location: null, failed: false })
    expect(await location('2001:db8::1')).toStrictEqual({ location: null, failed: false })
    expect(await location('unknown')).toStrictEqual({ location: null, failed: false })
    expect(errors).toStrictEqual([])
  })

  it('is a bounded text without control characters, whatever the file holds', async () => {
    const file = newPath()
    await writeMmdbFile(file, [
      ['192.0.2.0/25', placed('A\u0000B\u202e\u001bC', 'x'.repeat(200))],
      ['192.0.2.128/25', { country: 'text', city: [1], subdivisions: 7 }],
    ])
    const { location } = lookUps(file)
    expect((await location('192.0.2.1')).location).toBe(`${'x'.repeat(80)}, ABC`)
    expect(await location('192.0.2.200')).toStrictEqual({ location: null, failed: false })
  })

  it('has failed where the file is not there or is no database, and is told once a minute', async () => {
    const missing = lookUps(newPath())
    for (let times = 0; times < 3; times += 1)
      expect(await missing.location('192.0.2.1')).toStrictEqual({ location: null, failed: true })
    expect(missing.errors).toHaveLength(1)
    const file = newPath()
    await writeFile(file, 'no database')
    const broken = lookUps(file)
    expect(await broken.location('192.0.2.1')).toStrictEqual({ location: null, failed: true })
    await writeMmdbFile(file, [['192.0.2.0/24', placed('France')]])
    broken.wait(60_000)
    expect(await broken.location('192.0.2.1')).toStrictEqual({ location: 'France', failed: false })
  })

  it('follows the file when it is replaced, and stays where the new one is broken', async () => {
    const file = newPath()
    await writeMmdbFile(file, [['192.0.2.0/24', placed('France')]])
    const { location, errors, wait } = lookUps(file)
    const france = async () => (await location('192.0.2.1')).location
    expect(await france()).toBe('France')
    await writeMmdbFile(file, [['192.0.2.0/24', placed('Germany', 'Bonn')]])
    expect(await france()).toBe('France')
    wait(60_000)
    expect(await france()).toBe('Bonn, Germany')
    await writeFile(file, 'broken')
    wait(60_000)
    expect(await france()).toBe('Bonn, Germany')
    expect(errors).toHaveLength(1)
  })

  it('is nothing, and no failure, without a file', async () => {
    const fails = (): never => {
      throw new Error('nothing can fail')
    }
    const { location } = openNetworkLookups({ dnsServers: [], geoIpDatabase: undefined, onError: fails })
    expect(await location('192.0.2.1')).toStrictEqual({ location: null, failed: false })
  })
})
