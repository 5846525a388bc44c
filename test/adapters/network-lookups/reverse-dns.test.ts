import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseHostName } from '../../../adapters/network-lookups/host-name.ts'
import { pointerName } from '../../../adapters/network-lookups/pointer-name.ts'
import { reverseDns } from '../../../adapters/network-lookups/reverse-dns.ts'
import { startNameServer, type NameServer } from '../../support/name-server.ts'

const day_ms = 24 * 3_600_000

let server: NameServer
beforeAll(async () => {
  server = await startNameServer()
})
afterAll(() => server.close())

let count = 0
/** An address that nobody has asked about, and the name that stands for it. */
function fresh(): { readonly address: string; readonly pointer: string } {
  count += 1
  return { address: `192.0.2.${count}`, pointer: `${count}.2.0.192.in-addr.arpa` }
}
const askedFor = (pointer: string) => server.asked.filter((name) => name === pointer).length

// Most of these wait for a silent name server.
describe.concurrent('the host name of an address', () => {
  it('is what the name server says, in lower case and without the dot at its end', async () => {
    const { address, pointer } = fresh()
    server.answer(pointer, ['Host-7.Example.NET'])
    expect(await reverseDns({ servers: [server.address] })(address)).toBe('host-7.example.net')
  })

  it('is asked for once a day, also where there is none', async () => {
    let now_ms = 0
    const hostName = reverseDns({ servers: [server.address], now: () => now_ms })
    const [known, none] = [fresh(), fresh()]
    server.answer(known.pointer, ['known.example.net'])
    const look = () => Promise.all([hostName(known.address), hostName(known.address), hostName(none.address)])
    for (const at of [1, day_ms - 1]) {
      now_ms = at
      expect(await look()).toStrictEqual(['known.example.net', 'known.example.net', null])
    }
    expect([askedFor(known.pointer), askedFor(none.pointer)]).toStrictEqual([1, 1])
    now_ms = day_ms + 2
    await look()
    expect([askedFor(known.pointer), askedFor(none.pointer)]).toStrictEqual([2, 2])
  })

  it('is not asked for again at once where nobody answered, and is found once somebody does', async () => {
    let now_ms = 1
    const hostName = reverseDns({ servers: [server.address], now: () => now_ms })
    const { address, pointer } = fresh()
    server.answer(pointer, 'silence')
    expect(await hostName(address)).toBeNull()
    const asked = askedFor(pointer)
    server.answer(pointer, ['back.example.net'])
    expect(await hostName(address)).toBeNull()
    expect(askedFor(pointer)).toBe(asked)
    now_ms = 61_001
    expect(await hostName(address)).toBe('back.example.net')
  })

  it('is null at once, without a question, while no name server answers for any address', async () => {
    let now_ms = 1
    const hostName = reverseDns({ servers: [server.address], now: () => now_ms })
    const silent = Array.from({ length: 3 }, fresh)
    for (const { pointer } of silent) server.answer(pointer, 'silence')
    await Promise.all(silent.map(({ address }) => hostName(address)))
    const { address, pointer } = fresh()
    server.answer(pointer, ['there.example.net'])
    expect([await hostName(address), askedFor(pointer)]).toStrictEqual([null, 0])
    now_ms += 10_001
    expect(await hostName(address)).toBe('there.example.net')
  })

  it('is asked for as ever where a name server answers for other addresses in between', async () => {
    const hostName = reverseDns({ servers: [server.address] })
    for (let turn = 0; turn < 2; turn += 1) {
      const [silent, other, known] = [fresh(), fresh(), fresh()]
      for (const each of [silent, other]) server.answer(each.pointer, 'silence')
      server.answer(known.pointer, ['known.example.net'])
      await Promise.all([silent, other].map(({ address }) => hostName(address)))
      expect(await hostName(known.address)).toBe('known.example.net')
    }
  })

  it('is never markup or anything else that is no host name', async () => {
    const hostName = reverseDns({ servers: [server.address] })
    const [markup, mixed] = [fresh(), fresh()]
    server.answer(markup.pointer, ['<script>alert(1)</script>.example.net'])
    server.answer(mixed.pointer, ['a b.example.net', 'x\u0000y.example.net', 'ok.example.net'])
    expect(await hostName(markup.address)).toBeNull()
    expect([null, 'ok.example.net']).toContain(await hostName(mixed.address))
  })
})

// By itself: it counts every question.
describe('the host name of nothing', () => {
  it('is null without a question where there is no server to ask, or no address', async () => {
    const before = server.asked.length
    expect(await reverseDns({ servers: [] })('192.0.2.250')).toBeNull()
    expect(await reverseDns({ servers: [server.address] })('unknown')).toBeNull()
    expect(server.asked).toHaveLength(before)
  })
})

describe('the text of a name server', () => {
  it.each(['host.example.net', 'a', '1-2-3-4.isp.example', '_dmarc.example', `${'a'.repeat(63)}.example`])(
    'may be a host name: %s',
    (text) => {
      expect(parseHostName(text)).toBe(text)
    },
  )

  it.each([
    '',
    '.',
    'a..b',
    '-a.example',
    'a-.example',
    'a b.example',
    '<b>.example',
    'a\u001b[31m.example',
    'a\u202e.example',
    'ä.example',
    'a\\032.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}a`,
    'a'.repeat(100_000),
  ])('is none otherwise: %#', (text) => {
    expect(parseHostName(text)).toBeUndefined()
  })
})

describe('the name that stands for an address', () => {
  it('has its bytes or digits in reverse', () => {
    expect(pointerName('192.0.2.1')).toBe('1.2.0.192.in-addr.arpa')
    expect(pointerName('::ffff:192.0.2.1')).toBe('1.2.0.192.in-addr.arpa')
    const zeros = '0.'.repeat(23)
    expect(pointerName('2001:DB8::1')).toBe(`1.${zeros}8.b.d.0.1.0.0.2.ip6.arpa`)
    expect(pointerName('2001:db8:0:0:0:0:0:1')).toBe(pointerName('2001:db8::1'))
    expect(pointerName('::')).toBe(`${'0.'.repeat(32)}ip6.arpa`)
    expect(pointerName('64:ff9b::192.0.2.1')).toBe(pointerName('64:ff9b::c000:201'))
    expect(pointerName('unknown')).toBeUndefined()
  })
})
