import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../application/ports/stores.ts'
import { certificatesBelow, newRoot, type CertificateFaults } from '../../support/store-a/certificates.ts'
import { startStoreA, type StoreADouble } from '../../support/store-a/double.ts'
import { bundleId, transactionOf, type Sale } from '../../support/store-a/sales.ts'
import { signAsStoreA, withAlteredSignature } from '../../support/store-a/sign.ts'
import { storesOver } from '../../support/stores/stores-over.ts'

let double: StoreADouble
let stores: Stores
let sale: Sale
beforeAll(async () => {
  double = await startStoreA()
  stores = storesOver({ storeA: double })
  sale = double.sell({ productId: 'premium.monthly' })
})
afterAll(() => double.close())

const verified = (text: string) => stores.storeA.verifyTransaction(text)
const refusedAs = (detail: string) => ({ ok: false, failure: { kind: 'rejected', detail } })
const payload = (changes: object = {}) => ({ ...transactionOf(sale, double.clock.now(), new Map()), ...changes })

describe('a signed transaction', () => {
  it('names its purchase and slot, and asks the store nothing', async () => {
    expect(await verified(await double.signedTransaction(sale))).toEqual({
      ok: true,
      value: {
        key: {
          provider: 'store_a',
          environment: 'production',
          bundleId,
          kind: 'subscription',
          originalTransactionId: sale.originalTransactionId,
        },
        productId: 'premium.monthly',
        slot: 'monthly',
        signedAt: new Date(double.clock.now()).toISOString(),
      },
    })
    expect(double.seen).toEqual([])
  })
  it('may be of the sandbox, and may have members that nobody knows', async () => {
    const text = await double.signedTransaction(sale, { environment: 'Sandbox', offerType: 1, later: { more: [null] } })
    expect(await verified(text)).toMatchObject({ ok: true, value: { key: { environment: 'sandbox' } } })
  })
  it.each([
    ['of another app', { bundleId: 'example.other' }, 'invalid_app_identifier'],
    ['of local testing', { environment: 'Xcode' }, 'invalid_environment'],
    ['of local testing, by its other name', { environment: 'LocalTesting' }, 'invalid_environment'],
    ['of a product that is not configured', { productId: 'coins' }, 'unknown_product'],
    ['of a product named as a member of every object', { productId: 'constructor' }, 'unknown_product'],
    ['of a subscription sold once', { type: 'Consumable' }, 'unknown_product'],
    ['of a gift that renews', { productId: 'gift.month' }, 'unknown_product'],
    ['without a date', { signedDate: undefined }, 'invalid_payload'],
    ['with a date as text', { signedDate: '1' }, 'invalid_payload'],
    ['with a date beyond all calendars', { signedDate: 9e15 }, 'invalid_payload'],
    ['without its id', { transactionId: undefined }, 'invalid_payload'],
    ['with an id that is a path', { originalTransactionId: '../1' }, 'invalid_payload'],
  ])('is rejected: %s', async (_, changes, detail) => {
    expect(await verified(await double.signedTransaction(sale, changes))).toEqual(refusedAs(detail))
  })
})

describe('the form of signed data', () => {
  it.each(['', 'a', 'a.b', '..', 'e30.e30.', 'e30.e30.e30.e30', 'bnVsbA.bnVsbA.bnVsbA', '\u0000.\u0000.\u0000'])(
    'is refused as %j',
    async (text) => {
      expect(await verified(text)).toMatchObject({ ok: false, failure: { kind: 'rejected' } })
    },
  )
  it('has the algorithm ES256 alone', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const rsa = await double.signedTransaction(sale, {}, { header: { alg: 'RS256' }, key: privateKey as never })
    expect(await verified(rsa)).toEqual(refusedAs('unsupported_algorithm'))
    const none = `${Buffer.from('{"alg":"none","x5c":[]}').toString('base64url')}.e30.`
    expect(await verified(none)).toEqual(refusedAs('unsupported_algorithm'))
  })
  it('is refused with an altered signature, and with an altered payload', async () => {
    const text = await double.signedTransaction(sale)
    expect(await verified(withAlteredSignature(text))).toEqual(refusedAs('invalid_signature'))
    const [head, , signature] = text.split('.')
    const altered = Buffer.from(JSON.stringify(payload({ quantity: 2 }))).toString('base64url')
    expect(await verified([head, altered, signature].join('.'))).toEqual(refusedAs('invalid_signature'))
  })
  it('has one signature, of 64 bytes in base64url', async () => {
    const [head, body, signature = ''] = (await double.signedTransaction(sale)).split('.')
    const bytes = Buffer.from(signature, 'base64url')
    for (const wrong of ['', bytes.toString('base64'), `${signature}A`, signature.slice(2), `+${signature.slice(1)}`])
      expect(await verified([head, body, wrong].join('.'))).toEqual(refusedAs('invalid_signature'))
    expect(await verified([head, body].join('.'))).toEqual(refusedAs('malformed'))
    expect(await verified([head, body, signature, ''].join('.'))).toEqual(refusedAs('malformed'))
  })
  it('asks for nothing that is not done here', async () => {
    const header = { crit: ['b64'], b64: true }
    expect(await verified(await double.signedTransaction(sale, {}, { header }))).toEqual(refusedAs('malformed'))
  })
})

