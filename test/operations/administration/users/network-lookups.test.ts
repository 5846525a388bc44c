import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { placed, writeMmdbFile } from '../../../support/mmdb-file.ts'
import { startNameServer } from '../../../support/name-server.ts'
import type { TestAccount, TestGuildhall } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'
import { entriesAbout, userReadsOf } from './support.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-mmdb-'))
const names = await startNameServer()
afterAll(async () => {
  await names.close()
  await rm(folder, { recursive: true, force: true })
})
const file = path.join(folder, 'cities.mmdb')
await writeMmdbFile(file, [['203.0.113.0/24', placed('Germany', 'Bonn')]])
const broken = path.join(folder, 'broken.mmdb')
await writeFile(broken, 'no database')

const trustedProxies = ['127.0.0.1']
const guildhall = await openServer({ trustedProxies, dnsServers: [names.address], geoIpDatabase: file })
const root = await administrator(guildhall, '*')
const on = await openServer({ trustedProxies, geoIpDatabase: broken })
const plain = await openServer()

let hosts = 0
/** An address that nobody has asked about, and the name that stands for it. */
function freshAddress(): { readonly ip: string; readonly pointer: string } {
  hosts += 1
  return { ip: `203.0.113.${hosts}`, pointer: `${hosts}.113.0.203.in-addr.arpa` }
}

/** An account whose newest session began at an address. */
async function signedInFrom(on: TestGuildhall, ...addresses: readonly string[]): Promise<TestAccount> {
  const account = await on.register(`user_${randomUUID().slice(0, 8)}`)
  const { email, password } = account
  for (const ip of addresses) {
    const headers = { 'x-forwarded-for': ip, 'content-type': 'application/json' }
    bodyOf(await on.request('POST', '/v1/auth/login', { body: { email, password }, headers }))
  }
  return account
}
const userAs = async (on: TestGuildhall, admin: TestAccount, { id }: TestAccount) => {
  const { users } = bodyOf(await userReadsOf(on, admin).user(id))
  return (users as readonly Readonly<Record<string, unknown>>[])[0]
}
const sessionsAs = (on: TestGuildhall, admin: TestAccount, of: TestAccount) =>
  userReadsOf(on, admin).below(of, 'sessions')

