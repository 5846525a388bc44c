import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { beforeAll, afterAll, describe, expect, it, vi } from 'vitest'
import { openLogger } from '../../adapters/telemetry/open-logger.ts'
import { snapshotEvery_events } from '../../application/aggregates/state-cache.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { environmentOf } from '../cli/support/instance.ts'
import { runHere } from '../cli/support/command-here.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { deletionIsDue, erase, everyRow } from '../operations/support/erasure.ts'
import { administrator } from '../support/administrators.ts'
import { startStoreA } from '../support/store-a/double.ts'
import type { Sale } from '../support/store-a/sales.ts'
import { withAlteredSignature } from '../support/store-a/sign.ts'
import { startStoreB } from '../support/store-b/double.ts'
import { pushBody } from '../support/store-b/push.ts'
import { packageName } from '../support/store-b/sales.ts'
import { settingsFor } from '../support/stores/stores-over.ts'
import { runningClock } from '../support/stores/test-clock.ts'
import { laidDatabase } from '../support/test-database.ts'
import { testContext } from '../support/test-context.ts'
import { startTestGuildhall, type RequestOptions, type TestAnswer } from '../support/test-guildhall.ts'
import { patience_ms } from '../support/pace.ts'

/**
 * Plays the life of purchases, from claims to a refund, a release and an erasure, with secrets of which each is known,
 * and looks for them wherever the server stores or shows anything. Two places may have one: the account's own purchase
 * context shows its token, and administrators see the latest transaction.
 */

const unique = randomBytes(6).toString('hex')
const personalDataKey = randomBytes(32)
const clock = runningClock()
const [storeA, storeB] = await Promise.all([startStoreA({ clock }), startStoreB({ clock })])
const database = await laidDatabase()
const logged: string[] = []
const destination = new Writable({
  write: (chunk, _encoding, done) => {
    logged.push(String(chunk))
    done()
  },
})
const guildhall = await startTestGuildhall({
  connection: database.connection,
  personalDataKey,
  hosted: true,
  stores: { storeA, storeB },
  logger: openLogger('trace', destination),
})
afterAll(async () => {
  await guildhall.close()
  await Promise.all([database.close(), storeA.close(), storeB.close()])
})

/** What the worker logs where a store does not answer. */
const notYet = 'a notification of a store could not be applied yet'
const secrets = new Map<string, string>()
const answers: string[] = []
const printed: string[] = []

async function send(method: string, path: string, options: RequestOptions = {}): Promise<TestAnswer> {
  const answer = await guildhall.request(method, path, options)
  answers.push(JSON.stringify(answer.body))
  return answer
}

let keys = 0
/** With an Idempotency-Key, so that the answer is kept. */
const keyed = () => ({ 'idempotency-key': `canary ${unique} ${(keys += 1)}` })

/** The part of a signed text that nothing else has. */
const signatureOf = (signed: string): string => String(signed.split('.').at(-1)).slice(0, 60)
/** A line in the middle of a key. */
const lineOf = (pem: unknown): string => String(String(pem).split('\n')[1])

async function claimA(token: string, productId: string, transactionId: string) {
  const sale = storeA.sell({ productId, transaction: { transactionId } })
  const signed = await storeA.signedTransaction(sale)
  secrets.set(`signed transaction of ${productId}`, signatureOf(signed))
  secrets.set(`original transaction of ${productId}`, sale.originalTransactionId)
  const claim = (signed_transaction: string) =>
    send('POST', '/v1/premium/store/store-a/transactions', { token, body: { signed_transaction }, headers: keyed() })
  expect((await claim(withAlteredSignature(signed))).status).toBe(400)
  const { purchase } = bodyOf(await claim(signed))
  return { sale, id: String((purchase as { readonly id: unknown }).id) }
}

async function claimB(token: string, productId: string) {
  const sale = storeB.sell({ productId })
  secrets.set(`purchase token of ${productId}`, sale.token)
  secrets.set(`order of ${productId}`, sale.orderId)
  const body = { purchase_token: sale.token, product_id: productId }
  const path = '/v1/premium/store/google-play/purchases'
  expect((await send('POST', path, { token, body: { ...body, product_id: 'another' } })).status).toBe(400)
  bodyOf(await send('POST', path, { token, body, headers: keyed() }))
  return sale
}

beforeAll(async () => {
  const [ada, root] = [await guildhall.register(), await administrator(guildhall, '*')]
  const { token } = ada
  secrets.set('transaction', `7777${BigInt(`0x${unique}`)}`)
  const subscription = await claimA(token, 'premium.monthly', String(secrets.get('transaction')))
  await claimA(token, 'gift.month', `8888${BigInt(`0x${unique}`)}`)
  secrets.set('transaction of the gift', `8888${BigInt(`0x${unique}`)}`)
  await claimB(token, 'premium')
  const gift = await claimB(token, 'gift_month')
  // The only answer that may have it.
  const context = bodyOf(await guildhall.request('GET', '/v1/premium/store', { token }))
  secrets.set('account token', String(context['app_account_token']))
  await beTold(subscription.sale, gift)
  await makeSnapshot(ada.id)
  await guildhall.request('GET', `/v1/admin/users/${ada.id}/store-purchases`, { token: root.token })
  for (const path of ['/v1/premium/store/purchases', '/v1/premium/state', '/v1/users/@me'])
    bodyOf(await send('GET', path, { token }))
  for (const words of [
    ['show', ada.id],
    ['reconcile', '--dry-run'],
    ['show', subscription.id],
  ]) {
    const settings = { ...environmentOf(database.connection, personalDataKey), ...settingsFor({ storeA, storeB }) }
    const { code, output, said } = await runHere(['store', ...words], settings)
    expect(code).toBe(0)
    printed.push(output, said)
  }
  const release = `/v1/premium/store/purchases/${subscription.id}`
  expect((await send('DELETE', release, { token, body: { password: ada.password } })).status).toBe(204)
  await rememberCredentials()
  rows.push(await everyRow(guildhall))
  await deletionIsDue(guildhall, ada)
  expect(await erase(guildhall, ada)).toBe(true)
  rows.push(await everyRow(guildhall))
})
/** What is stored before the erasure, and after it. */
const rows: string[] = []

