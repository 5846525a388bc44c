import { hkdfSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { jwtSudoProofs } from '../../../adapters/authentication/jwt-sudo-proofs.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { secondsAfter, timestamp, msOf } from '../../../domain/kernel/timestamp.ts'

const secret = Buffer.alloc(32, 5)
const proofs = jwtSudoProofs(secret)
const now = timestamp(Date.UTC(2026, 4, 1, 12))
const proof = { accountId: accountId(snowflake('1001')), tokenHash: 'hash of a token', credentialVersion: 3 }
const issuedAt = msOf(now) / 1000

/** The product's own key, which only the product has. */
const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), 'sudo proofs', 32))

interface Made {
  readonly typ?: string
  readonly alg?: string
  readonly aud?: string
  readonly claims?: object
}

const made = ({ typ = 'sudo+jwt', alg = 'HS256', aud = 'guildhall:sudo', claims = {} }: Made) =>
  new SignJWT({ sub: '1001', sid: 'hash of a token', ver: 3, iat: issuedAt, exp: issuedAt + 300, aud, ...claims })
    .setProtectedHeader({ alg, typ })
    .sign(key)

describe('a sudo proof', () => {
  it('says what it was issued for, for exactly 300 seconds', async () => {
    const text = await proofs.issue(proof, now)
    expect(await proofs.read(text, now)).toStrictEqual(proof)
    expect(await proofs.read(text, secondsAfter(now, 299))).toStrictEqual(proof)
    expect(await proofs.read(text, secondsAfter(now, 300))).toBeUndefined()
  })

  it('is what the right key signs with the right type, audience and algorithm', async () => {
    expect(await proofs.read(await made({}), now)).toStrictEqual(proof)
  })

  it.each<[string, Made]>([
    ['type', { typ: 'JWT' }],
    ['type of an access token', { typ: 'at+jwt' }],
    ['audience', { aud: 'guildhall:reset' }],
    ['algorithm', { alg: 'HS512' }],
    ['account', { claims: { sub: 'ada' } }],
    ['session', { claims: { sid: 7 } }],
    ['version', { claims: { ver: 'newest' } }],
    ['expiry', { claims: { exp: issuedAt } }],
  ])('with another %s is none, though the right key has signed it', async (_, given) => {
    expect(await proofs.read(await made(given), now)).toBeUndefined()
  })

  it.each(['', '.', '..', 'x', 'a.b.c', 'e30.e30.', `${'a'.repeat(10_000)}.b.c`])(
    'is none where it is malformed: "%.10s"',
    async (text) => {
      expect(await proofs.read(text, now)).toBeUndefined()
    },
  )

  it('of another server is none', async () => {
    const text = await jwtSudoProofs(Buffer.alloc(32, 6)).issue(proof, now)
    expect(await proofs.read(text, now)).toBeUndefined()
  })

  it('says nothing of the session’s token but its hash, and nothing of how it was earned', async () => {
    const [, payload = ''] = (await proofs.issue(proof, now)).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    expect(Object.keys(claims).toSorted()).toStrictEqual(['aud', 'exp', 'iat', 'sid', 'sub', 'ver'])
  })
})