describe('the name and the place of an address', () => {
  it('are on the account and on each of its sessions', async () => {
    const [first, second] = [freshAddress(), freshAddress()]
    names.answer(first.pointer, ['Host-1.Example.NET'])
    const bob = await signedInFrom(guildhall, first.ip, '198.51.100.7', second.ip, first.ip)
    const located = { last_active_ip_reverse: 'host-1.example.net', last_active_location: 'Bonn, Germany' }
    expect(await userAs(guildhall, root, bob)).toMatchObject({ last_active_ip: first.ip, ...located })
    const { sessions } = bodyOf(await sessionsAs(guildhall, root, bob))
    const shown = sessions as readonly Readonly<Record<string, unknown>>[]
    const of = (ip: string) => shown.filter((session) => session['client_ip'] === ip)
    expect(of(first.ip)).toHaveLength(2)
    for (const session of of(first.ip))
      expect(session).toMatchObject({ client_ip_reverse: 'host-1.example.net', client_location: 'Bonn, Germany' })
    expect(of(second.ip)).toMatchObject([{ client_ip_reverse: null, client_location: 'Bonn, Germany' }])
    expect(of('198.51.100.7')).toMatchObject([{ client_ip_reverse: null, client_location: null }])
    expect(names.asked.filter((name) => name === first.pointer)).toHaveLength(1)
  })

  it('are in the answer of a change, and of the own account', async () => {
    const { ip, pointer } = freshAddress()
    names.answer(pointer, ['own.example.net'])
    const token = root.token
    const bob = await signedInFrom(guildhall, ip)
    const body = { traits: [] }
    const { user } = bodyOf(await guildhall.request('PUT', `/v1/admin/users/${bob.id}/traits`, { token, body }))
    expect(user).toMatchObject({ last_active_ip_reverse: 'own.example.net', last_active_location: 'Bonn, Germany' })
  })

  it('are looked up for nobody without user:view:ip', async () => {
    const { ip, pointer } = freshAddress()
    names.answer(pointer, ['secret.example.net'])
    const bob = await signedInFrom(guildhall, ip)
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:lookup', 'user:list:sessions')
    const hidden = { last_active_ip: null, last_active_ip_reverse: null, last_active_location: null }
    expect(await userAs(guildhall, lesser, bob)).toMatchObject(hidden)
    const { sessions } = bodyOf(await sessionsAs(guildhall, lesser, bob))
    for (const session of sessions as readonly object[])
      expect(session).toMatchObject({ client_ip: '[redacted]', client_ip_reverse: null, client_location: null })
    expect(names.asked).not.toContain(pointer)
  })

  // Whoever has an address chooses its name.
  it.each([
    ['markup', '<img src=x onerror=alert(1)>.example.net'],
    ['an entity', '&lt;b&gt;.example.net'],
    ['a line break', 'host\r\nset-cookie: a=b.example.net'],
    ['a link', 'http://evil.example/?x'],
    ['a template', '{{constructor}}.example.net'],
    ['a text that turns round', '\u202emoc.elpmaxe.net'],
    ['quotes', `'"; drop table accounts; --.net`],
  ])(
    'hold nothing but letters, digits, hyphens and dots, from somebody who names an address with %s',
    async (_, name) => {
      const { ip, pointer } = freshAddress()
      names.answer(pointer, [name])
      const bob = await signedInFrom(guildhall, ip)
      expect(await userAs(guildhall, root, bob)).toMatchObject({ last_active_ip: ip, last_active_ip_reverse: null })
      const { sessions } = bodyOf(await sessionsAs(guildhall, root, bob))
      for (const { client_ip_reverse: shown } of sessions as readonly Readonly<Record<string, unknown>>[])
        expect(shown).toBeNull()
      expect(names.asked).toContain(pointer)
    },
  )

  it('hold no answer back for ever where the name server is silent', async () => {
    const addresses = Array.from({ length: 12 }, freshAddress)
    for (const { pointer } of addresses) names.answer(pointer, 'silence')
    const bob = await signedInFrom(guildhall, ...addresses.map(({ ip }) => ip))
    const { sessions } = bodyOf(await sessionsAs(guildhall, root, bob))
    const silent = (sessions as readonly Readonly<Record<string, unknown>>[]).filter(({ client_ip: ip }) =>
      addresses.some((each) => each.ip === ip),
    )
    expect(silent).toHaveLength(addresses.length)
    for (const session of silent) expect(session['client_ip_reverse']).toBeNull()
  })
})

describe('a database of locations that cannot be read', () => {
  it('has List user sessions answer 503, and record nothing, only for who may see addresses', async () => {
    const all = await administrator(on, '*')
    const bob = await signedInFrom(on, '203.0.113.200')
    expectRefusal(await sessionsAs(on, all, bob), 503, 'SERVICE_UNAVAILABLE')
    expect(await entriesAbout(on, bob)).toStrictEqual([])
    const lesser = await administrator(on, 'admin:authenticate', 'user:list:sessions')
    bodyOf(await sessionsAs(on, lesser, bob))
    expect(await userAs(on, all, bob)).toMatchObject({ last_active_ip: '203.0.113.200', last_active_location: null })
  })

  it('has nothing fail for an account without sessions', async () => {
    const all = await administrator(on, '*')
    const made = await on.request('POST', '/v1/oauth2/applications', { token: all.token, body: { name: 'Engine' } })
    const bot = { ...all, id: String(bodyOf(made)['id']) }
    expect(bodyOf(await sessionsAs(on, all, bot))).toStrictEqual({ sessions: [] })
  })
})

describe('without a name server and a database', () => {
  it('nothing is known of an address, and nothing has failed', async () => {
    const all = await administrator(plain, '*')
    const bob = await plain.register()
    const unknown = { last_active_ip_reverse: null, last_active_location: null }
    expect(await userAs(plain, all, bob)).toMatchObject(unknown)
    bodyOf(await sessionsAs(plain, all, bob))
  })
})