describe('the certificates of signed data', () => {
  it('are three', async () => {
    const [leaf, intermediate, root] = double.certificates.chain
    for (const x5c of [[], [leaf, intermediate], [leaf, intermediate, root, root], [root]])
      expect(await verified(await double.signedTransaction(sale, {}, { x5c }))).toEqual(
        refusedAs('invalid_chain_length'),
      )
  })
  it('are written in standard base64', async () => {
    const x5c = double.certificates.chain.map((text) => Buffer.from(text, 'base64').toString('base64url'))
    expect(await verified(await double.signedTransaction(sale, {}, { x5c }))).toEqual(refusedAs('invalid_certificate'))
    const junk = double.certificates.chain.map(() => 'AAAA')
    expect(await verified(await double.signedTransaction(sale, {}, { x5c: junk }))).toEqual(
      refusedAs('invalid_certificate'),
    )
  })
  it('end in the trusted root, not in another one of the same name', async () => {
    const others = await certificatesBelow(await newRoot())
    expect(await verified(await signAsStoreA(payload(), others))).toEqual(refusedAs('untrusted_chain'))
    const [leaf, intermediate] = others.chain
    const x5c = [leaf, intermediate, double.certificates.chain[2]]
    expect(await verified(await signAsStoreA(payload(), others, { x5c }))).toEqual(refusedAs('untrusted_chain'))
  })
  it('are each issued by the next one', async () => {
    const others = await certificatesBelow(double.root)
    const [leaf] = others.chain
    const [, intermediate, root] = double.certificates.chain
    const mixed = await signAsStoreA(payload(), others, { x5c: [leaf, intermediate, root] })
    expect(await verified(mixed)).toEqual(refusedAs('untrusted_chain'))
    expect(await verified(await signAsStoreA(payload(), others))).toMatchObject({ ok: true })
  })
  it.each<[string, CertificateFaults, string]>([
    ['an intermediate that is no authority', { intermediateIsNoAuthority: true }, 'untrusted_chain'],
    ['a leaf that is an authority', { leafIsAuthority: true }, 'untrusted_chain'],
    [
      'a leaf that calls itself an authority, with a key that signs data alone',
      { leafIsAuthority: true, leafSignsDataAlone: true },
      'untrusted_chain',
    ],
    ['a leaf without its marker', { withoutLeafMarker: true }, 'missing_certificate_extension'],
    ['an intermediate without its marker', { withoutIntermediateMarker: true }, 'missing_certificate_extension'],
    ['a leaf with a key of P-384', { leafCurve: 'P-384' }, 'invalid_certificate'],
    ['a leaf that had expired', { notAfter: new Date('2021-01-01') }, 'certificate_expired'],
  ])('are refused with %s, each time', async (_, faults, detail) => {
    const certificates = await certificatesBelow(double.root, faults)
    const key = faults.leafCurve ? double.certificates.leafKey : certificates.leafKey
    for (let time = 0; time < 2; time += 1)
      expect(await verified(await signAsStoreA(payload(), certificates, { key }))).toEqual(refusedAs(detail))
  })
  it('are valid at the date of the data, up to a minute before and after', async () => {
    const notAfter = new Date('2022-01-01T00:00:00Z')
    const certificates = await certificatesBelow(double.root, { notAfter })
    const at = async (signedDate: number) => verified(await signAsStoreA(payload({ signedDate }), certificates))
    expect(await at(notAfter.getTime() - 1000)).toMatchObject({ ok: true })
    expect(await at(notAfter.getTime() + 60_000)).toMatchObject({ ok: true })
    expect(await at(notAfter.getTime() + 60_001)).toEqual(refusedAs('certificate_expired'))
    const notBefore = Date.parse('2020-01-01T00:00:00Z')
    expect(await at(notBefore - 60_000)).toMatchObject({ ok: true })
    expect(await at(notBefore - 60_001)).toEqual(refusedAs('certificate_expired'))
  })
  it('are not those of the real store, where another root is configured; nor of the double, where none is', async () => {
    const { root_certificates, ...settings } = double.settings
    expect(root_certificates).toHaveLength(1)
    const pinned = storesOver({ storeA: { clock: double.clock, settings } })
    const answer = await pinned.storeA.verifyTransaction(await double.signedTransaction(sale))
    expect(answer).toEqual(refusedAs('untrusted_chain'))
  })
})