/** Notifications of both stores, one that waits in the queue because its store does not answer among them. */
async function beTold(sale: Sale, gift: { readonly token: string; readonly orderId: string }): Promise<void> {
  sale.status = 5
  sale.transaction = { ...sale.transaction, revocationDate: clock.now() }
  const refunded = await storeA.notify('REFUND', sale)
  secrets.set('signed notification', signatureOf(refunded))
  expect((await send('POST', '/webhooks/store-a', { body: { signedPayload: refunded } })).status).toBe(200)
  await send('POST', '/webhooks/store-a', { body: { signedPayload: withAlteredSignature(refunded) } })
  const authorization = await storeB.push.authorization()
  secrets.set('push token', signatureOf(authorization))
  const voidedPurchaseNotification = { purchaseToken: gift.token, orderId: gift.orderId, productType: 2, refundType: 1 }
  const eventTimeMillis = String(clock.now())
  const pushed = pushBody({ version: '1.0', packageName, eventTimeMillis, voidedPurchaseNotification })
  // Its keys can be had, its purchases cannot.
  storeB.fault = ({ path }) => (path === '/certs' ? undefined : 500)
  expect((await send('POST', '/webhooks/store-b', { body: pushed, headers: { authorization } })).status).toBe(204)
  const wrong = { authorization: withAlteredSignature(authorization) }
  expect((await send('POST', '/webhooks/store-b', { body: pushed, headers: wrong })).status).toBe(401)
  await vi.waitFor(() => expect(logged.join('').includes(notYet)).toBe(true), { timeout: patience_ms })
  storeB.fault = undefined
}

/** Changes the account until its state is snapshotted. */
async function makeSnapshot(id: string): Promise<void> {
  const account = accountId(snowflake(id))
  for (let times = 0; times < snapshotEvery_events; times += 1) {
    const change = { type: 'ChangeProfile', changes: { bio: `bio ${times}` } } as const
    await guildhall.ports.aggregates.account.execute(account, change, testContext({ kind: 'account', id: account }))
  }
  const snapshotted = new RegExp(`event_store.snapshots .*account-${id}`)
  await vi.waitFor(async () => expect(snapshotted.test(await everyRow(guildhall))).toBe(true), { timeout: patience_ms })
}

/** What the server shows the stores, and what its settings hold. */
async function rememberCredentials(): Promise<void> {
  secrets.set('key of store A', lineOf(storeA.settings['private_key']))
  secrets.set('key of store B', lineOf(storeB.settings['private_key']))
  for (const [name, { seen }] of [['store A', storeA] as const, ['store B', storeB] as const])
    secrets.set(
      `token for ${name}`,
      String(seen.findLast(({ authorization }) => authorization)?.authorization).slice(-40),
    )
}

/** The secrets that a text contains, plain, in hexadecimal or in base64. */
function secretsIn(text: string): readonly string[] {
  return [...secrets].flatMap(([name, secret]) => {
    const bytes = Buffer.from(secret)
    const forms = [secret, bytes.toString('hex'), bytes.toString('base64url').slice(0, -2)]
    return forms.some((form) => text.includes(form)) ? [name] : []
  })
}

describe('a secret of a purchase', () => {
  it('is planted, each of them, and a search would find it', () => {
    expect(secrets.size).toBe(17)
    expect([...secrets].filter(([, secret]) => secret.length < 12 || secret.includes('undefined'))).toStrictEqual([])
    for (const [name, secret] of secrets) expect(secretsIn(`x${secret}x`)).toContain(name)
  })

  it('is in no table, neither before the erasure of its owner nor after it', () => {
    expect(rows).toHaveLength(2)
    for (const stored of rows) {
      expect(stored).toContain('StorePurchaseRead')
      expect(stored).toContain('store_notification')
      expect(secretsIn(stored)).toStrictEqual([])
    }
  })

  it('is in no log, at any level', () => {
    expect(logged.join('')).toContain(notYet)
    expect(secretsIn(logged.join(''))).toStrictEqual([])
  })

  it('is in no answer, and in nothing that an operator is shown', async () => {
    expect(answers.length).toBeGreaterThan(15)
    expect(secretsIn(answers.join('\n'))).toStrictEqual([])
    expect(printed.join('')).toContain('the money went back')
    expect(secretsIn(printed.join('\n'))).toStrictEqual([])
    const metrics = await (await fetch(`${guildhall.url}/_metrics`)).text()
    expect(metrics).toContain('guildhall_store_notifications_total')
    expect(secretsIn(metrics)).toStrictEqual([])
  })
})
