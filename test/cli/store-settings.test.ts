import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { pinnedRootFingerprint } from '../../adapters/stores/store-settings.ts'
import { openInstanceStores } from '../../process/roles/open-instance-stores.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { newRoot } from '../support/store-a/certificates.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'store-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pem = { type: 'pkcs8', format: 'pem' } as const
const curveKey = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey.export(pem)
const p256 = curveKey('P-256')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem)
const storeA = {
  issuer_id: 'issuer',
  key_id: 'KEY',
  private_key: p256,
  apps: [{ bundle_id: 'example.chat', app_id: 12 }],
  products: { month: 'monthly', gift: 'gift_1_year' },
}
const storeB = {
  client_email: 'service@example.com',
  private_key: rsa,
  packages: ['example.first', 'example.second'],
  products: { 'premium:plan': 'yearly', gift: 'gift_1_month' },
  push: { audience: 'https://chat.example.com', email: 'push@example.com' },
}
const read = (name: string, value: unknown) =>
  readSettings({ HOSTED: 'true', [name]: typeof value === 'string' ? value : JSON.stringify(value) }).stores
const root = await newRoot()

describe('STORE_A and STORE_B', () => {
  it('are unset unless they are given', () => {
    expect(readSettings({}).stores).toMatchObject({ storeA: undefined, storeB: undefined })
    expect(readSettings({ STORE_A: '', STORE_B: '' }).stores).toMatchObject({ storeA: undefined, storeB: undefined })
  })
  it('are JSON, or the path of a file with it', () => {
    const file = path.join(folder, 'store-b.json')
    writeFileSync(file, JSON.stringify(storeB))
    expect(read('STORE_B', file).storeB?.packages).toEqual(['example.first', 'example.second'])
    expect(read('STORE_A', storeA).storeA?.apps).toEqual([{ bundleId: 'example.chat', appId: 12 }])
  })
  it('ask the real stores, and trust the pinned root, unless they say otherwise', () => {
    expect(read('STORE_A', storeA).storeA).toMatchObject({
      apiUrl: 'https://api.storekit.apple.com',
      sandboxApiUrl: 'https://api.storekit-sandbox.apple.com',
      rootFingerprints: [pinnedRootFingerprint],
    })
    expect(read('STORE_B', storeB).storeB).toMatchObject({
      apiUrl: 'https://androidpublisher.googleapis.com',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      push: { jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs' },
    })
    const api_url = 'http://127.0.0.1:8080/a/'
    expect(read('STORE_A', { ...storeA, api_url }).storeA?.apiUrl).toBe('http://127.0.0.1:8080/a')
  })
  it.each<[string, unknown, string]>([
    ['STORE_A', '/no/such/file', 'STORE_A: must be a JSON object, or the path of a file with one (ENOENT)'],
    ['STORE_A', '{', 'STORE_A: must be a JSON object, or the path of a file with one'],
    ['STORE_A', {}, 'issuer_id'],
    ['STORE_A', { ...storeA, key: 1 }, 'key'],
    ['STORE_A', { ...storeA, private_key: 'CANARY' }, 'private_key: must be a private key of the curve P-256 in PEM'],
    ['STORE_A', { ...storeA, private_key: curveKey('P-384') }, 'private_key: must be a private key of the curve P-256'],
    ['STORE_A', { ...storeA, private_key: rsa }, 'private_key: must be a private key of the curve P-256'],
    ['STORE_A', { ...storeA, apps: [] }, 'apps: must name an app'],
    ['STORE_A', { ...storeA, apps: [{ bundle_id: 'x', app_id: '12' }] }, 'apps.0.app_id'],
    ['STORE_A', { ...storeA, products: {} }, 'products: must have a product'],
    ['STORE_A', { ...storeA, products: { month: 'weekly' } }, 'products.month: must be monthly, yearly'],
    ['STORE_A', { ...storeA, products: { 'a:b': 'monthly' } }, 'products: must be product ids'],
    ['STORE_A', { ...storeA, api_url: 'http://example.com' }, 'api_url: must be an https URL'],
    ['STORE_A', { ...storeA, api_url: 'http://127.0.0.1.example.com' }, 'api_url: must be an https URL'],
    ['STORE_A', { ...storeA, sandbox_api_url: 'https://a:b@example.com' }, 'sandbox_api_url: must be an https URL'],
    ['STORE_A', { ...storeA, sandbox_api_url: 'ftp://example.com' }, 'sandbox_api_url: must be an https URL'],
    ['STORE_A', { ...storeA, root_certificates: ['CANARY'] }, 'root_certificates.0: must be the certificate'],
    ['STORE_A', { ...storeA, root_certificates: [] }, 'root_certificates'],
    ['STORE_B', { ...storeB, private_key: p256 }, 'private_key: must be a private RSA key in PEM'],
    ['STORE_B', { ...storeB, packages: [] }, 'packages: must name a package'],
    ['STORE_B', { ...storeB, products: { premium: 'monthly' } }, 'products: must be "product:plan"'],
    ['STORE_B', { ...storeB, products: { 'gift:plan': 'gift_1_year' } }, 'products: must be "product:plan"'],
    ['STORE_B', { ...storeB, push: { audience: 'x' } }, 'push.email'],
    [
      'STORE_B',
      { ...storeB, push: { ...storeB.push, jwks_url: 'http://10.0.0.1' } },
      'push.jwks_url: must be an https',
    ],
    ['STORE_B', { ...storeB, token_url: 'https://example.com/?a=b' }, 'token_url: must be an https URL'],
    ['STORE_SANDBOX', { accounts: ['x'] }, 'accounts.0: must be the id of an account'],
    ['STORE_SANDBOX', { everyone: 'true' }, 'everyone'],
    ['STORE_SANDBOX', { someone: true }, 'someone'],
  ])('refuse by name: %s of %j', (name, value, message) => {
    expect(() => read(name, value)).toThrow(message)
    expect(() => read(name, value)).toThrow(`${name}: `)
    expect(() => read(name, value)).not.toThrow(/CANARY|PRIVATE KEY/)
  })
})

describe('STORE_SANDBOX', () => {
  it('admits nobody, the named accounts, or everyone', () => {
    const admits = (value: object, account: string) => {
      const { STORE_A, STORE_SANDBOX } = { STORE_A: JSON.stringify(storeA), STORE_SANDBOX: JSON.stringify(value) }
      const { stores } = readSettings({ STORE_A, STORE_SANDBOX })
      return openInstanceStores(given({ stores })).mayUseSandbox(account as never)
    }
    expect(admits({}, '1')).toBe(false)
    expect(admits({ accounts: ['1'] }, '1')).toBe(true)
    expect(admits({ accounts: ['1'] }, '2')).toBe(false)
    expect(admits({ everyone: true }, '2')).toBe(true)
  })
})

const warned: string[] = []
const logger = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) })
type Given = Parameters<typeof openInstanceStores>[0]

function given({ stores, hosted = true }: { stores: Given['settings']['stores']; hosted?: boolean }): Given {
  return { settings: { hosted, stores } as Given['settings'], logger }
}

describe('the stores of an instance', () => {
  it('are set up on a hosted instance, and show what is sold', () => {
    const { stores } = readSettings({ STORE_A: JSON.stringify(storeA), STORE_B: JSON.stringify(storeB) })
    const opened = openInstanceStores(given({ stores }))
    expect(opened.storeA.settings).toEqual({
      enabled: true,
      bundleIds: ['example.chat'],
      products: [
        { productId: 'month', slot: 'monthly' },
        { productId: 'gift', slot: 'gift_1_year' },
      ],
    })
    expect(opened.storeB.settings).toEqual({
      enabled: true,
      packageNames: ['example.first', 'example.second'],
      products: [
        { productId: 'premium', basePlanId: 'plan', slot: 'yearly' },
        { productId: 'gift', basePlanId: null, slot: 'gift_1_month' },
      ],
    })
  })
  it('are not set up on another one, and where they are not configured', async () => {
    const { stores } = readSettings({ STORE_A: JSON.stringify(storeA), STORE_B: JSON.stringify(storeB) })
    const own = openInstanceStores(given({ stores, hosted: false }))
    expect(own.storeA.settings.enabled).toBe(false)
    const notSetUp = { ok: false, failure: { kind: 'not set up', detail: 'no_settings' } }
    expect(await own.storeA.verifyTransaction('x')).toEqual(notSetUp)
    const { storeB: other } = openInstanceStores(given({ stores: { ...stores, storeB: undefined } }))
    expect(other.settings.enabled).toBe(false)
    expect(await other.verifyPush(undefined, {})).toEqual(notSetUp)
  })
  it('warn at each start of a root certificate that is not the pinned one, in PEM or in base64', () => {
    const open = (root_certificates: readonly string[] | undefined) => {
      warned.length = 0
      openInstanceStores(given({ stores: read('STORE_A', { ...storeA, root_certificates }) }))
      return warned.map((line) => (JSON.parse(line) as { msg: string }).msg)
    }
    const warning = 'STORE_A trusts another root certificate than the pinned one'
    expect(open([root.certificate.toString('pem')])).toEqual([warning])
    expect(open([Buffer.from(root.certificate.rawData).toString('base64')])).toEqual([warning])
    expect(open(undefined)).toEqual([])
  })
})
